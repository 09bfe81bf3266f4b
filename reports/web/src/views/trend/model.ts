// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Turns decoded series into the contents of a trend: one place on the x axis per run, and per case a value for each
// place.

import type { Case, Change, Creep, Device } from "../../data/contract";
import type { Columns } from "../../data/decode";
import { changeMetric, dateOfRun, environmentChangesAt, metricColumns, problemOf, type EnvironmentChange } from "../../data/model";
import { isFailure } from "../../data/verdicts";
import { metrics, type MetricKey } from "../../format";
import { median } from "../../stats";

export type AxisX = "run" | "date";
export type AxisY = "abs" | "first" | "base";

/** A case of a device, as chosen by the reader. */
export interface Chosen {
  device: Device;
  one: Case;
  name: string;
  colour: number;
  columns: Columns;
}

/** A place on the x axis: one run of one device. */
export interface Slot {
  x: number;
  device: Device;
  run: number;
}

/**
 * A number; null where the run lacks it, which makes a gap; undefined where the place belongs to another device, which
 * makes none.
 */
export type Cell = number | null | undefined;

export interface Line {
  chosen: Chosen;
  y: Cell[];
  low: Cell[];
  high: Cell[];
  /** The value as measured, where y is relative. */
  value: Cell[];
  /** Index into the case's own columns for each slot; -1 if the run is not there. */
  place: Int32Array;
  status: string[];
  changes: { slot: number; change: Change }[];
  band?: { low: number; middle: number; high: number };
  /**
   * For a case that crept: the level that it is compared with, the first run of that level, and where the case left it.
   */
  crept?: { creep: Creep; from: number; onset: number; level: number };
}

export interface TrendModel {
  metric: MetricKey;
  axisX: AxisX;
  axisY: AxisY;
  slots: Slot[];
  xs: number[];
  lines: Line[];
  environment: { slot: number; changes: EnvironmentChange[] }[];
  /** Slots at which the cursor may stop, because a line has a value or a failure there. */
  stops: number[];
}

function makeSlots(devices: readonly Device[], axisX: AxisX): Slot[] {
  if (axisX === "run") return devices.slice(0, 1).flatMap((device) => device.runs.map((_, run) => ({ x: run, device, run })));
  const slots = devices.flatMap((device) => device.runs.map((one, run) => ({ x: dateOfRun(device, one), device, run })));
  return slots.filter((slot) => Number.isFinite(slot.x)).sort((a, b) => a.x - b.x || a.run - b.run);
}

function bandOf(one: Case, metric: MetricKey, flop: number | undefined): Line["band"] {
  const { baseline } = one;
  const level = metric === "ratio" ? baseline?.ratio : metric === "cycles" ? baseline?.cycles
    : metric === "time" || metric === "tflops" ? baseline?.time_ns : undefined;
  if (!baseline || !level) return undefined;
  const allowed = baseline.margin ?? 0;
  const of = (value: number): number => (metric === "tflops" ? (flop ?? NaN) / value / 1e3 : value);
  const ends = [of(level.median / (1 + allowed)), of(level.median * (1 + allowed))];
  return { low: Math.min(...ends), middle: of(level.median), high: Math.max(...ends) };
}

/** Makes the line of a case: its values at the slots, its changes, its baseline and its creep. */
function makeLine(chosen: Chosen, metric: MetricKey, slots: readonly Slot[]): Line {
  const { device, one, columns } = chosen;
  const flop = problemOf(device, one)?.flop;
  const { values, halfWidths } = metricColumns(metric, columns, flop);
  const runs = columns.columns.get("run") ?? new Float64Array(0);
  const statuses = columns.columns.get("status");
  const placeOfRun = new Int32Array(device.runs.length).fill(-1);
  runs.forEach((run, i) => (placeOfRun[run] = i));
  const line: Line = {
    chosen, y: [], low: [], high: [], value: [], place: new Int32Array(slots.length).fill(-1), status: [], changes: [],
  };
  const slotOfRun = new Map<number, number>();
  slots.forEach((slot, s) => {
    if (slot.device !== device) {
      for (const list of [line.y, line.low, line.high, line.value]) list.push(undefined);
      line.status.push("");
      return;
    }
    slotOfRun.set(slot.run, s);
    const place = placeOfRun[slot.run] ?? -1;
    line.place[s] = place;
    const value = place < 0 ? NaN : values[place] ?? NaN;
    const half = place < 0 ? NaN : halfWidths?.[place] ?? NaN;
    const known = Number.isFinite(value);
    line.value.push(known ? value : null);
    line.y.push(known ? value : null);
    line.low.push(known && half > 0 ? value * Math.exp(-half) : null);
    line.high.push(known && half > 0 ? value * Math.exp(half) : null);
    line.status.push(place < 0 ? "" : columns.tables.status[statuses?.[place] ?? 0] ?? "");
  });
  for (const change of one.changes) {
    const slot = slotOfRun.get(change.run);
    if (slot !== undefined && change.metric === changeMetric(metric)) line.changes.push({ slot, change });
  }
  const band = bandOf(one, metric, flop);
  if (band) line.band = band;
  const { creep } = one;
  const from = slotOfRun.get(creep?.anchor_from ?? -1);
  const to = slotOfRun.get(creep?.anchor_to ?? -1);
  const onset = slotOfRun.get(creep?.onset ?? -1);
  if (creep && creep.metric === changeMetric(metric) && from !== undefined && to !== undefined && onset !== undefined) {
    const level = line.value.slice(from, to + 1).filter((value) => typeof value === "number");
    if (level.length > 0) line.crept = { creep, from, onset, level: median(level) };
  }
  return line;
}

/** Makes a line relative, in percent, to its baseline or to its first value from slot `from` on. */
function makeRelative(line: Line, axisY: AxisY, from: number): void {
  const first = line.value.find((value, slot) => slot >= from && typeof value === "number")
    ?? line.value.find((value) => typeof value === "number");
  const base = axisY === "base" ? line.band?.middle ?? first : first;
  if (typeof base !== "number") return;
  const relative = (value: number): number => (value / base - 1) * 100;
  const all = (list: Cell[]): Cell[] => list.map((value) => (typeof value === "number" ? relative(value) : value));
  line.y = all(line.y);
  line.low = all(line.low);
  line.high = all(line.high);
  if (line.band) {
    line.band = { low: relative(line.band.low), middle: relative(line.band.middle), high: relative(line.band.high) };
  }
  if (line.crept) line.crept.level = relative(line.crept.level);
}

export function makeModel(
  chosen: readonly Chosen[], metric: MetricKey, axisX: AxisX, axisY: AxisY, firstSlot: (slots: readonly Slot[]) => number,
): TrendModel {
  const devices = [...new Set(chosen.map((one) => one.device))];
  const slots = makeSlots(devices, axisX);
  const lines = chosen.map((one) => makeLine(one, metric, slots));
  if (axisY !== "abs") {
    const from = firstSlot(slots);
    for (const line of lines) makeRelative(line, axisY, from);
  }
  const stops: number[] = [];
  const environment: TrendModel["environment"] = [];
  slots.forEach((slot, s) => {
    if (lines.some((line) => typeof line.y[s] === "number" || isFailure(line.status[s] ?? ""))) stops.push(s);
    const changes = environmentChangesAt(slot.device, slot.run);
    if (changes.length > 0) environment.push({ slot: s, changes });
  });
  return { metric, axisX, axisY, slots, xs: slots.map((slot) => slot.x), lines, environment, stops };
}

/** The stop nearest to a slot. */
export function nearestStop(stops: readonly number[], slot: number): number | undefined {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle] as number) < slot) low = middle + 1;
    else high = middle;
  }
  const after = stops[low];
  const before = stops[low - 1];
  if (after === undefined) return before;
  return before !== undefined && slot - before < Math.abs(after - slot) ? before : after;
}

/** The first slot whose x is at least this large. */
export function slotAtX(xs: readonly number[], x: number): number {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] as number) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text of a y value: with the metric's unit, or a percentage. */
export function valueText(model: TrendModel, value: Cell): string {
  return metrics[model.metric].text(value);
}
