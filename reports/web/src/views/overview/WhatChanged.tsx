// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Every case that needs attention: broken ones, regressions, improvements, undecided ones; the worst first.

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { CaseName, CommitLink, Missing, Section, Verdict } from "../../components/basics";
import { IntervalBar, Spark } from "../../charts/parts";
import type { Case, Change, Device, Latest } from "../../data/contract";
import { kernelId, lastRunIndex, mainChanges, problemOf, shapeLabel } from "../../data/model";
import { stateOf, stateOrder } from "../../data/verdicts";
import { change as changeText, interval, plural, share } from "../../format";
import { href } from "../../state/router";

const shownFirst = 12;
const quietTones = new Set(["fine", "none"]);

type Row = { one: Case; latest: Latest };

function attentionRows(device: Device): Row[] {
  const rows: Row[] = [];
  for (const one of device.cases) {
    const { latest } = one;
    if (latest && !quietTones.has(stateOf(latest.verdict ?? latest.status).tone)) rows.push({ one, latest });
  }
  const place = ({ latest }: Row): number => stateOrder.indexOf(latest.verdict ?? latest.status);
  return rows.sort((a, b) => place(a) - place(b) || Math.abs(b.latest.change ?? 0) - Math.abs(a.latest.change ?? 0));
}

/** The change point that brought a case to its present level: the newest one in the direction of its verdict. */
function originOf(one: Case, latest: Latest): Change | undefined {
  const sign = Math.sign(latest.change ?? 0);
  return mainChanges(one)
    .filter((point) => !point.went_away && Math.sign(point.size) === sign && point.run <= latest.run)
    .sort((a, b) => b.run - a.run)[0];
}

function Since({ device, one, latest }: Row & { device: Device }): JSX.Element | null {
  const { verdict } = latest;
  if (verdict !== "regressed" && verdict !== "improved") return null;
  const origin = originOf(one, latest);
  const run = device.runs[origin?.run ?? latest.run];
  if (!run) return null;
  const commit = device.commits[run.commit];
  return (
    <p class="since">
      {origin ? "since" : "first seen at"} <CommitLink device={device} run={run} />{" "}
      <span class="subject">{commit?.subject}</span> <span class="quiet">{commit?.author}</span>
    </p>
  );
}

function ChangeCell({ latest, reach }: { latest: Latest; reach: number }): JSX.Element {
  if (latest.change === undefined) return <Missing why={latest.message ?? latest.reason ?? "nothing to compare with"} />;
  return (
    <div class="change-cell">
      <span class={`number ${latest.change > 0 ? "slower" : "faster"}`}>{changeText(latest.change)}</span>
      <IntervalBar change={latest.change} low={latest.low ?? NaN} high={latest.high ?? NaN} reach={reach} margin={latest.margin}
        worse={latest.change > 0} width={132} />
      <span class="quiet range">{interval(latest.low, latest.high)}</span>
    </div>
  );
}

function Reason({ latest }: { latest: Latest }): JSX.Element {
  const state = stateOf(latest.verdict ?? latest.status);
  return (
    <p class="reason">
      {latest.message ?? latest.reason}
      {latest.also_changed ? <span class="also"> {latest.also_changed}</span> : null}
      {latest.detectable === undefined || state.tone === "worse" ? null
        : <span class="quiet"> Sees slowdowns from {share(latest.detectable, 2)} on.</span>}
    </p>
  );
}

function Age({ device, latest }: { device: Device; latest: Latest }): JSX.Element | null {
  const age = lastRunIndex(device) - latest.run;
  return age > 0 ? <span class="tag" title="It did not appear in later runs">{plural(age, "run")} ago</span> : null;
}

function Item({ device, one, latest, reach }: Row & { device: Device; reach: number }): JSX.Element {
  return (
    <li class="attention">
      <div class="attention-state"><Verdict name={latest.verdict ?? latest.status} /></div>
      <div class="attention-case">
        <a href={href("case", { d: device.key, c: one.id })} data-row><CaseName id={one.id} /></a>
        <Age device={device} latest={latest} />
        <Since device={device} one={one} latest={latest} />
        <Reason latest={latest} />
      </div>
      <ChangeCell latest={latest} reach={reach} />
      <TrendLink device={device} one={one} latest={latest} />
    </li>
  );
}

function TrendLink({ device, one, latest }: Row & { device: Device }): JSX.Element {
  return (
    <a class="attention-trend" href={href("trend", { d: device.key, c: one.id, m: one.metric })} aria-label={`Trend of ${one.id}`} title="Trend">
      <Spark values={one.spark} tone={stateOf(latest.verdict ?? latest.status).tone} />
    </a>
  );
}

/** Cases of one kernel with the same verdict. Only the worst is shown until the reader unfolds the others. */
function Group({ device, rows, reach }: { device: Device; rows: Row[]; reach: number }): JSX.Element | null {
  const [open, setOpen] = useState(false);
  const [worst] = rows;
  if (!worst) return null;
  const { one, latest } = worst;
  const kernel = kernelId(device, one);
  const changes = rows.flatMap((row) => (row.latest.change === undefined ? [] : [row.latest.change]));
  const shapes = rows.slice(0, 3).map((row) => shapeLabel(problemOf(device, row.one))).join(", ");
  return (
    <>
      <li class="attention">
        <div class="attention-state"><Verdict name={latest.verdict ?? latest.status} /></div>
        <div class="attention-case">
          <a href={href("trend", { d: device.key, c: rows.slice(0, 6).map((row) => row.one.id), m: one.metric })} data-row><b>{kernel}</b></a>{" "}
          <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {plural(rows.length, "case")} <span aria-hidden="true">{open ? "\u25be" : "\u25b8"}</span>
          </button>{" "}
          <span class="quiet">{shapes}{rows.length > 3 ? " ..." : ""}</span>
          <Since device={device} one={one} latest={latest} />
          <Reason latest={latest} />
        </div>
        {changes.length > 1
          ? <GroupChange changes={changes} latest={latest} reach={reach} /> : <ChangeCell latest={latest} reach={reach} />}
        <TrendLink device={device} one={one} latest={latest} />
      </li>
      {open ? rows.map((row) => <Item key={row.one.id} device={device} reach={reach} {...row} />) : null}
    </>
  );
}

function GroupChange({ changes, latest, reach }: { changes: number[]; latest: Latest; reach: number }): JSX.Element {
  const low = Math.min(...changes);
  const high = Math.max(...changes);
  const worst = latest.change ?? 0;
  return (
    <div class="change-cell">
      <span class={`number ${worst > 0 ? "slower" : "faster"}`}>{changeText(worst)}</span>
      <IntervalBar change={worst} low={low} high={high} reach={reach} margin={latest.margin} worse={worst > 0} width={132} />
      <span class="quiet range" title="least and largest change of the cases">{interval(low, high)}</span>
    </div>
  );
}

/** Groups consecutive rows of one kernel and verdict; groups are in the order of their worst row. */
function grouped(device: Device, rows: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.latest.verdict ?? row.latest.status} ${kernelId(device, row.one)}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

export function WhatChanged({ device }: { device: Device }): JSX.Element {
  const [all, setAll] = useState(false);
  const rows = useMemo(() => attentionRows(device), [device]);
  const groups = useMemo(() => grouped(device, rows), [device, rows]);
  const shown = all ? groups : groups.slice(0, shownFirst);
  const reach = Math.max(0.01, ...shown.flat().map(({ latest }) => Math.min(0.2, Math.abs(latest.change ?? 0) * 1.25)));
  return (
    <Section id="what-changed" title="What changed"
      aside={rows.length === 0 ? undefined : <span class="quiet">against the accepted baseline; slower to the right, grey is allowed</span>}>
      {rows.length === 0 ? (
        <p class="all-quiet">Nothing: every case that was measured last is within what is allowed.</p>
      ) : (
        <ul class="attention-list">
          {shown.map((group) => {
            const [first] = group;
            if (!first) return null;
            return group.length > 2 ? <Group key={first.one.id} device={device} rows={group} reach={reach} />
              : group.map((row) => <Item key={row.one.id} device={device} reach={reach} {...row} />);
          })}
        </ul>
      )}
      {groups.length > shown.length ? (
        <button type="button" class="button more" onClick={() => setAll(true)}>Show all: {plural(rows.length, "case")}</button>
      ) : null}
    </Section>
  );
}
