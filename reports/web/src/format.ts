// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Numbers and dates as text, with a unit and only meaningful digits.

import type { Latest, MetricRow } from "./data/contract";

export const nothing = "\u2014";
const minus = "\u2212";
/** Stands between a number and its unit, so that no line breaks between them. */
const space = "\u00a0";

function known(value: number | null | undefined): value is number {
  return value !== undefined && value !== null && Number.isFinite(value);
}

/** A number with this many significant digits, without an exponent unless it is very large or small. */
export function significant(value: number, digits: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e9 || size < 1e-4) return value.toExponential(digits - 1).replace("-", minus);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  let text = size.toFixed(Math.min(decimals, 12));
  const [whole = "", fraction] = text.split(".");
  text = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
  return (value < 0 ? minus : "") + text + (fraction === undefined ? "" : "." + fraction);
}

export function withUnit(value: number | undefined | null, unit: string, digits = 3): string {
  return known(value) ? significant(value, digits) + (unit === "" ? "" : space + unit) : nothing;
}

const timeUnits: readonly (readonly [number, string])[] = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];

export function time(ns: number | undefined | null, digits = 4): string {
  if (!known(ns)) return nothing;
  const [scale, unit] = timeUnits.find(([one]) => Math.abs(ns) >= one * 0.99995) ?? [1, "ns"];
  return withUnit(ns / scale, unit, digits);
}

/** A change with its sign: +3.26 %. */
export function change(share: number | undefined | null): string {
  if (!known(share)) return nothing;
  const percent = Math.abs(share * 100);
  const digits = percent >= 99.95 ? 0 : percent >= 9.995 ? 1 : 2;
  const text = percent.toFixed(digits);
  const sign = Number(text) === 0 ? "\u00b1" : share < 0 ? minus : "+";
  return sign + text + space + "%";
}

export function interval(low: number | undefined, high: number | undefined): string {
  if (!known(low) || !known(high)) return "";
  return `${change(low).replace(space + "%", "")} to ${change(high).replace(space + "%", "")}`;
}

/** A share without a sign: 58 % */
export function share(value: number | undefined | null, digits = 3): string {
  if (!known(value)) return nothing;
  const percent = value * 100;
  if (percent !== 0 && Math.abs(percent) < 0.1) return significant(percent, Math.min(2, digits)) + space + "%";
  const decimals = Math.max(0, Math.min(digits - 1, 2) - Math.max(0, Math.floor(Math.log10(Math.abs(percent) || 1))));
  return (percent < 0 ? minus : "") + Math.abs(percent).toFixed(decimals) + space + "%";
}

/** A count: all its digits, in groups from 10 000 on. */
export function integer(count: number): string {
  const text = String(Math.round(count));
  return text.length > 4 ? text.replace(/\B(?=(\d{3})+$)/g, "\u202f") : text;
}

/** A number on an axis, without needless digits. */
export function tick(value: number): string {
  return String(Number(value.toPrecision(6))).replace("-", minus);
}

export function plural(count: number, one: string, many = one + "s"): string {
  return `${integer(count)}${space}${count === 1 ? one : many}`;
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB"];

export function bytes(value: number | undefined): string {
  if (!known(value)) return nothing;
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < byteUnits.length - 1) {
    size /= 1024;
    unit++;
  }
  return withUnit(size, byteUnits[unit] ?? "B", size >= 1000 ? 4 : 3).replace(/\.0+(?=\D)/, "");
}

/** 2026-11-21 08:15, in UTC like every time in run files. */
export function date(iso: string | undefined): string {
  const match = iso === undefined ? null : /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso);
  return match ? `${match[1] ?? ""} ${match[2] ?? ""}` : iso || nothing;
}

export function day(iso: string | undefined): string {
  return date(iso).slice(0, 10);
}

export function ago(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < -3600) return "in the future";
  const steps: readonly (readonly [number, number, string])[] = [
    [90, 1, "second"], [5400, 60, "minute"], [129600, 3600, "hour"], [5184000, 86400, "day"],
    [63072000, 2629800, "month"],
  ];
  const [, unit, name] = steps.find(([limit]) => seconds < limit) ?? [0, 31557600, "year"];
  return plural(Math.max(0, Math.round(seconds / unit)), name) + " ago";
}

export function duration(seconds: number | undefined): string {
  if (!known(seconds)) return nothing;
  if (seconds < 120) return withUnit(seconds, "s", 3);
  if (seconds < 7200) return withUnit(seconds / 60, "min", 3);
  return withUnit(seconds / 3600, "h", 3);
}

export function shortCommit(id: string | undefined): string {
  return id ? id.slice(0, 10) : nothing;
}

/** Quotes a text for a POSIX shell, always in single quotes, since an id may contain anything. */
export function shellQuote(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

/** The value of a metric in the latest result of a case, as text. */
export function figure(metric: MetricRow, latest: Latest | undefined): string {
  const value = (latest as unknown as Record<string, unknown> | undefined)?.[metric.key];
  if (typeof value !== "number") return nothing;
  switch (metric.print) {
    case "time": return time(value, metric.digits);
    case "share":
    case "percent": return share(value, metric.digits);
    case "number":
    case "factor": return withUnit(value, metric.unit, metric.digits);
  }
}

/** A metric's name, unit and text. */
export interface Metric {
  key: string;
  name: string;
  unit: string;
  text: (value: number | undefined | null) => string;
  /** Whether a larger number is the better one. */
  upIsBetter: boolean;
}

export const metrics = {
  ratio: {
    key: "ratio", name: "ratio to the reference", unit: "\u00d7 reference time", upIsBetter: false,
    text: (value) => withUnit(value, "\u00d7", 4),
  },
  time: { key: "time", name: "time", unit: "ns", text: (value) => time(value), upIsBetter: false },
  tflops: {
    key: "tflops", name: "TFLOP/s", unit: "TFLOP/s", text: (value) => withUnit(value, "TFLOP/s", 4), upIsBetter: true,
  },
  cycles: {
    key: "cycles", name: "cycles", unit: "cycles", upIsBetter: false,
    text: (value) => withUnit(value, "cycles", Math.max(4, Math.floor(Math.log10(value || 1)) + 1)),
  },
  clock: { key: "clock", name: "clock", unit: "MHz", text: (value) => withUnit(value, "MHz", 4), upIsBetter: true },
} satisfies Record<string, Metric>;

export type MetricKey = keyof typeof metrics;
export const metricKeys: readonly [MetricKey, ...MetricKey[]] = ["ratio", "time", "tflops", "cycles", "clock"];

/** The metric with this name in the data, which say time_ns in some places. */
export function metricOf(name: string | undefined): Metric {
  return metricKeys.map((key): Metric => metrics[key]).find((metric) => metric.key === name) ?? metrics.time;
}
