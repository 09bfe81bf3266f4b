// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Scales and ticks of the charts that are drawn as SVG.

export interface Scale {
  (value: number): number;
  ticks: number[];
  domain: readonly [number, number];
}

/** Round steps of 1, 2 or 5 times a power of ten, about `count` of them. */
export function linearTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((one) => one * power >= raw * 0.999) ?? 10) * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(i * step + 0);
  return ticks;
}

export function linear(domain: readonly [number, number], range: readonly [number, number], count = 5): Scale {
  const [low, high] = domain;
  const width = high - low || 1;
  const scale = ((value) => range[0] + ((value - low) / width) * (range[1] - range[0])) as Scale;
  scale.ticks = linearTicks(low, high, count);
  scale.domain = domain;
  return scale;
}

/** Powers of ten, with their multiples by 2 and 5 where there are few of them. */
export function logTicks(low: number, high: number, count: number): number[] {
  const decades = Math.log10(high / low);
  const steps = decades > count * 0.8 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 3, 5, 7];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (tick >= low * 0.9999 && tick <= high * 1.0001) ticks.push(tick);
    }
  }
  return ticks;
}

export function logarithmic(domain: readonly [number, number], range: readonly [number, number], count = 5): Scale {
  const low = Math.log(domain[0]);
  const width = Math.log(domain[1]) - low || 1;
  const scale = ((value) => range[0] + ((Math.log(value) - low) / width) * (range[1] - range[0])) as Scale;
  scale.ticks = logTicks(domain[0], domain[1], count);
  scale.domain = domain;
  return scale;
}

/** The least and largest of the finite values, each moved outwards by a share of their distance. */
export function extent(values: Iterable<number>, pad = 0.05): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  const room = (high - low || Math.abs(high) * 0.1 || 1) * pad;
  return [low - room, high + room];
}

/** Places for labels in a column: close to the wanted places, but at least `gap` apart. */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] as number) - (wanted[b] as number));
  const places = [...wanted];
  let at = low;
  for (const i of order) {
    places[i] = Math.max(places[i] as number, at);
    at = (places[i] as number) + gap;
  }
  at = high;
  for (const i of order.reverse()) {
    places[i] = Math.min(places[i] as number, at);
    at = (places[i] as number) - gap;
  }
  return places;
}
