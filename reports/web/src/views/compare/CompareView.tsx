// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Two runs of a device, case by case, the most significant difference first.

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { ChunkMessage, CommitLink, Missing, Section, Switch, type ViewProps } from "../../components/basics";
import { Combobox, type ComboItem } from "../../components/Combobox";
import type { Device } from "../../data/contract";
import { cardChange, environmentChanges, environmentOf } from "../../data/model";
import { useResources } from "../../data/store";
import { change as changeText, date, metricKeys, metrics, plural, shortCommit, type MetricKey } from "../../format";
import { changed, choice, go, param, type Route } from "../../state/router";
import { CompareTable } from "./CompareTable";
import { blockKeys, compareRows, isSignificant, type CompareRow } from "./rows";

function runLabel(device: Device, index: number): string {
  const run = device.runs[index];
  if (!run) return "";
  const commit = device.commits[run.commit];
  return `${shortCommit(commit?.id)}${run.dirty ? "+" : ""} \u00b7 ${date(run.started)}`;
}

function RunBox({ device, route, name, index, label }: {
  device: Device; route: Route; name: "a" | "b"; index: number; label: string;
}): JSX.Element {
  const items = useMemo(() => {
    let made: ComboItem[] | undefined;
    return (): ComboItem[] => (made ??= device.runs.map((run, i) => {
      const commit = device.commits[run.commit];
      return {
        key: run.id, kind: date(run.started), text: `${commit?.id ?? ""} ${commit?.subject ?? ""} ${commit?.author ?? ""} ${run.id} ${run.started} ${i + 1}`,
        label: <><code>{shortCommit(commit?.id)}</code> {commit?.subject}</>,
      };
    }).reverse());
  }, [device]);
  const run = device.runs[index];
  const commit = run && device.commits[run.commit];
  return (
    <div class="run-box">
      <Combobox label={label} items={items} shown={runLabel(device, index)} placeholder="commit, subject, author, date" onPick={(key) => go(changed(route, { [name]: key }))} />
      <p class="clip">{run ? <CommitLink device={device} run={run} /> : null} <span class="subject">{commit?.subject}</span> <span class="quiet">{commit?.author}</span></p>
    </div>
  );
}

/** The runs that the address names; by default the last run, and the latest before it that had the same suite. */
function chosenRuns(device: Device, route: Route): [number, number] {
  const at = (name: string): number => device.runs.findIndex((run) => run.id === param(route, name));
  const last = device.runs.length - 1;
  const b = at("b") >= 0 ? at("b") : last;
  const suite = device.runs[b]?.suite;
  let before = b - 1;
  for (let i = b - 1; i >= 0 && i > b - 20; i--) {
    if (device.runs[i]?.suite !== suite) continue;
    before = i;
    break;
  }
  const a = at("a") >= 0 ? at("a") : Math.max(0, before);
  return [a, b];
}

function Between({ device, a, b }: { device: Device; a: number; b: number }): JSX.Element {
  const before = device.runs[a];
  const after = device.runs[b];
  const changes = environmentChanges(environmentOf(device, before), environmentOf(device, after));
  const card = cardChange(before, after);
  if (card) changes.push(card);
  const commits = new Set<number>();
  for (let i = Math.min(a, b) + 1; i <= Math.max(a, b); i++) {
    const commit = device.runs[i]?.commit ?? -1;
    if (commit >= 0 && commit !== device.runs[Math.min(a, b)]?.commit) commits.add(commit);
  }
  const list = [...commits].reverse();
  return (
    <div class="between">
      <div>
        <h3>Environment</h3>
        {changes.length === 0 ? <p class="quiet">Nothing recorded differs.</p> : (
          <ul class="also">{changes.map((one) => <li key={one.name}>{one.name}: {one.before} → <b>{one.after}</b></li>)}</ul>
        )}
      </div>
      <div>
        <h3>Commits between</h3>
        {list.length === 0 ? <p class="quiet">None: both runs are of one commit.</p> : (
          <ul class="commit-list">
            {list.slice(0, 8).map((index) => (
              <li key={index}><CommitLink device={device} commit={device.commits[index]} /> <span class="subject">{device.commits[index]?.subject}</span>{" "}
                <span class="quiet">{device.commits[index]?.author}</span></li>
            ))}
            {list.length > 8 ? <li class="quiet">and {list.length - 8} more</li> : null}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The mean change of all cases that have one. It is the geometric mean, because changes are factors. */
function overall(rows: readonly CompareRow[]): number | undefined {
  const logs = rows.flatMap((row) => (row.difference ? [Math.log1p(row.difference.change)] : []));
  return logs.length === 0 ? undefined : Math.expm1(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

function Rows({ device, rows, metric, route }: { device: Device; rows: CompareRow[]; metric: MetricKey; route: Route }): JSX.Element {
  const [typed, setTyped] = useState(param(route, "q") ?? "");
  const significantOnly = param(route, "all") === undefined;
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const named = rows.filter((row) => words.every((word) => row.one.id.toLowerCase().includes(word)));
  const shown = significantOnly ? named.filter((row) => isSignificant(row) || row.oneSided) : named;
  const mean = overall(named);
  return (
    <>
      <div class="controls">
        <label class="field"><span class="field-label">Filter</span>
          <input type="search" value={typed} placeholder="words of the case's id" onInput={(event) => {
            setTyped(event.currentTarget.value);
            go(changed(route, { q: event.currentTarget.value }), "replace");
          }} /></label>
        <label class="check"><input type="checkbox" checked={significantOnly} onChange={() => go(changed(route, { all: significantOnly ? "1" : undefined }))} />
          only significant</label>
        <p class="quiet result-count" role="status">{shown.length} of {plural(rows.length, "case")}{mean === undefined ? "" : `; all together ${changeText(mean)}`}</p>
      </div>
      {shown.length === 0 ? (
        <p class="all-quiet">{rows.length === 0 ? "Neither run has a case." : significantOnly && named.length > 0
          ? <>No significant difference in {metrics[metric].name}. <a href={changed(route, { all: "1" })}>Show all {named.length}</a></> : "No case matches the filter."}</p>
      ) : <CompareTable device={device} rows={shown} metric={metric} />}
      <p class="quiet note-text">
        Significant: a chance of less than 0.1 % between equal cases, and more than the case may differ. Counted as error is what the
        runs' own intervals say, or how much runs of the case differ in this history without a change of level, whichever is more. A
        single pair of runs is a hint; the gate's verdict is the judgement.
      </p>
    </>
  );
}

export function CompareView({ store, device, route }: ViewProps): JSX.Element {
  const metric = choice(route, "m", metricKeys);
  const [a, b] = chosenRuns(device, route);
  const keys = blockKeys(store, device, a, b);
  const resources = keys.map((key) => store.columns(key));
  useResources(resources);
  const waiting = resources.some(({ value, error }) => value === undefined && error === undefined);
  const errors = resources.flatMap(({ error }) => (error ? [error] : []));
  const rows = useMemo(() => (waiting ? [] : compareRows(store, device, a, b, metric)), [waiting, device, a, b, metric]);
  if (device.runs.length === 0) return <Missing why="no run is in the history" />;
  return (
    <div class="compare">
      <div class="run-boxes">
        <RunBox device={device} route={route} name="a" index={a} label="Before" />
        <a class="button swap" href={changed(route, { a: device.runs[b]?.id, b: device.runs[a]?.id })} aria-label="Swap the runs" title="Swap">⇄</a>
        <RunBox device={device} route={route} name="b" index={b} label="After" />
      </div>
      <Section id="differences" title="Differences" aside={<Switch label="Metric" value={metric} link={(value) => changed(route, { m: value })}
        options={metricKeys.map((key) => ({ value: key, label: key === "tflops" ? "TFLOP/s" : key, title: metrics[key].name }))} />}>
        {errors.slice(0, 3).map((error) => <ChunkMessage key={error.key} error={error} what="Part of the comparison" />)}
        {waiting ? <p class="quiet pending" aria-busy="true">Reading the runs ...</p> : <Rows device={device} rows={rows} metric={metric} route={route} />}
      </Section>
      <Section id="between" title="What else changed"><Between device={device} a={a} b={b} /></Section>
    </div>
  );
}
