// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// TFLOP/s over N, for the square problems of the same types and layout as the chosen one.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Missing, Twin } from "../../components/basics";
import { seriesColours } from "../../charts/colours";
import { AxisX, AxisY, Frame } from "../../charts/parts";
import { linear, logarithmic, spread, type Scale } from "../../charts/scale";
import type { Device } from "../../data/contract";
import { familyOf, kernelId, squareSize, typesOf } from "../../data/model";
import { significant, tick } from "../../format";
import { changed, go, type Route } from "../../state/router";

interface Line {
  kernel: string;
  library: boolean;
  points: { n: number; tflops: number; id: string }[];
}

function linesOf(device: Device, problem: number): { lines: Line[]; family: string } {
  const chosen = device.problems[problem];
  if (!chosen) return { lines: [], family: "" };
  const types = typesOf(chosen);
  const squares = device.problems.map((one) => (squareSize(one) === undefined ? undefined : familyOf(one)));
  // Where the chosen layout has no square problems, another layout of the same types is shown instead.
  const own = familyOf(chosen);
  const wanted = squares.includes(own) ? own : squares.find((one, i) => one !== undefined && typesOf(device.problems[i]) === types) ?? own;
  const lines = new Map<string, Line>();
  for (const one of device.cases) {
    const n = squareSize(device.problems[one.problem]);
    const tflops = one.latest?.tflops;
    if (n === undefined || tflops === undefined || squares[one.problem] !== wanted) continue;
    const kernel = kernelId(device, one);
    let line = lines.get(kernel);
    if (!line) lines.set(kernel, (line = { kernel, library: (device.kernels[one.kernel]?.library ?? "") !== "", points: [] }));
    line.points.push({ n, tflops, id: one.id });
  }
  for (const line of lines.values()) line.points.sort((a, b) => a.n - b.n);
  const best = (line: Line): number => line.points[line.points.length - 1]?.tflops ?? 0;
  return { lines: [...lines.values()].sort((a, b) => best(b) - best(a)), family: wanted };
}

function Curves({ lines, colours, x, y, width, onPoint }: {
  lines: Line[]; colours: number[]; x: Scale; y: Scale; width: number; onPoint: (text: string) => void;
}): JSX.Element {
  const ends = lines.map((line) => y(line.points[line.points.length - 1]?.tflops ?? 0));
  const places = spread(ends, 14, 10, y(y.domain[0]));
  const narrow = width < 560;
  return (
    <>
      {lines.map((line, i) => {
        const colour = `var(--series-${colours[i] ?? 0})`;
        const path = line.points.map((point, at) => `${at === 0 ? "M" : "L"}${x(point.n).toFixed(1)},${y(point.tflops).toFixed(1)}`).join("");
        return (
          <g key={line.kernel} class={line.library ? "curve library" : "curve"} style={{ "--colour": colour }}>
            <path d={path} stroke-dasharray={line.library ? "6 4" : ""} />
            {line.points.map((point) => {
              const text = `${line.kernel} at N = ${point.n}: ${significant(point.tflops, 3)} TFLOP/s`;
              return (
                <circle key={point.n} cx={x(point.n)} cy={y(point.tflops)} r="3.6" onMouseEnter={() => onPoint(text)} onMouseLeave={() => onPoint("")}>
                  <title>{text}</title>
                </circle>
              );
            })}
            {narrow ? null : <text x={x(line.points[line.points.length - 1]?.n ?? 1) + 9} y={places[i]} dy="0.32em">{line.kernel}</text>}
          </g>
        );
      })}
    </>
  );
}

export function Scaling({ device, problem, route }: { device: Device; problem: number; route: Route }): JSX.Element {
  const { lines, family: name } = linesOf(device, problem);
  const [pointed, setPointed] = useState("");
  if (lines.length === 0) return <p class="quiet">No square problems of these types were measured.</p>;
  const wanted = route.params["k"];
  const isShown = (line: Line, i: number): boolean => (wanted ? wanted.includes(line.kernel) : line.library || i < 6);
  const shown = lines.filter(isShown);
  const colours = seriesColours(lines.map((line) => line.kernel));
  const shownColours = shown.map((line) => colours[lines.indexOf(line)] ?? 0);
  const sizes = [...new Set(lines.flatMap((line) => line.points.map((point) => point.n)))].sort((a, b) => a - b);
  const most = Math.max(...shown.flatMap((line) => line.points.map((point) => point.tflops)), 1e-3);
  const toggle = (line: Line): void => {
    const names = lines.filter((one, i) => (one === line ? !isShown(one, i) : isShown(one, i))).map((one) => one.kernel);
    go(changed(route, { k: names.length === 0 ? ["none"] : names }), "replace");
  };
  return (
    <>
      <fieldset class="choices">
        <legend class="field-label">Kernels, <code>{name}</code></legend>
        {lines.map((line, i) => (
          <label key={line.kernel} style={{ "--colour": `var(--series-${colours[i] ?? 0})` }}>
            <input type="checkbox" checked={isShown(line, i)} onChange={() => toggle(line)} />{line.kernel}
          </label>
        ))}
      </fieldset>
      <Frame height={340} label="TFLOP/s over the size of square problems; the table holds the figures" class="scaling">
        {(width) => {
          const narrow = width < 560;
          const longest = Math.max(...shown.map((line) => line.kernel.length), 4);
          const x = logarithmic([(sizes[0] ?? 1) * 0.9, (sizes[sizes.length - 1] ?? 2) * 1.1], [50, width - (narrow ? 12 : longest * 6.6 + 22)]);
          x.ticks = sizes.filter((size, i) => i === 0 || x(size) - x(sizes[i - 1] ?? size) > 34);
          const y = linear([0, most * 1.06], [302, 16], 6);
          return (
            <>
              <AxisX scale={x} y={302} top={16} text={(value) => String(value)} title="N" right={x(x.domain[1])} />
              <AxisY scale={y} x={50} right={x(x.domain[1])} text={tick} title="TFLOP/s" />
              <Curves lines={shown} colours={shownColours} x={x} y={y} width={width} onPoint={setPointed} />
            </>
          );
        }}
      </Frame>
      <p class="chart-readout">{pointed || <span class="quiet">Dashed: the library's kernel.</span>}</p>
      <Twin title="Table of the scaling">{() => (
        <table class="plain">
          <thead><tr><th scope="col">kernel</th>{sizes.map((size) => <th key={size} scope="col" class="num">N = {size}</th>)}</tr></thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.kernel}>
                <th scope="row">{line.kernel}</th>
                {sizes.map((size) => {
                  const point = line.points.find((one) => one.n === size);
                  return <td key={size} class="num">{point ? `${significant(point.tflops, 3)}\u00a0TFLOP/s` : <Missing why="not measured" />}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}</Twin>
    </>
  );
}
