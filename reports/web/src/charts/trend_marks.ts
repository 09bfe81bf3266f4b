// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// What a trend shows besides its lines: interval bands, the baseline, changes of level, changed environments, failures.

import type uPlot from "uplot";
import type { Commit } from "../data/contract";
import { isWorse } from "../data/model";
import { isFailure, stateOf } from "../data/verdicts";
import { change as changeText, metrics, shortCommit } from "../format";
import { slotAtX, type Cell, type Line, type TrendModel } from "../views/trend/model";
import { faded } from "./colours";

export interface Colours {
  text: string;
  muted: string;
  line: string;
  surface: string;
  worse: string;
  better: string;
  broken: string;
  band: string;
  series: string[];
  font: string;
}

interface Visible {
  first: number;
  last: number;
}

function visibleSlots(u: uPlot, model: TrendModel): Visible {
  const { min, max } = u.scales["x"] as { min: number; max: number };
  return { first: Math.max(0, slotAtX(model.xs, min) - 1), last: Math.min(model.xs.length - 1, slotAtX(model.xs, max)) };
}

function clipped(u: uPlot, draw: (context: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

function drawInterval(u: uPlot, context: CanvasRenderingContext2D, line: Line, xs: readonly number[], colour: string, seen: Visible): void {
  const x = (slot: number): number => u.valToPos(xs[slot] as number, "x", true);
  const y = (value: Cell): number => u.valToPos(value as number, "y", true);
  context.fillStyle = faded(colour, 0.17);
  context.strokeStyle = faded(colour, 0.4);
  context.lineWidth = devicePixelRatio;
  let stretch: number[] = [];
  const flush = (): void => {
    const [only] = stretch;
    if (stretch.length === 1 && only !== undefined) {
      // A single run between two gaps has no width, so its interval is drawn as a line.
      context.beginPath();
      context.moveTo(x(only), y(line.low[only]));
      context.lineTo(x(only), y(line.high[only]));
      context.stroke();
    } else if (stretch.length > 1) {
      context.beginPath();
      for (const slot of stretch) context.lineTo(x(slot), y(line.low[slot]));
      for (const slot of stretch.reverse()) context.lineTo(x(slot), y(line.high[slot]));
      context.fill();
    }
    stretch = [];
  };
  for (let slot = seen.first; slot <= seen.last; slot++) {
    if (line.low[slot] === undefined) continue;
    if (line.low[slot] === null || line.high[slot] === null) flush();
    else stretch.push(slot);
  }
  flush();
}

function drawBaseline(u: uPlot, context: CanvasRenderingContext2D, line: Line, colour: string): void {
  if (!line.band) return;
  const top = u.valToPos(line.band.high, "y", true);
  const bottom = u.valToPos(line.band.low, "y", true);
  const middle = u.valToPos(line.band.middle, "y", true);
  context.fillStyle = faded(colour, 0.16);
  context.fillRect(u.bbox.left, top, u.bbox.width, Math.max(1, bottom - top));
  context.strokeStyle = faded(colour, 0.8);
  context.lineWidth = devicePixelRatio;
  context.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  context.beginPath();
  context.moveTo(u.bbox.left, middle);
  context.lineTo(u.bbox.left + u.bbox.width, middle);
  context.stroke();
  context.setLineDash([]);
}

export function drawBackground(u: uPlot, model: TrendModel, colours: Colours): void {
  const seen = visibleSlots(u, model);
  clipped(u, (context) => {
    // Several cases have different baselines, so none is drawn, unless values are relative to the baseline: then it is
    // 0 for all.
    const [only] = model.lines;
    if (only && (model.lines.length === 1 || model.axisY === "base")) drawBaseline(u, context, only, colours.band);
    model.lines.forEach((line, i) => drawInterval(u, context, line, model.xs, colours.series[i] ?? colours.text, seen));
  });
}

interface Label {
  text: string;
  x: number;
  colour: string;
  slot: number;
}

/** Where a change is drawn: between the last run of the old level and the first of the new one. */
function changeX(u: uPlot, model: TrendModel, slot: number): number {
  const here = model.xs[slot] as number;
  const before = model.xs[slot - 1];
  return u.valToPos(before === undefined ? here : (here + before) / 2, "x", true);
}

function changeLabels(u: uPlot, model: TrendModel, colours: Colours, seen: Visible): Label[] {
  // Several cases often change together; they share one mark and one label with the range of their changes.
  const groups = new Map<string, { slot: number; worse: boolean; sizes: number[]; commit: Commit | undefined }>();
  for (const line of model.lines) {
    for (const { slot, change } of line.changes) {
      if (slot < seen.first || slot > seen.last + 1) continue;
      const { device } = line.chosen;
      const worse = isWorse(change.metric, change.size);
      const key = `${slot} ${worse}`;
      let group = groups.get(key);
      if (!group) groups.set(key, (group = { slot, worse, sizes: [], commit: device.commits[device.runs[change.run]?.commit ?? -1] }));
      group.sizes.push(shownSize(model, change.size));
    }
  }
  return [...groups.values()].map(({ slot, worse, sizes, commit }) => {
    const low = changeText(Math.min(...sizes));
    const high = changeText(Math.max(...sizes));
    const size = low === high ? low : `${low.replace(/\u00a0%$/, "")}\u2026${high}`;
    return {
      slot, x: changeX(u, model, slot), colour: worse ? colours.worse : colours.better,
      text: `${size} ${commit ? shortCommit(commit.id).slice(0, 7) : ""} ${commit?.author ?? ""}`.trimEnd(),
    };
  }).sort((a, b) => a.x - b.x);
}

/** The size of a change as shown. Changes are found in times; in TFLOP/s, the same change is the inverse. */
export function shownSize(model: TrendModel, size: number): number {
  return metrics[model.metric].key === "tflops" ? 1 / (1 + size) - 1 : size;
}

function drawChanges(u: uPlot, model: TrendModel, colours: Colours, seen: Visible, emphasised: number | undefined): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${11 * ratio}px ${colours.font}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  const ends = [-Infinity, -Infinity];
  for (const { text, x, colour, slot } of changeLabels(u, model, colours, seen)) {
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colour;
    ctx.lineWidth = (slot === emphasised ? 3 : 1.25) * ratio;
    ctx.setLineDash(slot === emphasised ? [] : [4 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - 3 * ratio);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    // Labels stand in two rows above the plot. One that finds no room appears only in the list below the chart.
    const short = text.split(" ", 1)[0] ?? "";
    for (const candidate of [text.length > 34 ? text.slice(0, 33) + "\u2026" : text, short.replace(/\u00a0/g, " ")]) {
      const width = ctx.measureText(candidate).width;
      const start = Math.min(x - 3 * ratio, bbox.left + bbox.width - width);
      const row = ends.findIndex((end) => start > end + 8 * ratio);
      if (row < 0) continue;
      ends[row] = start + width;
      ctx.fillStyle = colour;
      ctx.fillText(candidate, start, bbox.top - (row === 0 ? 9 : 21) * ratio);
      break;
    }
  }
  ctx.restore();
}

function drawEnvironment(u: uPlot, model: TrendModel, colours: Colours, seen: Visible): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = colours.muted;
  for (const { slot } of model.environment) {
    if (slot < seen.first || slot > seen.last) continue;
    const x = u.valToPos(model.xs[slot] as number, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const y = bbox.top + bbox.height;
    ctx.beginPath();
    ctx.moveTo(x, y - 7 * ratio);
    ctx.lineTo(x + 4.5 * ratio, y + 1 * ratio);
    ctx.lineTo(x - 4.5 * ratio, y + 1 * ratio);
    ctx.fill();
  }
  ctx.restore();
}

function drawFailures(u: uPlot, model: TrendModel, colours: Colours, seen: Visible): void {
  clipped(u, (context) => {
    const ratio = devicePixelRatio;
    context.font = `700 ${12 * ratio}px ${colours.font}`;
    context.textAlign = "center";
    context.fillStyle = colours.broken;
    for (const line of model.lines) {
      for (let slot = seen.first; slot <= seen.last; slot++) {
        const status = line.status[slot] ?? "";
        if (status === "" || !isFailure(status)) continue;
        context.fillText(stateOf(status).glyph, u.valToPos(model.xs[slot] as number, "x", true), u.bbox.top + u.bbox.height - 11 * ratio);
      }
    }
  });
}

/** Draws the level that a case crept away from, beginning at its first run, and a dot where the case left it. */
function drawCrept(u: uPlot, model: TrendModel, colours: Colours): void {
  clipped(u, (context) => {
    const ratio = devicePixelRatio;
    context.strokeStyle = colours.worse;
    context.fillStyle = colours.worse;
    context.lineWidth = 1.5 * ratio;
    for (const { crept } of model.lines) {
      if (!crept) continue;
      const y = u.valToPos(crept.level, "y", true);
      const x = u.valToPos(model.xs[crept.onset] as number, "x", true);
      context.setLineDash([2 * ratio, 3 * ratio]);
      context.beginPath();
      context.moveTo(u.valToPos(model.xs[crept.from] as number, "x", true), y);
      context.lineTo(u.bbox.left + u.bbox.width, y);
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      context.arc(x, y, 4 * ratio, 0, 2 * Math.PI);
      context.fill();
    }
  });
}

export function drawMarks(u: uPlot, model: TrendModel, colours: Colours, emphasised: number | undefined): void {
  const seen = visibleSlots(u, model);
  drawCrept(u, model, colours);
  drawChanges(u, model, colours, seen, emphasised);
  drawEnvironment(u, model, colours, seen);
  drawFailures(u, model, colours, seen);
}
