// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ChunkMessage, Section, Switch, Twin, type ViewProps } from "../../components/basics";
import { seriesColours } from "../../charts/colours";
import { clampWindow, limitsOf } from "../../charts/trend_plot";
import type { Case, Device } from "../../data/contract";
import { caseById } from "../../data/model";
import { useResources, type Store } from "../../data/store";
import { stateOf, stateOrder } from "../../data/verdicts";
import { metricKeys, metrics, plural, type MetricKey } from "../../format";
import { changed, choice, go, param, type Route } from "../../state/router";
import { Brush } from "./Brush";
import { Events } from "./Events";
import { makeModel, slotAtX, type AxisX, type AxisY, type Chosen, type Slot, type TrendModel } from "./model";
import { Picks, reference, splitReference } from "./Picks";
import { Plot } from "./Plot";
import { Readout } from "./Readout";
import { TrendTable } from "./TrendTable";

const defaultWindow = 200;

/** The case that most needs a look; used if the address names none. */
function worstCase(device: Device): Case | undefined {
  const place = (one: Case): number => {
    const at = stateOrder.indexOf(one.latest?.verdict ?? "");
    return at < 0 ? stateOrder.length : at;
  };
  const timed = device.cases.filter((one) => one.latest?.time_ns !== undefined);
  const worst = [...(timed.length > 0 ? timed : device.cases)].sort((a, b) => place(a) - place(b)
    || Math.abs(b.latest?.change ?? 0) - Math.abs(a.latest?.change ?? 0))[0];
  return worst && stateOf(worst.latest?.verdict).tone === "fine" ? device.cases[0] : worst;
}

interface Wanted {
  device: Device;
  one: Case;
  name: string;
}

/** The cases that the address names, and the names of those that do not exist. */
function useWanted(store: Store, device: Device, route: Route): { wanted: Wanted[]; unknown: string[]; pending: boolean } {
  const names = route.params["c"] ?? [];
  const keys = new Set(store.manifest.devices.map((entry) => entry.key));
  const references = names.map((name) => splitReference(name, keys, device.key));
  const resources = references.map(({ key }) => (key === device.key ? undefined : store.device(key)));
  useResources(resources);
  const wanted: Wanted[] = [];
  const unknown: string[] = [];
  let pending = false;
  references.forEach(({ key, id }, i) => {
    const resource = resources[i];
    if (resource && resource.value === undefined && !resource.error) pending = true;
    const home = key === device.key ? device : resource?.value;
    const one = home && caseById(home, id);
    const name = reference(key, id, device.key);
    if (!home || !one) unknown.push(name);
    else if (!wanted.some((other) => other.name === name)) wanted.push({ device: home, one, name });
  });
  if (names.length === 0) {
    const one = worstCase(device);
    if (one) wanted.push({ device, one, name: one.id });
  }
  return { wanted, unknown: pending ? [] : unknown, pending };
}

function defaultMetric(wanted: readonly Wanted[]): MetricKey {
  const metric = wanted[0]?.one.metric;
  return wanted.every(({ one }) => one.metric === metric) ? metricKeys.find((key) => key === metric) ?? "time" : "time";
}

/** The window that the address names; by default the last runs. */
function windowOf(model: TrendModel, route: Route): [number, number] {
  const limits = limitsOf(model);
  if (model.slots.length === 0) return [0, 1];
  const at = (text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    const slot = model.slots.findIndex((one) => one.device.runs[one.run]?.id === text);
    if (slot >= 0) return model.xs[slot];
    const stamp = Date.parse(text) / 1000;
    return Number.isFinite(stamp) && model.axisX === "date" ? stamp : undefined;
  };
  const room = model.axisX === "run" ? 0.5 : 0;
  const first = Math.max(0, model.slots.length - defaultWindow);
  const from = param(route, "from") === "all" ? limits[0] : (at(param(route, "from")) ?? (model.xs[first] ?? 0)) - room;
  const to = (at(param(route, "to")) ?? limits[1] - room) + room;
  return clampWindow(from, Math.max(to, from), limits, model.axisX === "run" ? 4 : 7200);
}

/** A window as parameters of the address: ids of runs, which stay valid when the history grows. */
function windowParams(model: TrendModel, low: number, high: number): { from: string | undefined; to: string | undefined } {
  const limits = limitsOf(model);
  const slack = (limits[1] - limits[0]) / 1e4;
  const idAt = (slot: number): string | undefined => {
    const one = model.slots[Math.max(0, Math.min(model.slots.length - 1, slot))];
    return one?.device.runs[one.run]?.id;
  };
  return {
    from: low <= limits[0] + slack ? "all" : idAt(slotAtX(model.xs, low)),
    to: high >= limits[1] - slack ? undefined : idAt(slotAtX(model.xs, high) - 1),
  };
}

function Controls({ route, metric, axisX, axisY, several }: {
  route: Route; metric: MetricKey; axisX: AxisX; axisY: AxisY; several: boolean;
}): JSX.Element {
  const link = (key: string) => (value: string): string => changed(route, { [key]: value });
  const yOptions = [
    ...(several ? [] : [{ value: "abs", label: "value" }]),
    { value: "first", label: "% of first", title: "change from the first run shown" },
    { value: "base", label: "% of baseline", title: "change from the accepted baseline" },
  ];
  return (
    <div class="controls">
      <Switch label="Metric" value={metric} link={link("m")}
        options={metricKeys.map((key) => ({ value: key, label: key === "tflops" ? "TFLOP/s" : key, title: metrics[key].name }))} />
      <Switch label="Scale" value={axisY} options={yOptions} link={link("y")} />
      <Switch label="Runs" value={axisX} options={[{ value: "run", label: "in order" }, { value: "date", label: "by date" }]} link={link("x")} />
    </div>
  );
}

/** Start of the time until the chart is drawn: the end of decoding if the view waited for it, else now. */
function trendStart(mounted: number): number {
  const decoded = performance.getEntriesByName("perfcheck:decoded").pop()?.startTime ?? 0;
  return decoded > mounted ? decoded : performance.now();
}

function Chart({ route, chosen, metric, axisX, axisY, mounted }: {
  route: Route; chosen: Chosen[]; metric: MetricKey; axisX: AxisX; axisY: AxisY; mounted: number;
}): JSX.Element {
  const start = useRef<number | undefined>(undefined);
  start.current ??= trendStart(mounted);
  const from = param(route, "from");
  const model = useMemo(() => {
    const plain = (slots: readonly Slot[]): number => {
      const named = from === undefined ? -1 : slots.findIndex((slot) => slot.device.runs[slot.run]?.id === from);
      return named >= 0 ? named : from === "all" ? 0 : Math.max(0, slots.length - defaultWindow);
    };
    return makeModel(chosen, metric, axisX, axisY, plain);
    // The scale "% of first" is relative to the first run of the window, so it depends on the window; other scales do
    // not.
  }, [chosen, metric, axisX, axisY, axisY === "first" ? from : ""]);
  const window = windowOf(model, route);
  const [live, setLive] = useState<[number, number]>();
  const [slot, setSlot] = useState<number>();
  const [emphasised, setEmphasised] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setLive(undefined), [param(route, "from"), param(route, "to")]);
  useEffect(() => setSlot(undefined), [model]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const routeNow = useRef(route);
  routeNow.current = route;
  const onWindow = useCallback((low: number, high: number) => {
    setLive([low, high]);
    clearTimeout(timer.current);
    // The address changes once the reader pauses, not with every turn of the wheel.
    timer.current = setTimeout(() => go(changed(routeNow.current, windowParams(model, low, high)), "replace"), 180);
  }, [model]);
  const onDrawn = useCallback(() => {
    if (start.current === undefined || start.current < 0) return;
    performance.measure("perfcheck:trend", { start: start.current });
    start.current = -1;
  }, []);
  const shown = live ?? window;
  const current = slot ?? model.stops[model.stops.length - 1];
  const [first, end] = [slotAtX(model.xs, shown[0]), slotAtX(model.xs, shown[1])];
  return (
    <>
      <Plot model={model} window={shown} slot={slot} emphasised={emphasised} onWindow={onWindow} onSlot={setSlot} onDrawn={onDrawn}
        label={`Trend of ${chosen.map((one) => one.name).join(", ")}: ${metrics[metric].name} over ${plural(model.slots.length, "run")}, ${first + 1} to ${end} shown`}
        onReset={() => go(changed(route, { from: undefined, to: undefined }))} />
      <Brush model={model} window={shown} onWindow={onWindow} />
      <div class="below-plot">
        <p class="window-links">
          <a href={changed(route, { from: undefined, to: undefined })}>last {defaultWindow} runs</a>
          <a href={changed(route, { from: "all", to: undefined })}>all {model.slots.length}</a>
        </p>
        <p class="legend quiet">
          shaded: 95 % interval · dashed: level changed by 1 % or more · <span class="band-swatch" /> baseline and what is allowed · <span aria-hidden="true">▲</span> on the axis:
          environment changed · drag or turn the wheel to zoom
        </p>
      </div>
      <Readout model={model} slot={current} />
      <Events model={model} window={shown} onPoint={setEmphasised} onSlot={setSlot} />
      <Twin title="Table of the runs shown">{() => <TrendTable model={model} window={shown} />}</Twin>
    </>
  );
}

export function TrendView({ store, device, route }: ViewProps): JSX.Element {
  const mounted = useRef(performance.now()).current;
  const { wanted, unknown, pending } = useWanted(store, device, route);
  const resources = wanted.map(({ one }) => store.columns(one.chunk));
  useResources(resources);
  const signature = wanted.map(({ name }) => name).join("\n") + resources.map(({ value }) => (value ? "1" : "0")).join("");
  const chosen = useMemo(() => {
    const colours = seriesColours(wanted.map(({ name }) => name));
    return wanted.flatMap(({ device: home, one, name }, i): Chosen[] => {
      const columns = resources[i]?.value;
      return columns ? [{ device: home, one, name, colour: colours[i] ?? 0, columns }] : [];
    });
  }, [signature, device]);
  const waiting = pending || resources.some(({ value, error }) => value === undefined && error === undefined);
  const metric = param(route, "m") === undefined ? defaultMetric(wanted) : choice(route, "m", metricKeys);
  const several = wanted.length > 1;
  const devices = new Set(wanted.map((one) => one.device));
  // Two devices have no common order of runs, and two cases no common level.
  const axisX: AxisX = devices.size > 1 ? "date" : choice(route, "x", ["run", "date"]);
  const axisY: AxisY = several ? choice(route, "y", ["first", "base"]) : choice(route, "y", ["abs", "first", "base"]);
  return (
    <div class="trend">
      <Picks store={store} device={device} route={route} wanted={wanted} />
      {unknown.map((name) => <p key={name} class="message warn">No case is named <code>{name}</code> on this device.</p>)}
      <Controls route={route} metric={metric} axisX={axisX} axisY={axisY} several={several} />
      {resources.map(({ error }, i) => (error ? <ChunkMessage key={error.key} error={error} what={`The trend of ${wanted[i]?.name ?? error.key}`} /> : null))}
      {waiting ? <p class="quiet pending" aria-busy="true">Reading the series ...</p> : null}
      {!waiting && chosen.length > 0 ? (
        <Section id="trend" title={metrics[metric].name} aside={<span class="quiet">
          {axisY === "abs" ? metrics[metric].unit : axisY === "first" ? "change from the first run shown" : "change from the baseline"},{" "}
          {metrics[metric].upIsBetter ? "more is better" : "less is better"}
        </span>}>
          <Chart key={`${metric} ${axisX} ${axisY} ${signature}`} route={route} chosen={chosen} metric={metric} axisX={axisX} axisY={axisY} mounted={mounted} />
        </Section>
      ) : null}
    </div>
  );
}
