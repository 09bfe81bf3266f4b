// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The rounds behind the case's numbers: their distribution in each session, and their order in time.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Section, Twin } from "../../components/basics";
import { AxisX, AxisY, Frame } from "../../charts/parts";
import { extent, linear, type Scale } from "../../charts/scale";
import type { DetailSession, Device, Rounds as RoundData } from "../../data/contract";
import { date, metrics, plural, shortCommit, time, withUnit } from "../../format";
import { box, histogram, median } from "../../stats";

type Measure = "ratio" | "time" | "reference" | "clock";
const measureNames: Record<Measure, string> = { ratio: "ratio by round", time: "time", reference: "time of the reference", clock: "clock" };

function valuesOf(rounds: RoundData, measure: Measure): number[] {
  switch (measure) {
    case "ratio": return rounds.time_ns.flatMap((ns, i) => {
      const other = rounds.reference_time_ns?.[i];
      return other === undefined ? [] : [ns / other];
    });
    case "time": return rounds.time_ns;
    case "reference": return rounds.reference_time_ns ?? [];
    case "clock": return rounds.clock_mhz ?? [];
  }
}

function textOf(measure: Measure, value: number): string {
  if (measure === "ratio") return metrics.ratio.text(value);
  return measure === "clock" ? withUnit(value, "MHz", 4) : time(value, 5);
}

interface Shown {
  session: DetailSession;
  values: number[];
  label: string;
}

/** Moves dots sideways so that equal values do not hide each other; each dot always gets the same place. */
function jitter(i: number): number {
  return ((i * 0.6180339887) % 1) - 0.5;
}

const rowHeight = 54;

function SessionRow({ shown, x, y, width, measure }: { shown: Shown; x: Scale; y: number; width: number; measure: Measure }): JSX.Element {
  const { values, label } = shown;
  const summary = box(values);
  const bins = histogram(values, x.domain[0], x.domain[1], 60);
  const most = Math.max(...bins, 1);
  const barWidth = (x(x.domain[1]) - x(x.domain[0])) / bins.length;
  const text = `${label}: median ${textOf(measure, summary.median)}, quartiles ${textOf(measure, summary.q1)} to ${textOf(measure, summary.q3)}, ${values.length} rounds`;
  return (
    <g transform={`translate(0,${y})`} role="img" aria-label={text}>
      <title>{text}</title>
      <g class="histogram">
        {bins.map((count, i) => count === 0 ? null : (
          <rect key={i} x={x(x.domain[0]) + i * barWidth} width={Math.max(1, barWidth - 0.5)} y={24 - (count / most) * 20} height={(count / most) * 20} />
        ))}
      </g>
      <g class="strip">
        {values.map((value, i) => <circle key={i} cx={x(value)} cy={36 + jitter(i) * 13} r="1.9" />)}
      </g>
      <g class="box">
        <line x1={x(summary.low)} x2={x(summary.q1)} y1="36" y2="36" /><line x1={x(summary.q3)} x2={x(summary.high)} y1="36" y2="36" />
        <rect x={x(summary.q1)} width={Math.max(1, x(summary.q3) - x(summary.q1))} y="28" height="16" />
        <line class="median" x1={x(summary.median)} x2={x(summary.median)} y1="25" y2="47" />
      </g>
      {width < 560 ? <text class="row-label" x="2" y="2">{label}</text> : <text class="row-label" x="2" y="36" dy="0.32em">{label}</text>}
    </g>
  );
}

function Distribution({ shown, measure }: { shown: Shown[]; measure: Measure }): JSX.Element {
  const domain = extent(shown.flatMap(({ values }) => values), 0.04);
  const height = 14 + shown.length * rowHeight + 34;
  return (
    <Frame height={height} label={`${measureNames[measure]} of the rounds of ${plural(shown.length, "session")}: dots, quartiles and counts`} class="rounds">
      {(width) => {
        const left = width < 560 ? 8 : 176;
        const x = linear(domain, [left, width - 12], width < 560 ? 3 : 6);
        const bottom = 14 + shown.length * rowHeight;
        return (
          <>
            <AxisX scale={x} y={bottom} top={8} text={(value) => axisText(measure, value, x)} />
            {shown.map((one, i) => <SessionRow key={i} shown={one} x={x} y={12 + i * rowHeight} width={width} measure={measure} />)}
          </>
        );
      }}
    </Frame>
  );
}

/** Ticks differ little, so they get as many digits as are needed to tell them apart. */
function axisText(measure: Measure, value: number, scale: Scale): string {
  const step = (scale.ticks[1] ?? 1) - (scale.ticks[0] ?? 0) || 1;
  const [unit, name] = measure === "ratio" ? [1, "\u00d7"] : measure === "clock" ? [1, "MHz"]
    : value >= 1e6 ? [1e6, "ms"] : value >= 1e3 ? [1e3, "\u00b5s"] : [1, "ns"];
  return `${(value / unit).toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step / unit) + 1e-9))))}\u00a0${name}`;
}

function InOrder({ shown, measure }: { shown: Shown[]; measure: Measure }): JSX.Element {
  const longest = Math.max(...shown.map(({ values }) => values.length), 2);
  const domain = extent(shown.flatMap(({ values }) => values), 0.06);
  return (
    <Frame height={240} label={`${measureNames[measure]} of the rounds in order of time`} class="in-order">
      {(width) => {
        const x = linear([1, longest], [86, width - 12], 8);
        const y = linear(domain, [200, 16], 5);
        return (
          <>
            <AxisX scale={x} y={200} top={16} text={(value) => String(Math.round(value))} title="round" right={width - 12} />
            <AxisY scale={y} x={86} right={width - 12} text={(value) => axisText(measure, value, y)} />
            {shown.map(({ values, label }, i) => (
              <g key={i} class="order-line" style={{ "--colour": `var(--series-${i % 8})` }}>
                <title>{label}</title>
                <path d={values.map((value, at) => `${at === 0 ? "M" : "L"}${x(at + 1).toFixed(1)},${y(value).toFixed(1)}`).join("")} />
                {values.map((value, at) => <circle key={at} cx={x(at + 1)} cy={y(value)} r="1.8" />)}
              </g>
            ))}
          </>
        );
      }}
    </Frame>
  );
}

function SessionTable({ shown, measure }: { shown: Shown[]; measure: Measure }): JSX.Element {
  return (
    <table class="plain">
      <thead><tr><th scope="col">session</th><th scope="col" class="num">rounds</th><th scope="col" class="num">median</th><th scope="col" class="num">quartiles</th>
        <th scope="col" class="num">launches per replay</th><th scope="col">stopped</th><th scope="col" class="num">power</th><th scope="col" class="num">temperature</th><th scope="col">throttled by</th></tr></thead>
      <tbody>
        {shown.map(({ session, values, label }, i) => {
          const summary = box(values);
          const { state, rounds, stop_reason } = session.result;
          return (
            <tr key={i}>
              <th scope="row">{label}</th><td class="num">{values.length}</td><td class="num">{textOf(measure, summary.median)}</td>
              <td class="num">{textOf(measure, summary.q1)} to {textOf(measure, summary.q3)}</td><td class="num">{rounds?.launches ?? ""}</td>
              <td>{stop_reason ?? ""}</td><td class="num">{withUnit(state?.power_w, "W")}</td><td class="num">{withUnit(state?.temperature_c, "°C", 2)}</td>
              <td>{(state?.throttle_reasons ?? []).join(", ") || "nothing"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function Rounds({ device, sessions }: { device: Device; sessions: readonly DetailSession[] }): JSX.Element {
  const timed = sessions.filter(({ result }) => (result.rounds?.time_ns.length ?? 0) > 0);
  const hasReference = timed.some(({ result }) => result.reference !== result.id && (result.rounds?.reference_time_ns?.length ?? 0) > 0);
  const hasClock = timed.some(({ result }) => (result.rounds?.clock_mhz?.length ?? 0) > 0);
  const measures: Measure[] = [...(hasReference ? ["ratio" as const] : []), "time", ...(hasReference ? ["reference" as const] : []), ...(hasClock ? ["clock" as const] : [])];
  const [wanted, setWanted] = useState<Measure>();
  const measure = wanted !== undefined && measures.includes(wanted) ? wanted : measures[0] ?? "time";
  const newest = timed[0]?.run;
  const [allRuns, setAllRuns] = useState(false);
  const runs = new Set(timed.map(({ run }) => run));
  const shown: Shown[] = timed.filter(({ run }) => allRuns || run === newest).map((session) => ({
    session, values: valuesOf(session.result.rounds ?? { time_ns: [] }, measure),
    label: `${shortCommit(device.commits[device.runs[session.run]?.commit ?? -1]?.id).slice(0, 7)} ${session.id} ${session.purpose}`,
  })).filter(({ values }) => values.length > 0);
  if (shown.length === 0) {
    return <Section id="rounds" title="Rounds"><p class="quiet">Its latest runs have no rounds: {sessions[0]?.result.message ?? "it was not timed"}.</p></Section>;
  }
  return (
    <Section id="rounds" title="Rounds" aside={(
      <div class="switch" role="group" aria-label="Measure">
        <span class="switch-options">
          {measures.map((one) => <button type="button" key={one} aria-pressed={one === measure} onClick={() => setWanted(one)}>{measureNames[one]}</button>)}
        </span>
      </div>
    )}>
      <p class="quiet">
        Run of {date(device.runs[newest ?? -1]?.started)}: median of {plural(shown.length, "session")} {textOf(measure, median(shown.map(({ values }) => median(values))))}.
        Dots are rounds, the box is their middle half.{" "}
        {runs.size > 1 ? <label class="check"><input type="checkbox" checked={allRuns} onChange={() => setAllRuns(!allRuns)} /> also the {plural(runs.size - 1, "run")} before</label> : null}
      </p>
      <Distribution shown={shown} measure={measure} />
      <h3>In order of time</h3>
      <InOrder shown={shown} measure={measure} />
      <Twin title="Table of the sessions">{() => <SessionTable shown={shown} measure={measure} />}</Twin>
    </Section>
  );
}
