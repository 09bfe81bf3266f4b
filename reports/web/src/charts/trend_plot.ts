// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The canvas of a trend: uPlot draws axes, lines and points; bands, changes and marks are drawn here.

import uPlot from "uplot";
import { cssColour, dashes } from "./colours";
import { drawBackground, drawMarks, type Colours } from "./trend_marks";
import { nearestStop, type Line, type TrendModel } from "../views/trend/model";

export interface TrendPlotEvents {
  /** The cursor moved to a slot, or away from all; left and top are CSS pixels in the chart. */
  onCursor: (slot: number | undefined, left: number, top: number) => void;
  /** The reader changed the window. */
  onWindow: (low: number, high: number) => void;
  onDrawn: () => void;
}

export interface TrendPlot {
  setWindow: (low: number, high: number) => void;
  window: () => [number, number];
  resize: (width: number, height: number) => void;
  /** Puts the cursor on a slot; undefined takes it away. */
  moveTo: (slot: number | undefined) => void;
  /** Marks one change, by line and number in the line. */
  emphasise: (slot: number | undefined) => void;
  destroy: () => void;
}

function readColours(lines: readonly Line[]): Colours {
  return {
    text: cssColour("--text"), muted: cssColour("--muted"), line: cssColour("--line"), surface: cssColour("--surface"),
    worse: cssColour("--worse"), better: cssColour("--better"), broken: cssColour("--broken"), band: cssColour("--band"),
    series: lines.map((line) => cssColour(`--series-${line.chosen.colour}`)),
    font: cssColour("--font"),
  };
}

/**
 * The y range of the visible values and intervals, and of the baseline's band if it is so near that it does not flatten
 * the line.
 */
function rangeOfY(model: TrendModel, low: number, high: number): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  const take = (value: unknown): void => {
    if (typeof value !== "number") return;
    if (value < least) least = value;
    if (value > most) most = value;
  };
  for (const line of model.lines) {
    for (let s = 0; s < model.xs.length; s++) {
      const x = model.xs[s] as number;
      if (x < low || x > high) continue;
      take(line.y[s]);
      // Intervals count, too.
      take(line.low[s]);
      take(line.high[s]);
    }
  }
  if (least > most) return [0, 1];
  const span = most - least || Math.abs(most) * 0.01 || 1;
  for (const { band } of model.lines) {
    if (band && band.high < most + 2 * span && band.low > least - 2 * span) {
      take(band.low);
      take(band.high);
    }
  }
  const room = (most - least || span) * 0.06;
  // The marks of failed runs stand at the bottom.
  return [least - room * 2, most + room];
}

function axisText(model: TrendModel, values: readonly number[]): string[] {
  if (model.axisY !== "abs") {
    const step = Math.abs((values[1] ?? 1) - (values[0] ?? 0));
    return values.map((value) => {
      const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
      return `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${Math.abs(value).toFixed(digits)} %`;
    });
  }
  const step = Math.abs((values[1] ?? 1) - (values[0] ?? 0)) || 1;
  const largest = Math.max(...values.map(Math.abs), step);
  const [scale, unit] = model.metric !== "time" ? [1, ""]
    : largest >= 1e9 ? [1e9, " s"] : largest >= 1e6 ? [1e6, " ms"] : largest >= 1e3 ? [1e3, " \u00b5s"] : [1, " ns"];
  const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step / scale) + 1e-9)));
  return values.map((value) => (value / scale).toFixed(digits).replace(/\B(?=(\d{3})+$)/g, digits === 0 ? "\u202f" : "") + unit);
}

function axes(model: TrendModel, colours: Colours): uPlot.Axis[] {
  const common = { stroke: colours.muted, font: `11px ${colours.font}`, grid: { stroke: colours.line, width: 1 }, ticks: { show: false } };
  return [
    {
      ...common, grid: { show: false }, ticks: { show: true, stroke: colours.line, size: 5 }, gap: 4, size: 34, space: 90,
      ...(model.axisX === "run" ? { values: (_: uPlot, ticks: number[]) => ticks.map((tick) => runLabel(model, tick)) } : {}),
    },
    {
      ...common, size: 74, gap: 8, values: (_: uPlot, ticks: number[]) => axisText(model, ticks),
    },
  ];
}

/** A label on the axis of runs: the run's number and the day of its commit. */
function runLabel(model: TrendModel, x: number): string {
  const slot = Number.isInteger(x) ? model.slots[x] : undefined;
  const run = slot?.device.runs[slot.run];
  if (!slot || !run) return "";
  const committed = slot.device.commits[run.commit]?.committed || run.started;
  return `#${x + 1}\n${committed.slice(0, 10)}`;
}

function seriesOf(model: TrendModel, colours: Colours): uPlot.Series[] {
  return model.lines.map((line, i) => {
    const colour = colours.series[i] ?? colours.text;
    return {
      label: line.chosen.name, stroke: colour, width: 1.5, dash: model.lines.length > 1 ? [...(dashes[line.chosen.colour] ?? [])] : [],
      points: { size: 5, fill: colours.surface, stroke: colour, width: 1.5, space: 7 },
    };
  });
}

function wheelZoom(u: uPlot, event: WheelEvent, limits: readonly [number, number], done: (low: number, high: number) => void): void {
  // Where one cannot zoom out further, the wheel scrolls the page as usual.
  const { min, max } = u.scales["x"] as { min: number; max: number };
  const whole = limits[1] - limits[0];
  if (event.deltaY > 0 && max - min >= whole) return;
  event.preventDefault();
  const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x");
  const factor = event.deltaY < 0 ? 0.8 : 1.25;
  const [low, high] = clampWindow(at - (at - min) * factor, at + (max - at) * factor, limits, whole / 1e4);
  done(low, high);
}

/** Moves and shortens a window so that it lies within the limits; it is never narrower than `least`. */
export function clampWindow(low: number, high: number, limits: readonly [number, number], least: number): [number, number] {
  const width = Math.max(least, Math.min(high - low, limits[1] - limits[0]));
  const middle = (low + high) / 2;
  const start = Math.max(limits[0], Math.min(limits[1] - width, middle - width / 2));
  return [start, start + width];
}

export function limitsOf(model: TrendModel): [number, number] {
  const first = model.xs[0] ?? 0;
  const last = model.xs[model.xs.length - 1] ?? 1;
  const room = model.axisX === "run" ? 0.5 : (last - first) * 0.005 || 43200;
  return [first - room, last + room];
}

export function createTrendPlot(
  parent: HTMLElement, model: TrendModel, size: { width: number; height: number }, window: [number, number], events: TrendPlotEvents,
): TrendPlot {
  const colours = readColours(model.lines);
  const limits = limitsOf(model);
  const least = model.axisX === "run" ? 4 : 7200;
  let emphasised: number | undefined;
  let cursorFromOutside = false;
  const select = (u: uPlot): void => {
    if (u.select.width < 3) return;
    const low = u.posToVal(u.select.left, "x");
    const high = u.posToVal(u.select.left + u.select.width, "x");
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    show(...clampWindow(low, high, limits, least));
  };
  const plot = new uPlot({
    ...size,
    class: "trend-plot",
    legend: { show: false },
    padding: [28, 14, 0, 0],
    scales: {
      x: { time: model.axisX === "date", range: (u, low, high) => (u.data[0].length === 0 ? [0, 1] : [low, high]) },
      y: { range: (u) => {
        const { min, max } = u.scales["x"] as { min?: number; max?: number };
        return rangeOfY(model, min ?? limits[0], max ?? limits[1]);
      } },
    },
    axes: axes(model, colours),
    series: [{}, ...seriesOf(model, colours)],
    cursor: {
      y: false, drag: { x: true, y: false, setScale: false }, points: { size: 9, width: 2 },
      dataIdx: (_, __, closest) => nearestStop(model.stops, closest) ?? closest,
    },
    hooks: {
      setSelect: [select],
      setCursor: [(u) => {
        const { left, top, idx } = u.cursor;
        const inside = left !== undefined && left >= 0 && idx !== null && idx !== undefined;
        const slot = inside ? nearestStop(model.stops, idx) : undefined;
        if (!cursorFromOutside) events.onCursor(slot, left ?? 0, top ?? 0);
      }],
      drawAxes: [(u) => drawBackground(u, model, colours)],
      draw: [(u) => {
        drawMarks(u, model, colours, emphasised);
        events.onDrawn();
      }],
    },
    tzDate: (stamp) => uPlot.tzDate(new Date(stamp * 1e3), "Etc/UTC"),
  }, [model.xs, ...model.lines.map((line) => line.y)] as uPlot.AlignedData, (u, init) => {
    parent.append(u.root);
    init();
    u.setScale("x", { min: window[0], max: window[1] });
  });
  function show(low: number, high: number): void {
    plot.setScale("x", { min: low, max: high });
    events.onWindow(low, high);
  }
  plot.over.addEventListener("wheel", (event) => wheelZoom(plot, event, limits, show), { passive: false });
  return {
    setWindow: (low, high) => plot.setScale("x", { min: low, max: high }),
    window: () => [plot.scales["x"]?.min ?? limits[0], plot.scales["x"]?.max ?? limits[1]],
    resize: (width, height) => plot.setSize({ width, height }),
    moveTo: (slot) => {
      cursorFromOutside = true;
      const x = slot === undefined ? undefined : model.xs[slot];
      plot.setCursor(x === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(x, "x"), top: plot.over.clientHeight / 2 }, true);
      cursorFromOutside = false;
    },
    emphasise: (slot) => {
      if (slot === emphasised) return;
      emphasised = slot;
      plot.redraw(false, false);
    },
    destroy: () => plot.destroy(),
  };
}

