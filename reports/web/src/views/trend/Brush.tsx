// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The whole history in a strip, with the window on it. The reader can drag the window or its ends, or drag out a new
// window.

import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useWidth } from "../../charts/parts";
import { extent, linear } from "../../charts/scale";
import { clampWindow, limitsOf } from "../../charts/trend_plot";
import { isWorse } from "../../data/model";
import type { Line, TrendModel } from "./model";

const height = 46;
const inset = 74;
const right = 14;

/** A line's least and largest value in each bucket of pixels, so that no extreme is lost. */
function stripPath(line: Line, model: TrendModel, x: (value: number) => number, width: number): string {
  const y = linear(extent(line.y.filter((value): value is number => typeof value === "number"), 0.08), [height - 4, 4]);
  const buckets = new Map<number, [number, number]>();
  line.y.forEach((value, slot) => {
    if (typeof value !== "number") return;
    const pixel = Math.round(x(model.xs[slot] as number) * Math.min(1, 800 / width));
    const bucket = buckets.get(pixel);
    if (!bucket) buckets.set(pixel, [value, value]);
    else if (value < bucket[0]) bucket[0] = value;
    else if (value > bucket[1]) bucket[1] = value;
  });
  let path = "";
  for (const [pixel, [low, high]] of buckets) {
    const at = (pixel / Math.min(1, 800 / width)).toFixed(1);
    path += `${path === "" ? "M" : "L"}${at},${y(low).toFixed(1)}`;
    if (high > low) path += `L${at},${y(high).toFixed(1)}`;
  }
  return path;
}

type Grip = "low" | "high" | "all" | "new";

export function Brush({ model, window, onWindow }: {
  model: TrendModel; window: [number, number]; onWindow: (low: number, high: number) => void;
}): JSX.Element {
  const [frame, width] = useWidth();
  const drag = useRef<{ grip: Grip; at: number; window: [number, number] } | undefined>(undefined);
  const limits = limitsOf(model);
  const x = linear(limits, [inset, width - right]);
  const paths = useMemo(() => model.lines.map((line) => stripPath(line, model, x, width)), [model, width]);
  const valueAt = (event: PointerEvent): number => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = (event.clientX - box.left - inset) / (width - inset - right);
    return limits[0] + Math.max(0, Math.min(1, share)) * (limits[1] - limits[0]);
  };
  const least = model.axisX === "run" ? 4 : 7200;

  const down = (event: PointerEvent): void => {
    const at = valueAt(event);
    const near = (value: number): boolean => Math.abs(x(value) - x(at)) < 9;
    const grip: Grip = near(window[0]) ? "low" : near(window[1]) ? "high" : at > window[0] && at < window[1] ? "all" : "new";
    drag.current = { grip, at, window: grip === "new" ? [at, at] : window };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const move = (event: PointerEvent): void => {
    const held = drag.current;
    if (!held) return;
    const at = valueAt(event);
    let [low, high] = held.window;
    if (held.grip === "low") low = Math.min(at, high - least);
    else if (held.grip === "high") high = Math.max(at, low + least);
    else if (held.grip === "all") [low, high] = [low + at - held.at, high + at - held.at];
    else [low, high] = [Math.min(at, held.at), Math.max(at, held.at)];
    onWindow(...clampWindow(low, high, limits, least));
  };
  return (
    <div class="brush" ref={frame} aria-hidden="true">
      <svg width={width} height={height} onPointerDown={down} onPointerMove={move} onPointerUp={() => (drag.current = undefined)}
        onPointerCancel={() => (drag.current = undefined)}>
        <rect class="brush-back" x={inset} width={Math.max(0, width - inset - right)} height={height} />
        {model.lines.flatMap((line) => line.changes.map(({ slot, change }) => (
          <line key={`${line.chosen.name} ${slot}`} class={isWorse(change.metric, change.size) ? "mark-worse" : "mark-better"}
            x1={x(model.xs[slot] as number)} x2={x(model.xs[slot] as number)} y1="0" y2={height} />
        )))}
        {paths.map((path, i) => <path key={i} d={path} style={{ stroke: `var(--series-${model.lines[i]?.chosen.colour ?? 0})` }} />)}
        <rect class="brush-window" x={x(window[0])} width={Math.max(2, x(window[1]) - x(window[0]))} y="0.5" height={height - 1} />
        {window.map((end, i) => <rect key={i} class="brush-grip" x={x(end) - 3} width="6" y={height / 2 - 9} height="18" rx="2" />)}
      </svg>
    </div>
  );
}
