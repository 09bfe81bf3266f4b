// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The rows of a comparison. A site takes them from blocks of runs, a single page from the cases' series.

import type { Attributes, Case, Device } from "../../data/contract";
import type { Columns } from "../../data/decode";
import { changeMetric, isWorse, metricColumns, problemOf } from "../../data/model";
import type { Store } from "../../data/store";
import { isFailure } from "../../data/verdicts";
import type { MetricKey } from "../../format";
import { difference, type Difference } from "../../stats";

/** The number of runs in a block of a site. */
const blockSize = 64;
/** At this level, one of a thousand equal cases is called significant. */
const significantBelow = 0.001;
/** The allowed difference of a case whose baseline names no margin. */
const defaultMargin = 0.005;

export interface CompareRow {
  one: Case;
  before: number;
  after: number;
  statusBefore: string;
  statusAfter: string;
  difference?: Difference;
  /** Only one of the runs has a number, though both should. */
  oneSided: boolean;
  worse: boolean;
  also: string;
}

export function blockKeys(store: Store, device: Device, a: number, b: number): string[] {
  if (!store.manifest.site) return device.cases.map((one) => one.chunk);
  const chunk = store.chunkOfDevice(device.key);
  return [...new Set([a, b].filter((run) => run >= 0).map((run) => `${chunk}r${Math.floor(run / blockSize)}`))];
}

interface Reading {
  value: number;
  half: number;
  status: string;
  attributes?: Attributes | undefined;
}

const nothingRead: Reading = { value: NaN, half: NaN, status: "" };

function readAt(columns: Columns, place: number, metric: MetricKey, flop: number | undefined): Reading {
  if (place < 0) return nothingRead;
  const { values, halfWidths } = metricColumns(metric, columns, flop);
  const attributes = columns.columns.get("attributes")?.[place];
  return {
    value: values[place] ?? NaN,
    half: halfWidths?.[place] ?? NaN,
    status: columns.tables.status[columns.columns.get("status")?.[place] ?? 0] ?? "",
    attributes: (attributes === undefined ? undefined : columns.tables.attributes[attributes]) ?? undefined,
  };
}

function reader(store: Store, device: Device, metric: MetricKey): (one: Case, index: number, run: number) => Reading {
  if (store.manifest.site) {
    const chunk = store.chunkOfDevice(device.key);
    return (one, index, run) => {
      const block = Math.floor(run / blockSize);
      const columns = store.columns(`${chunk}r${block}`).value;
      const runs = Math.min(blockSize, device.runs.length - block * blockSize);
      return columns ? readAt(columns, index * runs + (run - block * blockSize), metric, problemOf(device, one)?.flop) : nothingRead;
    };
  }
  return (one, _, run) => {
    const columns = store.columns(one.chunk).value;
    const runs = columns?.columns.get("run");
    return columns && runs ? readAt(columns, runs.indexOf(run), metric, problemOf(device, one)?.flop) : nothingRead;
  };
}

/** The differences between the launches of two runs, each as a short text. */
export function attributeChanges(before: Attributes | undefined, after: Attributes | undefined): string[] {
  if (!before || !after) return [];
  const changes: string[] = [];
  const old = before.launches ?? [];
  const now = after.launches ?? [];
  if (old.length !== now.length) changes.push(`launches ${old.length} \u2192 ${now.length}`);
  now.forEach((launch, i) => {
    const was = old[i];
    if (!was) return;
    const where = now.length > 1 ? ` in launch ${i + 1}` : "";
    const compare = (name: string, a: string | number, b: string | number): void => {
      if (a !== b) changes.push(`${name} ${a} \u2192 ${b}${where}`);
    };
    compare("function", was.function, launch.function);
    compare("grid", was.grid.join("\u00d7"), launch.grid.join("\u00d7"));
    compare("block", was.block.join("\u00d7"), launch.block.join("\u00d7"));
    compare("registers", was.registers, launch.registers);
    compare("shared memory", was.shared_bytes, launch.shared_bytes);
    compare("local memory", was.local_bytes, launch.local_bytes);
    compare("occupancy", `${Math.round(was.occupancy * 1000) / 10} %`, `${Math.round(launch.occupancy * 1000) / 10} %`);
  });
  if (before.machine_code && after.machine_code && before.machine_code !== after.machine_code) changes.push("machine code changed");
  return changes;
}

export function isSignificant(row: CompareRow): boolean {
  const found = row.difference;
  if (!found) return false;
  const enough = Math.abs(found.change) >= (row.one.baseline?.margin ?? defaultMargin);
  // Without intervals, as for clocks, only the size of the change can be judged.
  return enough && (Number.isNaN(found.p) || found.p < significantBelow);
}

export function compareRows(store: Store, device: Device, a: number, b: number, metric: MetricKey): CompareRow[] {
  const read = reader(store, device, metric);
  const rows: CompareRow[] = [];
  const scope = (run: number): string => `${device.runs[run]?.suite ?? ""} ${(device.runs[run]?.filters ?? []).join(" ")}`;
  // A case that one run left out because its suite or filters differ is not worth a row; a case that broke is.
  const sameScope = scope(a) === scope(b);
  device.cases.forEach((one, index) => {
    const before = read(one, index, a);
    const after = read(one, index, b);
    const known = Number.isFinite(before.value) && Number.isFinite(after.value);
    if (before.status === "" && after.status === "") return;
    const found = known ? difference(before.value, after.value, before.half, after.half, one.scatter?.[changeMetric(metric)]) : undefined;
    // Both runs measured the case, but it does not have this metric: there is nothing to compare.
    const measured = before.status === "measured" && after.status === "measured";
    if (!found && measured) return;
    rows.push({
      one, before: before.value, after: after.value, statusBefore: before.status, statusAfter: after.status,
      ...(found ? { difference: found } : {}), oneSided: !known && before.status !== after.status && (sameScope || isFailure(before.status) || isFailure(after.status)),
      worse: found !== undefined && isWorse(metric, found.change),
      also: attributeChanges(before.attributes, after.attributes).join(", "),
    });
  });
  const weight = (row: CompareRow): number => (row.oneSided ? Infinity : row.difference?.errors || Math.abs(row.difference?.change ?? 0));
  return rows.sort((x, y) => Number(isSignificant(y)) - Number(isSignificant(x)) || weight(y) - weight(x) || (x.one.id < y.one.id ? -1 : 1));
}
