// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Functions on a device that several views use.

import type { Axis, Case, Change, Commit, Device, Environment, Manifest, ManifestDevice, Problem, Run } from "./contract";
import type { Columns } from "./decode";
import type { MetricKey } from "../format";

const indexes = new WeakMap<Device, Map<string, Case>>();

export function caseById(device: Device, id: string | undefined): Case | undefined {
  if (id === undefined) return undefined;
  let index = indexes.get(device);
  if (!index) {
    index = new Map(device.cases.map((one) => [one.id, one]));
    indexes.set(device, index);
  }
  return index.get(id);
}

export function kernelId(device: Device, one: Case): string {
  return device.kernels[one.kernel]?.id ?? one.id.split("@")[0] ?? one.id;
}

export function problemOf(device: Device, one: Case): Problem | undefined {
  return device.problems[one.problem];
}

/** The data types, by which problems are grouped; empty where the operation names none. */
export function typesOf(problem: Problem | undefined): string {
  return String(problem?.axes?.find((axis) => axis.name === "types")?.value ?? "");
}

/** Sizes are numbers with a name of one letter: m, n and k. */
function isSize(axis: Axis): boolean {
  return typeof axis.value === "number" && axis.name.length === 1;
}

function sizesOf(problem: Problem | undefined): number[] {
  return (problem?.axes ?? []).filter(isSize).map((axis) => Number(axis.value));
}

/** N of a problem whose sizes are all N; undefined for other problems. */
export function squareSize(problem: Problem | undefined): number | undefined {
  const sizes = sizesOf(problem);
  return sizes.length > 1 && sizes.every((size) => size === sizes[0]) ? sizes[0] : undefined;
}

function axisText(axis: Axis): string {
  return typeof axis.value === "number" ? `${axis.name}${axis.value}` : axis.value;
}

function textOf(problem: Problem | undefined, matters: (axis: Axis) => boolean): string {
  return problem?.axes ? problem.axes.filter(matters).map(axisText).join(",") : (problem?.text ?? "");
}

/** The problem without its types: the part that is the same for all kinds of arithmetic. */
export function shapeOf(problem: Problem | undefined): string {
  return textOf(problem, (axis) => axis.name !== "types");
}

/**
 * What problems must have in common to form one curve over their sizes. Leading dimensions are left out, since they
 * follow the sizes.
 */
export function familyOf(problem: Problem | undefined): string {
  return textOf(problem, (axis) => !isSize(axis) && !/^ld[a-z]$/.test(axis.name));
}

/** A shape in short: sizes of 4096 each with layout nn are 4096\u00b3 nn, other sizes are written m \u00d7 n \u00d7 k. */
export function shapeLabel(problem: Problem | undefined): string {
  if (!problem?.axes) return problem?.text ?? "";
  const sizes = sizesOf(problem);
  const square = squareSize(problem);
  const power = ["\u00b2", "\u00b3"][sizes.length - 2];
  const label = square !== undefined && power !== undefined ? `${square}${power}` : sizes.join("\u00d7");
  const rest = problem.axes.filter((axis) => axis.name !== "types" && !isSize(axis)).map(axisText);
  return [label, ...rest].filter((part) => part !== "").join(" ");
}

export function lastRunIndex(device: Device): number {
  return device.runs.length - 1;
}

/** Reason codes of passes that a witness other than the deciding one gave; the history does not keep its limits. */
const decidedByOthers = new Set(["reference_moved", "clock_moved"]);

/** The slowdowns that the last run's passes exclude: none is larger than these shares (95 % each). Smallest first. */
export function passLimits(device: Device): number[] {
  const last = lastRunIndex(device);
  return device.cases
    .flatMap(({ latest }) => latest?.run === last && latest.verdict === "pass" && latest.high !== undefined
      && !decidedByOthers.has(latest.reason_code ?? "") ? [latest.high] : [])
    .sort((a, b) => a - b);
}

export function commitOf(device: Device, run: Run | undefined): Commit | undefined {
  return run && run.commit >= 0 ? device.commits[run.commit] : undefined;
}

export function environmentOf(device: Device, run: Run | undefined): Environment | undefined {
  return run && device.environments[run.environment];
}

/**
 * The address of a commit's page. Only http and https, so that a repository's text cannot become another kind of link.
 */
export function commitAddress(device: Device, commit: Commit | undefined): string | undefined {
  const repository = device.repository ?? "";
  if (!commit || !/^https?:\/\//i.test(repository) || !/^[0-9a-f]{7,64}$/i.test(commit.id)) return undefined;
  return `${repository.replace(/\/+$/, "")}/commit/${commit.id}`;
}

const environmentNames: readonly (readonly [keyof Environment, string])[] = [
  ["driver", "driver"], ["cuda_driver", "CUDA of the driver"], ["cuda_runtime", "CUDA runtime"],
  ["cuda_toolkit", "CUDA toolkit"], ["compiler", "compiler"], ["power_limit_w", "power limit"],
  ["persistence_mode", "persistence mode"], ["ecc", "ECC"], ["mig", "MIG"], ["compute_mode", "compute mode"],
  ["tool_version", "perfcheck"], ["host", "host"], ["os", "system"], ["cpu", "CPU"],
];

function fieldText(environment: Environment, key: keyof Environment): string {
  const value = environment[key];
  if (value === undefined) return "";
  return key === "power_limit_w" ? `${String(value)}\u00a0W` : String(value);
}

/** Name and text of everything that is known about an environment, except its warnings. */
export function environmentFields(environment: Environment): [string, string][] {
  const fields: [string, string][] = Object.entries(environment.libraries ?? {}).map(([name, version]) => [name, version]);
  for (const [key, name] of environmentNames) {
    const text = fieldText(environment, key);
    if (text !== "") fields.push([name, text]);
  }
  return fields;
}

export interface EnvironmentChange {
  name: string;
  before: string;
  after: string;
}

/** What differs between two environments. As in the gate, a field that only one of them has is no difference. */
export function environmentChanges(before: Environment | undefined, after: Environment | undefined): EnvironmentChange[] {
  if (!before || !after || before === after) return [];
  const old = new Map(environmentFields(before));
  const changes: EnvironmentChange[] = [];
  for (const [name, text] of environmentFields(after)) {
    const was = old.get(name);
    if (was !== undefined && was !== text) changes.push({ name, before: was, after: text });
  }
  return changes;
}

/** The name of a device, with its operation where the report has several operations of the device. */
export function deviceLabel(manifest: Manifest, entry: ManifestDevice): string {
  const several = manifest.devices.some((other) => other !== entry && other.name === entry.name);
  return several ? `${entry.name}, ${entry.operation}` : entry.name;
}

/** The first group of "GPU-5f21059c-8644-...", which is enough to tell the cards of a fleet apart. */
function shortCard(card: string): string {
  return /^(GPU-|MIG-)?[0-9a-f]{8}-/.test(card) ? card.slice(0, card.indexOf("-", 4)) : card;
}

/** A change to another card of the same model; undefined if both cards are the same or one is unknown. */
export function cardChange(before: Run | undefined, after: Run | undefined): EnvironmentChange | undefined {
  if (!before?.card || !after?.card || before.card === after.card) return undefined;
  return { name: "card", before: shortCard(before.card), after: shortCard(after.card) };
}

/** Changes of the environment from the previous run to this one; another card of the model counts. */
export function environmentChangesAt(device: Device, run: number): EnvironmentChange[] {
  const now = device.runs[run];
  const before = device.runs[run - 1];
  if (!now || !before) return [];
  const changes = environmentChanges(environmentOf(device, before), environmentOf(device, now));
  const card = cardChange(before, now);
  if (card) changes.push(card);
  return changes;
}

/** The columns of a metric in a series. TFLOP/s are computed from time and the problem's work. */
export function metricColumns(
  metric: MetricKey, columns: Columns, flop: number | undefined,
): { values: Float64Array; halfWidths: Float64Array | undefined } {
  const column = (name: string): Float64Array => columns.columns.get(name) ?? new Float64Array(0);
  switch (metric) {
    case "ratio":
      return { values: column("ratio"), halfWidths: columns.columns.get("ratio_hw") };
    case "cycles":
      return { values: column("cycles"), halfWidths: columns.columns.get("cycles_hw") };
    case "clock":
      return { values: column("clock_mhz"), halfWidths: undefined };
    case "time":
      return { values: column("time_ns"), halfWidths: columns.columns.get("time_hw") };
    case "tflops": {
      const work = flop ?? NaN;
      // FLOP per nanosecond is 1e9 FLOP/s.
      return { values: column("time_ns").map((ns) => work / ns / 1e3), halfWidths: columns.columns.get("time_hw") };
    }
  }
}

/** Whether a change of the metric by this much (a share) makes the case slower. */
export function isWorse(metric: string, size: number): boolean {
  return metric === "tflops" || metric === "clock" ? size < 0 : size > 0;
}

/** The metric under which the history keeps the changes and the scatter of the metric that is shown. */
export function changeMetric(metric: MetricKey): string {
  return metric === "tflops" ? "time" : metric;
}

/** Changes of the metric that the case is judged by; changes of other metrics would mostly repeat them. */
export function mainChanges(one: Case): Change[] {
  return one.changes.filter((change) => change.metric === one.metric);
}

/** The time on a date axis: of the commit, or of the run where the commit is not known; in seconds. */
export function dateOfRun(device: Device, run: Run): number {
  const committed = Date.parse(commitOf(device, run)?.committed ?? "");
  const milliseconds = Number.isFinite(committed) ? committed : Date.parse(run.started);
  return milliseconds / 1000;
}
