// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The device and environment of the last run, and how they differ from the run before.

import type { JSX } from "preact";
import { Missing } from "../../components/basics";
import type { Device, Environment, Run } from "../../data/contract";
import { environmentChangesAt, environmentFields, lastRunIndex } from "../../data/model";
import { bytes, withUnit } from "../../format";
import { median } from "../../stats";

function cardFields(device: Device, run: Run): [string, string][] {
  const fields: [string, string][] = [];
  const put = (name: string, text: string | undefined): void => {
    if (text !== undefined && text !== "" && text !== "\u2014") fields.push([name, text]);
  };
  put("card", run.card);
  put("compute capability", device.compute_capability);
  put("multiprocessors", device.multiprocessors === undefined ? undefined : String(device.multiprocessors));
  put("memory", bytes(device.memory_bytes));
  put("last-level cache", bytes(device.cache_bytes));
  put("highest clock", device.max_clock_mhz ? withUnit(device.max_clock_mhz, "MHz", 4) : undefined);
  const clocks = device.cases.flatMap(({ latest }) => (latest?.clock_mhz === undefined ? [] : [latest.clock_mhz]));
  if (clocks.length > 0) put("clock while measuring", `${withUnit(median(clocks), "MHz", 4)} (median of cases)`);
  put("memory bandwidth", withUnit(device.peak_gb_s, "GB/s", 4));
  put("cache bandwidth", withUnit(device.peak_cache_gb_s, "GB/s", 4));
  put("empty launch", withUnit(device.empty_launch_ns, "ns", 3));
  for (const [name, peak] of Object.entries(device.peak_tflops ?? {})) put(`peak ${name}`, withUnit(peak, "TFLOP/s", 3));
  return fields;
}

function Pairs({ fields, changed }: { fields: readonly (readonly [string, string])[]; changed: ReadonlySet<string> }): JSX.Element {
  return (
    <dl class="pairs">
      {fields.map(([name, text]) => (
        <div key={name} class={changed.has(name) ? "is-changed" : undefined}><dt>{name}</dt><dd>{text}</dd></div>
      ))}
    </dl>
  );
}

export function Conditions({ device, run, environment }: {
  device: Device; run: Run; environment: Environment | undefined;
}): JSX.Element {
  const changes = environmentChangesAt(device, lastRunIndex(device));
  const names = new Set(changes.map((change) => change.name));
  return (
    <>
      {changes.length === 0 ? <p class="quiet">Nothing of it changed since the run before.</p> : (
        <div class="message warn">
          <strong>Changed since the run before:</strong>
          <ul>{changes.map((one) => <li key={one.name}>{one.name}: {one.before} → <b>{one.after}</b></li>)}</ul>
        </div>
      )}
      <div class="columns">
        <div><h3>Software</h3>{environment
          ? <Pairs fields={environmentFields(environment)} changed={names} /> : <Missing why="not recorded" />}</div>
        <div><h3>Device</h3><Pairs fields={cardFields(device, run)} changed={names} /></div>
        {environment?.warnings && environment.warnings.length > 0 ? (
          <div><h3>Warnings</h3><ul class="warnings">{environment.warnings.map((text) => <li key={text}>{text}</li>)}</ul></div>
        ) : null}
      </div>
    </>
  );
}
