// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { Twin, Value, Verdict } from "../../components/basics";
import { AxisX, Frame } from "../../charts/parts";
import { linear } from "../../charts/scale";
import type { Case, Device } from "../../data/contract";
import { caseById, kernelId } from "../../data/model";
import { stateOf } from "../../data/verdicts";
import { figure, share, significant, tick, withUnit } from "../../format";
import { href } from "../../state/router";

const rowHeight = 30;

interface Shown {
  device: Device;
  cases: Case[];
  reference: number | undefined;
  peak: number | undefined;
  arithmetic: string;
}

function Bar({ device, one, x, left, y, width, narrow, isReference }: {
  device: Device; one: Case; x: (value: number) => number; left: number; y: number; width: number; narrow: boolean; isReference: boolean;
}): JSX.Element {
  const tflops = one.latest?.tflops;
  const state = stateOf(one.latest?.verdict ?? one.latest?.status);
  const end = x(tflops ?? 0);
  const part = one.latest?.reference_share;
  const words = tflops === undefined ? state.word : `${significant(tflops, 3)}${part === undefined ? "" : ` \u00b7 ${share(part)}`}`;
  // The text stands inside the bar if there is no room beside it.
  const inside = end + words.length * 6.6 > width - 4;
  const flag = tflops === undefined || state.tone === "fine" || state.tone === "none" ? "" : state.glyph;
  const figures = tflops === undefined ? "not timed" : `${withUnit(tflops, "TFLOP/s")}, ${share(part)} of the reference, ${share(one.latest?.peak_share)} of peak`;
  const label = `${kernelId(device, one)}: ${figures}, ${state.word}`;
  const labelY = narrow ? y - 3 : y + 10;
  return (
    <g>
      <g aria-hidden="true">
        <text class="bar-name" x={narrow ? 2 : left - 9} y={labelY} dy={narrow ? 0 : "0.32em"} text-anchor={narrow ? "start" : "end"}>{kernelId(device, one)}</text>
        {tflops === undefined ? null : <rect class={isReference ? "bar bar-reference" : "bar"} x={left} y={y + 1} width={Math.max(1, end - left)} height="18" rx="2" />}
        <text class={inside ? "bar-value inside" : "bar-value"} x={inside ? end - 6 : end + 6} y={y + 10} dy="0.32em" text-anchor={inside ? "end" : "start"}>{words}</text>
        {flag === "" ? null : <text class="bar-state" x={left + 7} y={y + 10} dy="0.32em">{flag}</text>}
      </g>
      {/* Over the row, so that all of it can be pointed at. */}
      <a href={href("case", { d: device.key, c: one.id })} class="bar-row" aria-label={label} data-row>
        <rect class="hit" x="0" y={narrow ? y - 16 : y - 4} width={width} height={narrow ? rowHeight + 12 : rowHeight - 2} rx="3" />
      </a>
    </g>
  );
}

function Marks({ shown, x, top, bottom }: { shown: Shown; x: (value: number) => number; top: number; bottom: number }): JSX.Element {
  const { reference, peak, arithmetic } = shown;
  return (
    <g aria-hidden="true">
      {reference === undefined ? null : (
        <g class="mark-reference">
          <line x1={x(reference)} x2={x(reference)} y1={top} y2={bottom} />
          <text x={x(reference) - 5} y={top - 4} text-anchor="end">reference {significant(reference, 3)}</text>
        </g>
      )}
      {peak === undefined ? null : (
        <g class="mark-peak">
          <line x1={x(peak)} x2={x(peak)} y1={top} y2={bottom} />
          <text x={x(peak) - 5} y={top - 18} text-anchor="end">peak {arithmetic} {significant(peak, 3)}</text>
        </g>
      )}
    </g>
  );
}

function BarTable({ shown }: { shown: Shown }): JSX.Element {
  const metrics = shown.device.metrics.filter((metric) => metric.ladder);
  return (
    <table class="plain">
      <thead><tr>
        <th scope="col">kernel</th>{metrics.map((metric) => <th key={metric.key} scope="col" class="num">{metric.name}</th>)}<th scope="col">verdict</th>
      </tr></thead>
      <tbody>
        {shown.cases.map((one) => (
          <tr key={one.id}>
            <th scope="row"><a href={href("case", { d: shown.device.key, c: one.id })}>{kernelId(shown.device, one)}</a></th>
            {metrics.map((metric) => <td key={metric.key} class="num"><Value text={figure(metric, one.latest)} why="not measured" /></td>)}
            <td><Verdict name={one.latest?.verdict ?? one.latest?.status} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Bars({ device, cases }: { device: Device; cases: Case[] }): JSX.Element {
  const order = [...cases].sort((a, b) => (b.latest?.tflops ?? -1) - (a.latest?.tflops ?? -1));
  const arithmetic = order[0]?.arithmetic ?? "";
  const referenceId = order.find((one) => one.reference !== undefined)?.reference;
  const shown: Shown = {
    device, cases: order, arithmetic, reference: caseById(device, referenceId)?.latest?.tflops, peak: device.peak_tflops?.[arithmetic],
  };
  const most = Math.max(1e-3, shown.peak ?? 0, ...order.map((one) => one.latest?.tflops ?? 0));
  const height = (width: number): number => 44 + order.length * (width < 560 ? rowHeight + 14 : rowHeight) + 22;
  return (
    <>
      <Frame height={height} label={`Speed of ${order.length} kernels in TFLOP/s`} class="bars">
        {(width) => {
          const narrow = width < 560;
          const row = narrow ? rowHeight + 14 : rowHeight;
          const left = narrow ? 2 : Math.min(260, Math.max(...order.map((one) => kernelId(device, one).length), 8) * 7 + 16);
          const x = linear([0, most], [left, width - (shown.peak === undefined ? 90 : 14)], narrow ? 4 : 7);
          const top = 40;
          const bottom = top + order.length * row;
          return (
            <>
              <AxisX scale={x} y={bottom + 2} top={top} text={tick} />
              <Marks shown={shown} x={x} top={top} bottom={bottom} />
              {order.map((one, i) => (
                <Bar key={one.id} device={device} one={one} x={x} left={left} y={top + i * row + (narrow ? 18 : 4)} width={width} narrow={narrow}
                  isReference={one.id === referenceId} />
              ))}
            </>
          );
        }}
      </Frame>
      <Twin title="Table of the ladder">{() => <BarTable shown={shown} />}</Twin>
    </>
  );
}
