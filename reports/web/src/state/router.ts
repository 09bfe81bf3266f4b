// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The fragment of the address holds the whole state of a view: `#/trend?d=slug/gemm&c=CASE&c=CASE&m=ratio`.

import { useEffect, useState } from "preact/hooks";

export const views = ["overview", "ladder", "trend", "compare", "case", "quality"] as const;
export type View = (typeof views)[number];

export const viewNames: Record<View, string> = {
  overview: "Overview", ladder: "Ladder", trend: "Trend", compare: "Compare", case: "Case", quality: "Quality",
};

export type Params = Record<string, string | readonly string[] | undefined>;

export interface Route {
  readonly view: View;
  readonly params: Readonly<Record<string, readonly string[]>>;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}

/**
 * Escapes only the characters that the grammar of fragments requires, so that a case's id stays readable in an address.
 */
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(/%(2F|40|2C|3A|7E|2A)/gi, (code) => decodeURIComponent(code));
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s, 2);
  const view = views.find((name) => name === path) ?? "overview";
  const params: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const part of query.split("&")) {
    if (part === "") continue;
    const [key = "", value = ""] = part.split(/=(.*)/s, 2);
    (params[decodePart(key)] ??= []).push(decodePart(value));
  }
  return { view, params };
}

export function href(view: View, params: Params = {}): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined || value === "") continue;
    for (const one of typeof value === "string" ? [value] : value) parts.push(`${key}=${encodePart(one)}`);
  }
  return `#/${view}${parts.length > 0 ? "?" + parts.join("&") : ""}`;
}

export function param(route: Route, key: string): string | undefined {
  return route.params[key]?.[0];
}

/** The parameter if it is one of the allowed values, else the first of these: an address may contain anything. */
export function choice<T extends string>(route: Route, key: string, allowed: readonly [T, ...T[]]): T {
  const value = param(route, key);
  return allowed.find((one) => one === value) ?? allowed[0];
}

export function go(address: string, how: "push" | "replace" = "push"): void {
  if (address === location.hash) return;
  if (how === "push") {
    location.hash = address;
  } else {
    history.replaceState(history.state, "", address);
    // replaceState triggers no event.
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

/** The route with some parameters changed. */
export function changed(route: Route, params: Params): string {
  return href(route.view, { ...route.params, ...params });
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const listen = (): void => setRoute(parseRoute(location.hash));
    window.addEventListener("hashchange", listen);
    return () => window.removeEventListener("hashchange", listen);
  }, []);
  return route;
}
