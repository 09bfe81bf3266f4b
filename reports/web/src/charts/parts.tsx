// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Parts of SVG charts: a frame that knows its width, axes, sparklines, interval bars.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { linear, type Scale } from "./scale";

/** The width of an element in CSS pixels; components that use it are redrawn when it changes. */
export function useWidth(initial = 800): [{ current: HTMLDivElement | null }, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const read = (): void => setWidth(Math.max(200, Math.floor(element.clientWidth)));
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

export function Frame({ height, label, children, class: name = "" }: {
  height: number | ((width: number) => number); label: string; class?: string; children: (width: number) => ComponentChildren;
}): JSX.Element {
  const [ref, width] = useWidth();
  const tall = typeof height === "number" ? height : height(width);
  return (
    <div class={`frame ${name}`} ref={ref}>
      <svg width={width} height={tall} viewBox={`0 0 ${width} ${tall}`} role="group" aria-label={label}>{children(width)}</svg>
    </div>
  );
}

export function AxisX({ scale, y, top, text, title, right }: {
  scale: Scale; y: number; top: number; text: (value: number) => string; title?: string; right?: number;
}): JSX.Element {
  return (
    <g class="axis" aria-hidden="true">
      {scale.ticks.map((tick) => (
        <g key={tick} transform={`translate(${scale(tick)},0)`}>
          <line y1={top} y2={y} />
          <text y={y + 15} text-anchor={right !== undefined && scale(tick) > right - 14 ? "end" : "middle"}>{text(tick)}</text>
        </g>
      ))}
      {title === undefined ? null : <text class="title" x={right ?? 0} y={y + 31} text-anchor="end">{title}</text>}
    </g>
  );
}

export function AxisY({ scale, x, right, text, title }: {
  scale: Scale; x: number; right: number; text: (value: number) => string; title?: string;
}): JSX.Element {
  return (
    <g class="axis" aria-hidden="true">
      {scale.ticks.map((tick) => (
        <g key={tick} transform={`translate(0,${scale(tick)})`}>
          <line x1={x} x2={right} />
          <text x={x - 7} dy="0.32em" text-anchor="end">{text(tick)}</text>
        </g>
      ))}
      {title === undefined ? null : <text class="title" x={x} y={11} text-anchor="start">{title}</text>}
    </g>
  );
}

/** The last runs of a case as a line, with a dot at the newest. The line of a case that becomes slower rises. */
export function Spark({ values, tone }: { values: readonly (number | null)[]; tone: string }): JSX.Element | null {
  const present = values.filter((value): value is number => value !== null);
  if (present.length < 2) return null;
  const width = 96;
  const height = 22;
  const low = Math.min(...present, 0.995);
  const high = Math.max(...present, 1.005);
  const y = linear([low, high], [height - 3, 3]);
  let path = "";
  let pen = "M";
  let last: [number, number] | undefined;
  values.forEach((value, i) => {
    if (value === null) {
      pen = "M";
      return;
    }
    last = [2 + (i / Math.max(1, values.length - 1)) * (width - 6), y(value)];
    path += `${pen}${last[0].toFixed(1)},${last[1].toFixed(1)}`;
    pen = "L";
  });
  return (
    <svg class={`spark tone-${tone}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={path} />
      {last ? <circle cx={last[0]} cy={last[1]} r="2.4" /> : null}
    </svg>
  );
}

/** A change with its interval on a scale shared by all rows of a table; orange is slower, blue faster. */
export function IntervalBar({ change, low, high, reach, margin, worse, width = 180 }: {
  change: number; low: number; high: number; reach: number; margin?: number | undefined; worse: boolean; width?: number;
}): JSX.Element {
  const height = 18;
  const middle = height / 2;
  const x = linear([-reach, reach], [4, width - 4]);
  const clamp = (value: number): number => Math.max(2, Math.min(width - 2, x(value)));
  const tone = worse ? "worse" : "better";
  return (
    <svg class={`interval tone-${tone}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {margin === undefined ? null : <rect class="margin" x={clamp(-margin)} width={clamp(margin) - clamp(-margin)} y="1" height={height - 2} />}
      <line class="zero" x1={x(0)} x2={x(0)} y1="0" y2={height} />
      {Number.isFinite(low) && Number.isFinite(high)
        ? <line class="whisker" x1={clamp(low)} x2={clamp(high)} y1={middle} y2={middle} /> : null}
      {Math.abs(change) > reach
        ? <path class="point" d={change > 0 ? `M${width - 9},${middle - 4}l7,4l-7,4z` : `M9,${middle - 4}l-7,4l7,4z`} />
        : <circle class="point" cx={clamp(change)} cy={middle} r="3.6" />}
    </svg>
  );
}
