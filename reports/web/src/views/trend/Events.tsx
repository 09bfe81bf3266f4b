// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// A list of everything that the chart marks in the window: changes of the level or the environment, failed runs, and
// where a case began to creep; newest first.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CommitLink, Verdict } from "../../components/basics";
import { shownSize } from "../../charts/trend_marks";
import type { Change, Creep } from "../../data/contract";
import { isWorse, type EnvironmentChange } from "../../data/model";
import { isFailure } from "../../data/verdicts";
import { change as changeText, date, interval, metrics, share } from "../../format";
import type { Line, TrendModel } from "./model";

type Event =
  | { kind: "change"; slot: number; line: Line; change: Change }
  | { kind: "creep"; slot: number; line: Line; creep: Creep }
  | { kind: "environment"; slot: number; changes: EnvironmentChange[] }
  | { kind: "failure"; slot: number; line: Line; status: string };

const shownFirst = 14;

function eventsIn(model: TrendModel, window: readonly [number, number]): Event[] {
  const inside = (slot: number): boolean => (model.xs[slot] as number) >= window[0] && (model.xs[slot] as number) <= window[1];
  const events: Event[] = [];
  for (const line of model.lines) {
    for (const { slot, change } of line.changes) if (inside(slot)) events.push({ kind: "change", slot, line, change });
    if (line.crept && inside(line.crept.onset)) events.push({ kind: "creep", slot: line.crept.onset, line, creep: line.crept.creep });
    line.status.forEach((status, slot) => {
      if (status !== "" && isFailure(status) && inside(slot)) events.push({ kind: "failure", slot, line, status });
    });
  }
  for (const { slot, changes } of model.environment) if (inside(slot)) events.push({ kind: "environment", slot, changes });
  return events.sort((a, b) => b.slot - a.slot);
}

function ChangeText({ model, line, change }: { model: TrendModel; line: Line; change: Change }): JSX.Element {
  const worse = isWorse(change.metric, change.size);
  const metric = metrics[model.metric];
  const range = interval(change.low, change.high);
  return (
    <span class={`tone-${worse ? "worse" : "better"}`}>
      <span class="glyph" aria-hidden="true">{worse ? "\u25b2" : "\u25bc"}</span>
      <b class="number">{changeText(shownSize(model, change.size))}</b> {worse ? "slower" : "faster"}
      {range === "" || model.metric === "tflops" ? null : <span class="quiet"> ({range})</span>}
      {change.before === undefined || model.metric === "tflops" ? null
        : <span class="quiet"> {metric.text(change.before)} → {metric.text(change.after)}</span>}
      {change.went_away ? <span class="tag">went away</span> : null}
      {change.to > change.from ? <span class="quiet"> began in runs {change.from + 1} to {change.to + 1}</span> : null}
      {model.lines.length > 1 ? <span class="quiet"> {line.chosen.name}</span> : null}
    </span>
  );
}

function CreepText({ model, line, creep }: { model: TrendModel; line: Line; creep: Creep }): JSX.Element {
  return (
    <span class="tone-worse">
      <span class="glyph" aria-hidden="true">{"\u25b2"}</span>
      <b class="number">{changeText(shownSize(model, creep.drift))}</b> slower by small steps that began here
      <span class="quiet"> {creep.status === "drifted" ? "beyond" : "within"} the {share(creep.margin)} allowed, against {creep.anchor}</span>
      {model.lines.length > 1 ? <span class="quiet"> {line.chosen.name}</span> : null}
    </span>
  );
}

export function Events({ model, window, onPoint, onSlot }: {
  model: TrendModel; window: [number, number]; onPoint: (slot: number | undefined) => void; onSlot: (slot: number) => void;
}): JSX.Element {
  const [all, setAll] = useState(false);
  const events = eventsIn(model, window);
  const shown = all ? events : events.slice(0, shownFirst);
  return (
    <div class="events">
      <h3>In this window</h3>
      {events.length === 0 ? <p class="quiet">No change of level, no change of the environment, no failed run.</p> : (
        <ul>
          {shown.map((event) => {
            const at = model.slots[event.slot];
            const run = at?.device.runs[at.run];
            if (!at || !run) return null;
            return (
              <li key={`${event.kind} ${event.slot} ${event.kind === "environment" ? "" : event.line.chosen.name}`} class="event" tabIndex={0} data-row
                onMouseEnter={() => onPoint(event.slot)} onMouseLeave={() => onPoint(undefined)}
                onFocus={() => {
                  onPoint(event.slot);
                  onSlot(event.slot);
                }} onBlur={() => onPoint(undefined)}>
                <span class="event-run quiet">run {at.run + 1}</span>
                <span class="event-what">
                  {event.kind === "change" ? <ChangeText model={model} line={event.line} change={event.change} />
                    : event.kind === "creep" ? <CreepText model={model} line={event.line} creep={event.creep} />
                    : event.kind === "failure" ? <><Verdict name={event.status} />{model.lines.length > 1 ? <span class="quiet"> {event.line.chosen.name}</span> : null}</>
                      : <span><span class="glyph" aria-hidden="true">▲</span>{event.changes.map((one) => `${one.name} ${one.before} \u2192 ${one.after}`).join(", ")}</span>}
                </span>
                <span class="event-commit">
                  <CommitLink device={at.device} run={run} /> <span class="subject">{at.device.commits[run.commit]?.subject}</span>{" "}
                  <span class="quiet">{at.device.commits[run.commit]?.author} {date(run.started).slice(0, 10)}</span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {events.length > shown.length ? <button type="button" class="button more" onClick={() => setAll(true)}>Show all {events.length}</button> : null}
    </div>
  );
}
