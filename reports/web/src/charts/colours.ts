// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Colours of series. The style sheet holds them once for each scheme (--series-0 ...); a canvas has to read them there.

export const seriesCount = 8;

/** A hash that gives each name a preferred colour, which stays the same from view to view. */
function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619) >>> 0;
  return value;
}

/**
 * A colour for every name: the preferred one if it is free, else the next free one. A single series always has the
 * first.
 */
export function seriesColours(names: readonly string[]): number[] {
  if (names.length === 1) return [0];
  const taken = new Set<number>();
  return names.map((name) => {
    let wanted = hash(name) % seriesCount;
    while (taken.size < seriesCount && taken.has(wanted)) wanted = (wanted + 1) % seriesCount;
    taken.add(wanted);
    return wanted;
  });
}

export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888";
}

/** Adds an opacity to a colour of the style sheet (#rrggbb). */
export function faded(colour: string, opacity: number): string {
  const code = Math.round(opacity * 255).toString(16).padStart(2, "0");
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour + code : colour;
}

/** Dash patterns that distinguish series without colour. */
export const dashes: readonly number[][] = [[], [12, 3], [5, 3], [14, 3, 3, 3], [8, 4], [18, 4], [3, 2], [10, 3, 3, 3, 3, 3]];
