// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Speed against arithmetic intensity, with the limits of the device: compute ceilings and memory slope.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Switch, Twin } from "../../components/basics";
import { AxisX, AxisY, Frame } from "../../charts/parts";
import { logarithmic, spread, type Scale } from "../../charts/scale";
import type { Case, Device } from "../../data/contract";
import { kernelId, problemOf, shapeLabel, typesOf } from "../../data/model";
import { significant, tick, withUnit } from "../../format";
import { changed, choice, go, href, type Route } from "../../state/router";

interface Mark {
  one: Case;
  intensity: number;
  tflops: number;
  /** Whether the case has the chosen problem: then it is drawn large and labelled. */
  chosen: boolean;
}

const scopes = ["problem", "types", "all"] as const;

function marksOf(device: Device, problem: number, scope: (typeof scopes)[number]): Mark[] {
  const types = typesOf(device.problems[problem]);
  return device.cases.flatMap((one): Mark[] => {
    const of = problemOf(device, one);
    const tflops = one.latest?.tflops;
    if (!of?.flop || !of.bytes || tflops === undefined) return [];
    if (scope === "problem" ? one.problem !== problem : scope === "types" && typesOf(of) !== types) return [];
    return [{ one, intensity: of.flop / of.bytes, tflops, chosen: one.problem === problem }];
  }).sort((a, b) => Number(a.chosen) - Number(b.chosen) || a.intensity - b.intensity || b.tflops - a.tflops);
}

function describe(device: Device, mark: Mark): string {
  return `${mark.one.id}: ${significant(mark.tflops, 3)} TFLOP/s at ${significant(mark.intensity, 3)} FLOP/byte, `
    + `bound ${withUnit(boundOf(device, mark), "TFLOP/s")}`;
}

/** The highest speed that the device allows at this intensity. */
function boundOf(device: Device, mark: Mark): number | undefined {
  const peak = device.peak_tflops?.[mark.one.arithmetic ?? ""];
  const memory = device.peak_gb_s === undefined ? undefined : (device.peak_gb_s * mark.intensity) / 1e3;
  return peak === undefined ? memory : memory === undefined ? peak : Math.min(peak, memory);
}

function Ceilings({ device, x, y, used }: { device: Device; x: Scale; y: Scale; used: ReadonlySet<string> }): JSX.Element {
  const slope = device.peak_gb_s;
  const groups = new Map<number, string[]>();
  for (const [name, peak] of Object.entries(device.peak_tflops ?? {})) {
    if (peak > 0) groups.set(peak, [...(groups.get(peak) ?? []), name]);
  }
  const highest = Math.max(0, ...groups.keys());
  const [low, high] = x.domain;
  const kneeOf = (peak: number): number => Math.max(low, Math.min(high, slope === undefined ? low : (peak * 1e3) / slope));
  return (
    <g class="ceilings" aria-hidden="true">
      {slope === undefined || highest === 0 ? null : (
        <>
          <line class="slope" x1={x(low)} y1={y((slope * low) / 1e3)} x2={x(kneeOf(highest))} y2={y((slope * kneeOf(highest)) / 1e3)} />
          <text class="slope-text" x={x(kneeOf(highest) * 0.5) - 10} y={y((slope * kneeOf(highest) * 0.5) / 1e3) - 4} text-anchor="end">
            {x(high) < 500 ? "" : "memory "}{withUnit(slope, "GB/s", 4)}</text>
        </>
      )}
      {[...groups].map(([peak, names]) => (
        <g key={peak} class={names.some((name) => used.has(name)) ? "used" : undefined}>
          <line x1={x(kneeOf(peak))} x2={x(high)} y1={y(peak)} y2={y(peak)} />
          <text x={x(high) - 4} y={y(peak) - 6} text-anchor="end">{names.join(", ")} {withUnit(peak, "TFLOP/s")}</text>
        </g>
      ))}
    </g>
  );
}

function Marks({ device, marks, x, y, width, onPoint }: {
  device: Device; marks: Mark[]; x: Scale; y: Scale; width: number; onPoint: (mark: Mark | undefined) => void;
}): JSX.Element {
  const labelled = marks.filter((mark) => mark.chosen);
  const places = spread(labelled.map((mark) => y(mark.tflops)), 14, y.ticks.length > 0 ? 14 : 0, y(y.domain[0]) - 4);
  const [at, setAt] = useState(0);
  const move = (event: KeyboardEvent, i: number): void => {
    const by = event.key === "ArrowRight" || event.key === "ArrowUp" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowDown" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.max(0, Math.min(marks.length - 1, i + by));
    setAt(next);
    const all = (event.currentTarget as Element).parentElement?.querySelectorAll<SVGElement>("a.point");
    all?.[next]?.focus();
  };
  return (
    <g>
      {labelled.map((mark, i) => {
        // The label stands to the left of a point that is far to the right, where there is more room.
        const toLeft = x(mark.intensity) > width * 0.62;
        const place = places[i] ?? y(mark.tflops);
        const from = x(mark.intensity) + (toLeft ? -6 : 6);
        const to = x(mark.intensity) + (toLeft ? -20 : 20);
        return (
          <g key={mark.one.id} class="point-label" aria-hidden="true">
            <path d={`M${from},${y(mark.tflops)}L${to},${place}`} />
            <text x={to + (toLeft ? -3 : 3)} y={place} dy="0.32em" text-anchor={toLeft ? "end" : "start"}>{kernelId(device, mark.one)}</text>
          </g>
        );
      })}
      <g>
        {marks.map((mark, i) => (
          <a key={mark.one.id} href={href("case", { d: device.key, c: mark.one.id })} class={mark.chosen ? "point chosen" : "point"}
            aria-label={describe(device, mark)} tabIndex={i === Math.min(at, marks.length - 1) ? 0 : -1} onKeyDown={(event) => move(event, i)}
            onFocus={() => onPoint(mark)} onBlur={() => onPoint(undefined)} onMouseEnter={() => onPoint(mark)} onMouseLeave={() => onPoint(undefined)}>
            <circle class="halo" cx={x(mark.intensity)} cy={y(mark.tflops)} r="9" />
            <circle cx={x(mark.intensity)} cy={y(mark.tflops)} r={mark.chosen ? 5 : 3} />
          </a>
        ))}
      </g>
    </g>
  );
}

function domains(device: Device, marks: readonly Mark[]): { x: [number, number]; y: [number, number] } {
  const peaks = Object.values(device.peak_tflops ?? {}).filter((peak) => peak > 0);
  const slope = device.peak_gb_s;
  const knees = slope === undefined ? [] : peaks.map((peak) => (peak * 1e3) / slope);
  const xs = [...marks.map((mark) => mark.intensity), ...knees];
  const ys = [...marks.map((mark) => mark.tflops), ...peaks];
  const low = Math.min(...xs, 1e6) / 2;
  return { x: [low, Math.max(...xs, low * 10) * 2.2], y: [Math.min(...ys, 1e6) / 1.8, Math.max(...ys, 1e-3) * 1.9] };
}

export function Roofline({ device, problem, route }: { device: Device; problem: number; route: Route }): JSX.Element {
  const scope = choice(route, "r", scopes);
  const [pointed, setPointed] = useState<Mark>();
  const marks = marksOf(device, problem, scope);
  if (marks.length === 0) return <p class="quiet">No case of this problem has a time, its FLOP and its bytes.</p>;
  const range = domains(device, marks);
  const used = new Set(marks.filter((mark) => mark.chosen).map((mark) => mark.one.arithmetic ?? ""));
  return (
    <>
      <Switch label="Cases of" value={scope} link={(value) => changed(route, { r: value })}
        options={[{ value: "problem", label: "this problem" }, { value: "types", label: "these types" }, { value: "all", label: "all" }]} />
      <Frame height={(width) => (width < 560 ? 340 : 440)} label={`Roofline of ${device.name}: ${marks.length} cases; arrow keys move among them`} class="roofline">
        {(width) => {
          const bottom = (width < 560 ? 340 : 440) - 38;
          const x = logarithmic(range.x, [46, width - 10], width < 560 ? 4 : 8);
          const y = logarithmic(range.y, [bottom, 16], 7);
          return (
            <>
              <AxisX scale={x} y={bottom} top={16} text={tick} title="FLOP per byte that must move" right={width - 10} />
              <AxisY scale={y} x={46} right={width - 10} text={tick} title="TFLOP/s" />
              <Ceilings device={device} x={x} y={y} used={used} />
              <Marks device={device} marks={marks} x={x} y={y} width={width} onPoint={setPointed} />
            </>
          );
        }}
      </Frame>
      <p class="chart-readout" aria-live="polite">
        {pointed ? describe(device, pointed) : <span class="quiet">Point at a case, or move with the arrow keys, to see its figures.</span>}
      </p>
      <Twin title="Table of the roofline">{() => (
        <table class="plain">
          <thead><tr><th scope="col">kernel</th><th scope="col">problem</th><th scope="col" class="num">FLOP/byte</th>
            <th scope="col" class="num">TFLOP/s</th><th scope="col" class="num">bound</th></tr></thead>
          <tbody>
            {[...marks].reverse().map((mark) => (
              <tr key={mark.one.id}>
                <th scope="row"><a href={href("case", { d: device.key, c: mark.one.id })}>{kernelId(device, mark.one)}</a></th>
                <td><button type="button" class="link" onClick={() => go(changed(route, { p: problemOf(device, mark.one)?.text }))}>
                  {shapeLabel(problemOf(device, mark.one))}</button></td>
                <td class="num">{significant(mark.intensity, 3)}</td><td class="num">{significant(mark.tflops, 3)}</td>
                <td class="num">{withUnit(boundOf(device, mark), "")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}</Twin>
    </>
  );
}
