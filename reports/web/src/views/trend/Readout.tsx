// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// What is known about one run of the chart, for the page, the tooltip and the screen reader.

import type { JSX } from "preact";
import { CommitLink, Verdict } from "../../components/basics";
import { environmentChangesAt } from "../../data/model";
import { date, metrics, nothing, shortCommit } from "../../format";
import { href } from "../../state/router";
import type { Line, TrendModel } from "./model";

/** The value of a line at a slot as text; on a relative scale, with its change in percent. */
export function lineText(model: TrendModel, line: Line, slot: number): string {
  const value = line.value[slot];
  if (typeof value !== "number") return "";
  const metric = metrics[model.metric];
  const y = line.y[slot];
  const relative = model.axisY !== "abs" && typeof y === "number" ? ` (${y >= 0 ? "+" : "\u2212"}${Math.abs(y).toFixed(2)}\u00a0%)` : "";
  return metric.text(value) + relative;
}

/** Half of the interval's width in percent, as text. */
export function halfText(model: TrendModel, line: Line, slot: number): string {
  const low = line.low[slot];
  const high = line.high[slot];
  if (typeof low !== "number" || typeof high !== "number") return "";
  const half = model.axisY === "abs" ? Math.sqrt(high / low) - 1 : (high - low) / 200;
  return `\u00b1${(half * 100).toFixed(2)}\u00a0%`;
}

function verdictAt(line: Line, slot: number): string {
  const place = line.place[slot] ?? -1;
  const { columns, tables } = line.chosen.columns;
  const verdict = place < 0 ? "" : tables.verdict[columns.get("verdict")?.[place] ?? 0] ?? "";
  return verdict || (line.status[slot] ?? "");
}

/** The lines whose case appears in the run at a slot. */
function linesAt(model: TrendModel, slot: number): Line[] {
  return model.lines.filter((line) => (line.place[slot] ?? -1) >= 0);
}

export function pointSentence(model: TrendModel, slot: number): string {
  const at = model.slots[slot];
  const run = at?.device.runs[at.run];
  if (!at || !run) return "";
  const commit = at.device.commits[run.commit];
  const values = linesAt(model, slot).map((line) => {
    const name = model.lines.length > 1 ? `${line.chosen.name}: ` : "";
    return `${name}${lineText(model, line, slot) || verdictAt(line, slot)} ${halfText(model, line, slot)}`.trim();
  });
  const marks = model.lines.flatMap((line) => line.changes.filter((one) => one.slot === slot)).length > 0 ? ". Level changes here" : "";
  return `Run ${at.run + 1}, ${date(run.started)}, commit ${shortCommit(commit?.id)} by ${commit?.author || "unknown"}: ${values.join("; ")}${marks}`;
}

export function PointSummary({ model, slot }: { model: TrendModel; slot: number }): JSX.Element | null {
  const at = model.slots[slot];
  const run = at?.device.runs[at.run];
  if (!at || !run) return null;
  const commit = at.device.commits[run.commit];
  return (
    <>
      {linesAt(model, slot).map((line) => (
        <p key={line.chosen.name} class="tip-value">
          <span class="dot" style={{ background: `var(--series-${line.chosen.colour})` }} />
          <b>{lineText(model, line, slot) || verdictAt(line, slot).replace("_", " ") || nothing}</b> {halfText(model, line, slot)}
          {model.lines.length > 1 ? <span class="quiet"> {line.chosen.one.id}</span> : null}
        </p>
      ))}
      <p><code>{shortCommit(commit?.id)}{run.dirty ? "+" : ""}</code> {commit?.subject}</p>
      <p class="quiet">{commit?.author ? `${commit.author}, ` : ""}{date(run.started)}</p>
    </>
  );
}

export function Readout({ model, slot }: { model: TrendModel; slot: number | undefined }): JSX.Element | null {
  const at = slot === undefined ? undefined : model.slots[slot];
  const run = at?.device.runs[at.run];
  if (slot === undefined || !at || !run) return null;
  const commit = at.device.commits[run.commit];
  const before = at.device.runs[at.run - 1];
  const environment = environmentChangesAt(at.device, at.run);
  return (
    <div class="readout">
      <p class="readout-run">
        <span class="quiet">run {at.run + 1}</span> <CommitLink device={at.device} run={run} />{" "}
        <span class="subject">{commit?.subject}</span>
        <span class="quiet"> {commit?.author} · {date(run.started)} · <span class="run-id">{run.id}</span>{run.dirty ? " · uncommitted changes" : ""}</span>
      </p>
      <ul class="readout-values">
        {linesAt(model, slot).map((line) => (
          <li key={line.chosen.name}>
            <span class="dot" style={{ background: `var(--series-${line.chosen.colour})` }} />
            <b class="number">{lineText(model, line, slot) || nothing}</b> <span class="quiet">{halfText(model, line, slot)}</span>{" "}
            <Verdict name={verdictAt(line, slot)} />
            {model.lines.length > 1 ? <span class="quiet"> {line.chosen.name}</span> : null}
          </li>
        ))}
      </ul>
      <p class="readout-links">
        {before ? <a href={href("compare", { d: at.device.key, a: before.id, b: run.id })}>Compare with the run before</a> : null}
        {environment.length > 0 ? <span class="also">changed here: {environment.map((one) => `${one.name} ${one.before} \u2192 ${one.after}`).join(", ")}</span> : null}
      </p>
    </div>
  );
}
