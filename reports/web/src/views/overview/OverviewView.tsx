// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The page to open when perfcheck is red: what became slower, since which commit, with what certainty, and what else
// changed.

import type { JSX } from "preact";
import { CommitLink, Section, StateMark, Verdict, type ViewProps } from "../../components/basics";
import type { Device, ManifestDevice, Run } from "../../data/contract";
import { commitOf, environmentOf, lastRunIndex, passLimits } from "../../data/model";
import { orderedCounts, runState } from "../../data/verdicts";
import { ago, date, duration, plural, share, shortCommit } from "../../format";
import { href } from "../../state/router";
import { Conditions } from "./Conditions";
import { Crept } from "./Crept";
import { HeatMap } from "./HeatMap";
import { RecentChanges } from "./RecentChanges";
import { WhatChanged } from "./WhatChanged";

/** If a history has had no run for this long, its runner has probably died. */
const staleAfterDays = 3;

function Freshness({ started }: { started: string }): JSX.Element | null {
  const days = (Date.now() - Date.parse(started)) / 86400e3;
  if (!(days > staleAfterDays)) return null;
  return (
    <p class="message warn">
      The last run is {ago(started, Date.now())}: newer commits are not covered. Is the runner alive?
    </p>
  );
}

function DeviceCard({ entry, current }: { entry: ManifestDevice; current: boolean }): JSX.Element {
  const last = entry.last_run;
  return (
    <li>
      <a class="card" href={href("overview", { d: entry.key })} aria-current={current ? "true" : undefined} data-row>
        <span class="card-name">{entry.name}</span>
        <span class="card-state"><StateMark state={runState(last?.exit_code)} /></span>
        <span class="quiet">
          {entry.operation} · {plural(entry.cases, "case")} · {plural(entry.runs, "run")}
          {last ? <> · last {ago(last.started, Date.now())}{last.commit ? ` at ${shortCommit(last.commit)}` : ""}</> : null}
        </span>
      </a>
    </li>
  );
}

/** The slowdowns that the passes exclude: in half of them, in nine of ten, and in all. */
function Passes({ device }: { device: Device }): JSX.Element | null {
  const limits = passLimits(device);
  if (limits.length === 0) return null;
  const at = (part: number): string => share(limits[Math.ceil(part * limits.length) - 1], 2);
  return (
    <p class="quiet">
      {limits.length === 1 ? `The pass says: no slowdown above ${at(1)} (95 %).`
        : `The passes say: no slowdown above ${at(0.5)} in half of them, ${at(0.9)} in nine of ten, ${at(1)} in any (95 % each).`}
    </p>
  );
}

function Headline({ device, run }: { device: Device; run: Run }): JSX.Element {
  const state = runState(run.exit_code);
  const commit = commitOf(device, run);
  return (
    <section class={`headline tone-${state.tone}`} aria-labelledby="headline">
      <div class="headline-main">
        <h2 id="headline">
          <span class="glyph" aria-hidden="true">{state.glyph}</span>
          {state.word}
          <span class="headline-device">{device.name} <span class="quiet">{device.operation}</span></span>
        </h2>
        <p class="headline-meaning">{state.meaning}</p>
        <ul class="counts" aria-label="Cases of the last run by verdict">
          {orderedCounts(run.counts).map(([name, count]) => <li key={name}><Verdict name={name} count={count} /></li>)}
        </ul>
        <Passes device={device} />
      </div>
      <dl class="facts">
        <div><dt>last run</dt><dd>{date(run.started)} <span class="quiet">{ago(run.started, Date.now())}</span></dd></div>
        <div>
          <dt>commit</dt>
          <dd><CommitLink device={device} run={run} /> <span class="clip" title={commit?.subject}>{commit?.subject}</span></dd>
        </div>
        {commit?.author ? <div><dt>author</dt><dd class="clip">{commit.author}</dd></div> : null}
        <div>
          <dt>suite</dt>
          <dd>
            {run.suite || "none"}{run.filters && run.filters.length > 0 ? `, only ${run.filters.join(", ")}` : ""}
            <span class="quiet"> {plural(run.sessions ?? 0, "session")} in {duration(run.seconds)}</span>
          </dd>
        </div>
        {run.origin ? <div><dt>origin</dt><dd>{run.origin}</dd></div> : null}
      </dl>
    </section>
  );
}

export function OverviewView({ store, device, route }: ViewProps): JSX.Element {
  const run = device.runs[lastRunIndex(device)];
  const { devices } = store.manifest;
  if (!run) return <p class="message note">No run of {device.name} is in the history.</p>;
  return (
    <div class="overview">
      {devices.length > 1 ? (
        <ul class="cards" aria-label="Devices">
          {devices.map((entry) => <DeviceCard key={entry.key} entry={entry} current={entry.key === device.key} />)}
        </ul>
      ) : null}
      <Headline device={device} run={run} />
      <Freshness started={run.started} />
      {(run.notes ?? []).map((note) => <p key={note} class="message note">{note}</p>)}
      <Crept device={device} />
      <WhatChanged device={device} />
      <RecentChanges device={device} />
      <HeatMap device={device} route={route} />
      <Section id="environment" title="Environment">
        <Conditions device={device} run={run} environment={environmentOf(device, run)} />
      </Section>
    </div>
  );
}
