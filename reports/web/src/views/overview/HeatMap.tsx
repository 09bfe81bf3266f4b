// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// A table of kernels and problems: rows are grouped by type of arithmetic, and each shape has a column, so that the
// sizes of one kernel stand side by side and no column is mostly empty.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Section, Switch } from "../../components/basics";
import type { Case, Device } from "../../data/contract";
import { kernelId, lastRunIndex, problemOf, shapeLabel, shapeOf, typesOf } from "../../data/model";
import { stateOf } from "../../data/verdicts";
import { change as changeText, share, time, withUnit } from "../../format";
import { changed, choice, href, type Route } from "../../state/router";

const modes = ["reference", "change", "peak", "verdict"] as const;
type Mode = (typeof modes)[number];
const modeNames: Record<Mode, string> = {
  reference: "share of the reference", change: "change against baseline", peak: "share of peak", verdict: "verdict",
};

interface Shape {
  key: string;
  label: string;
  flop: number;
}

interface Grid {
  shapes: Shape[];
  groups: { types: string; rows: { kernel: string; library: boolean; cells: Map<string, Case> }[] }[];
}

function gridOf(device: Device): Grid {
  const shapes = new Map<string, Shape>();
  const groups = new Map<string, Map<string, { kernel: string; library: boolean; cells: Map<string, Case> }>>();
  for (const one of device.cases) {
    const problem = problemOf(device, one);
    const shape = shapeOf(problem);
    if (!shapes.has(shape)) shapes.set(shape, { key: shape, label: shapeLabel(problem), flop: problem?.flop ?? 0 });
    const types = typesOf(problem);
    let rows = groups.get(types);
    if (!rows) groups.set(types, (rows = new Map()));
    const kernel = kernelId(device, one);
    let row = rows.get(kernel);
    if (!row) rows.set(kernel, (row = { kernel, library: (device.kernels[one.kernel]?.library ?? "") !== "", cells: new Map() }));
    row.cells.set(shape, one);
  }
  const squareFirst = (shape: Shape): number => (shape.label.includes("\u00b3") ? 0 : 1);
  return {
    shapes: [...shapes.values()].sort((a, b) => squareFirst(a) - squareFirst(b) || a.flop - b.flop),
    groups: [...groups].map(([types, rows]) => ({ types, rows: [...rows.values()] })),
  };
}

interface Cell {
  text: string;
  /** Name of the colour and its strength, 0 to 1. */
  colour: string;
  amount: number;
}

const empty: Cell = { text: "", colour: "none", amount: 0 };

function cellOf(one: Case, mode: Mode): Cell {
  const latest = one.latest;
  if (!latest) return empty;
  const state = stateOf(latest.verdict ?? latest.status);
  if (mode === "verdict" || state.tone === "broken") {
    return { text: state.glyph, colour: state.tone, amount: state.tone === "fine" || state.tone === "none" ? 0.25 : 0.8 };
  }
  if (mode === "change") {
    if (latest.change === undefined) return empty;
    const amount = Math.min(1, Math.abs(latest.change) / 0.05);
    return { text: changeText(latest.change).replace(/\u00a0%$/, ""), colour: latest.change > 0 ? "worse" : "better", amount };
  }
  if (mode === "reference" && one.reference === one.id) return { text: "ref", colour: "none", amount: 0 };
  const value = mode === "reference" ? latest.reference_share : latest.peak_share;
  if (value === undefined) return empty;
  return { text: String(Math.round(value * 100)), colour: "level", amount: Math.min(1, value) };
}

function describe(one: Case, device: Device): string {
  const latest = one.latest;
  if (!latest) return `${one.id}: never measured`;
  const parts = [`${one.id}: ${stateOf(latest.verdict ?? latest.status).word}`, time(latest.time_ns), withUnit(latest.tflops, "TFLOP/s")];
  if (latest.reference_share !== undefined) parts.push(`${share(latest.reference_share)} of the reference`);
  if (latest.peak_share !== undefined) parts.push(`${share(latest.peak_share)} of peak`);
  if (latest.change !== undefined) parts.push(`${changeText(latest.change)} against the baseline`);
  const age = lastRunIndex(device) - latest.run;
  if (age > 0) parts.push(`measured ${age} runs ago`);
  return parts.filter((part) => part !== "\u2014").join(", ");
}

function HeatCell({ device, one, mode }: { device: Device; one: Case | undefined; mode: Mode }): JSX.Element {
  if (!one) return <td class="none" />;
  const cell = cellOf(one, mode);
  const stale = one.latest !== undefined && one.latest.run < lastRunIndex(device);
  const title = describe(one, device);
  const text = cell.text === "" ? "\u00b7" : cell.text;
  return (
    <td class={stale ? "stale" : undefined}>
      <a href={href("case", { d: device.key, c: one.id })} class={`heat heat-${cell.colour}`} title={title} aria-label={`${text}: ${title}`}
        style={{ "--amount": `${Math.round(cell.amount * 100)}%` }}>{text}</a>
    </td>
  );
}

function HeatTable({ device, mode, grid }: { device: Device; mode: Mode; grid: Grid }): JSX.Element {
  return (
    <div class="scroll heat-scroll" tabIndex={0} role="region" aria-label="Heat map of kernels and problems">
      <table class="heat-map">
        <caption class="sr-only">{modeNames[mode]} of every case in its latest run, in percent where a number stands</caption>
        <thead>
          <tr>
            <th scope="col">kernel</th>
            {grid.shapes.map((shape) => <th key={shape.key} scope="col"><span>{shape.label}</span></th>)}
          </tr>
        </thead>
        {grid.groups.map(({ types, rows }) => (
          <tbody key={types}>
            <tr class="types"><th scope="rowgroup" colSpan={grid.shapes.length + 1}>{types || "no types recorded"}</th></tr>
            {rows.map((row) => (
              <tr key={row.kernel} class={row.library ? "library" : undefined}>
                <th scope="row">
                  <a href={href("trend", { d: device.key, c: [...row.cells.values()].slice(0, 6).map((one) => one.id) })} data-row
                    title={`Trend of ${row.kernel}`}>{row.kernel}</a>
                </th>
                {grid.shapes.map((shape) => <HeatCell key={shape.key} device={device} one={row.cells.get(shape.key)} mode={mode} />)}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Legend({ mode }: { mode: Mode }): JSX.Element {
  if (mode === "change") {
    return <p class="legend quiet"><span class="swatch heat-better" />5 % faster<span class="swatch heat-neutral" />equal<span class="swatch heat-worse" />5 % slower; in percent</p>;
  }
  if (mode === "verdict") return <p class="legend quiet">the glyphs are those of the counts above; a case that was not in the last run has a dotted edge</p>;
  return <p class="legend quiet"><span class="ramp" aria-hidden="true" />0 to 100 %; more is faster</p>;
}

export function HeatMap({ device, route }: { device: Device; route: Route }): JSX.Element {
  const mode = choice(route, "h", modes);
  const grid = useMemo(() => gridOf(device), [device]);
  return (
    <Section id="heat" title="All cases"
      aside={<Switch label="Show" value={mode} link={(value) => changed(route, { h: value })}
        options={modes.map((one) => ({ value: one, label: modeNames[one] }))} />}>
      <HeatTable device={device} mode={mode} grid={grid} />
      <Legend mode={mode} />
    </Section>
  );
}
