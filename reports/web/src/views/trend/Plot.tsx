// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The chart of a trend with its keyboard and its tooltip.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useWidth } from "../../charts/parts";
import { clampWindow, createTrendPlot, limitsOf, type TrendPlot } from "../../charts/trend_plot";
import { useColourScheme } from "../../state/theme";
import { nearestStop, type TrendModel } from "./model";
import { PointSummary, pointSentence } from "./Readout";

export interface PlotProps {
  model: TrendModel;
  window: [number, number];
  slot: number | undefined;
  emphasised: number | undefined;
  label: string;
  onWindow: (low: number, high: number) => void;
  onSlot: (slot: number | undefined) => void;
  onReset: () => void;
  onDrawn: () => void;
}

/** The next slot in a direction at which the cursor may stop. */
function step(model: TrendModel, slot: number | undefined, by: number, window: readonly [number, number]): number | undefined {
  if (slot === undefined) {
    const inside = model.stops.filter((stop) => (model.xs[stop] as number) >= window[0] && (model.xs[stop] as number) <= window[1]);
    return by > 0 ? inside[0] : inside[inside.length - 1];
  }
  const near = nearestStop(model.stops, slot);
  const at = near === undefined ? -1 : model.stops.indexOf(near);
  return model.stops[Math.max(0, Math.min(model.stops.length - 1, at + by))];
}

function handleKey(event: KeyboardEvent, props: PlotProps, say: (slot: number | undefined) => void): void {
  const { model, window, slot, onWindow, onReset } = props;
  const limits = limitsOf(model);
  const move = (next: number | undefined): void => {
    event.preventDefault();
    say(next);
    const x = next === undefined ? undefined : model.xs[next];
    const width = window[1] - window[0];
    // The window follows the cursor.
    if (x !== undefined && (x < window[0] || x > window[1])) onWindow(...clampWindow(x - width / 2, x + width / 2, limits, width));
  };
  const zoom = (factor: number): void => {
    event.preventDefault();
    const at = slot === undefined ? (window[0] + window[1]) / 2 : (model.xs[slot] as number);
    const least = model.axisX === "run" ? 4 : 7200;
    onWindow(...clampWindow(at - (at - window[0]) * factor, at + (window[1] - at) * factor, limits, least));
  };
  switch (event.key) {
    case "ArrowLeft": return move(step(model, slot, event.shiftKey ? -10 : -1, window));
    case "ArrowRight": return move(step(model, slot, event.shiftKey ? 10 : 1, window));
    case "Home": return move(model.stops[0]);
    case "End": return move(model.stops[model.stops.length - 1]);
    case "+": case "=": return zoom(0.6);
    case "-": case "_": return zoom(1 / 0.6);
    case "Escape":
      event.preventDefault();
      say(undefined);
      return onReset();
  }
}

export function Plot(props: PlotProps): JSX.Element {
  const { model, window, slot, emphasised, label } = props;
  const [frame, width] = useWidth();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<TrendPlot | undefined>(undefined);
  const [hover, setHover] = useState<{ slot: number; left: number; top: number }>();
  const [spoken, setSpoken] = useState("");
  const scheme = useColourScheme();
  const height = width < 560 ? 300 : 380;
  const latest = useRef(props);
  latest.current = props;

  useLayoutEffect(() => {
    if (!host.current) return;
    const made = createTrendPlot(host.current, model, { width, height }, latest.current.window, {
      onCursor: (at, left, top) => {
        setHover(at === undefined ? undefined : { slot: at, left, top });
        if (at !== undefined) latest.current.onSlot(at);
      },
      onWindow: (low, high) => latest.current.onWindow(low, high),
      onDrawn: () => latest.current.onDrawn(),
    });
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = undefined;
    };
  }, [model, scheme]);
  useEffect(() => plot.current?.resize(width, height), [width, height]);
  useEffect(() => {
    const [low, high] = plot.current?.window() ?? [];
    if (low !== window[0] || high !== window[1]) plot.current?.setWindow(window[0], window[1]);
  }, [window[0], window[1], model]);
  useEffect(() => {
    if (hover?.slot !== slot) plot.current?.moveTo(slot);
  }, [slot, window[0], window[1], model]);
  useEffect(() => plot.current?.emphasise(emphasised), [emphasised]);

  const say = (next: number | undefined): void => {
    setHover(undefined);
    props.onSlot(next);
    setSpoken(next === undefined ? "" : pointSentence(model, next));
  };
  return (
    <div class="plot" ref={frame}>
      {/* An application: the arrow keys move along the series instead of along the page. */}
      <div class="plot-canvas" ref={host} tabIndex={0} role="application" aria-roledescription="chart"
        aria-label={`${label}. Arrow keys move from run to run, plus and minus zoom, Escape resets. A table follows.`}
        onKeyDown={(event) => handleKey(event, props, say)} onMouseLeave={() => setHover(undefined)} />
      {hover ? (
        <div class="tooltip" style={hover.left > width / 2 - 40 ? { right: `${Math.max(4, width - hover.left - 74 + 18)}px` } : { left: `${hover.left + 74 + 18}px` }}>
          <PointSummary model={model} slot={hover.slot} />
        </div>
      ) : null}
      <div class="sr-only" role="status" aria-live="polite">{spoken}</div>
    </div>
  );
}
