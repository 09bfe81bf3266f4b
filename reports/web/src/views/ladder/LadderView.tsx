// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// For those who tune kernels: all kernels of a problem against the reference and the peak, the roofline, scaling.

import type { JSX } from "preact";
import { Section, type ViewProps } from "../../components/basics";
import type { Case, Device } from "../../data/contract";
import { shapeLabel, typesOf } from "../../data/model";
import { bytes, significant } from "../../format";
import { changed, go, param, type Route } from "../../state/router";
import { Bars } from "./Bars";
import { Roofline } from "./Roofline";
import { Scaling } from "./Scaling";

/** The problem with the most kernels; among several, the one with the most work. */
function bestProblem(device: Device): number {
  const counts = new Map<number, number>();
  for (const one of device.cases) counts.set(one.problem, (counts.get(one.problem) ?? 0) + 1);
  const flop = (problem: number): number => device.problems[problem]?.flop ?? 0;
  return [...counts].sort((a, b) => b[1] - a[1] || flop(b[0]) - flop(a[0]))[0]?.[0] ?? 0;
}

function ProblemSelect({ device, route, problem }: { device: Device; route: Route; problem: number }): JSX.Element {
  const groups = new Map<string, number[]>();
  const used = new Set(device.cases.map((one) => one.problem));
  device.problems.forEach((one, i) => {
    if (!used.has(i)) return;
    const types = typesOf(one);
    const list = groups.get(types);
    if (list) list.push(i);
    else groups.set(types, [i]);
  });
  const label = (i: number): string => {
    const one = device.problems[i];
    return one ? `${shapeLabel(one)}${one.name ? ` \u2013 ${one.name}` : ""}` : "";
  };
  return (
    <label class="field">
      <span class="field-label">Problem</span>
      <select id="problem" value={device.problems[problem]?.text} onChange={(event) => go(changed(route, { p: event.currentTarget.value }))}>
        {[...groups].map(([types, list]) => (
          <optgroup key={types} label={types || "no types recorded"}>
            {list.map((i) => <option key={i} value={device.problems[i]?.text}>{types} {label(i)}</option>)}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

export function LadderView({ device, route }: ViewProps): JSX.Element {
  const wanted = param(route, "p");
  const named = device.problems.findIndex((one) => one.text === wanted);
  const index = named >= 0 ? named : bestProblem(device);
  const problem = device.problems[index];
  const cases: Case[] = device.cases.filter((one) => one.problem === index);
  if (!problem) return <p class="message note">No case of {device.name} is in the history.</p>;
  return (
    <div class="ladder">
      <div class="view-head">
        <ProblemSelect device={device} route={route} problem={index} />
        <p class="quiet">
          <code>{problem.text}</code>
          {problem.flop === undefined ? null : <> · {significant(problem.flop / 1e9, 4)}{"\u00a0"}GFLOP</>}
          {problem.bytes === undefined ? null : <> · {bytes(problem.bytes)} must move</>}
        </p>
      </div>
      {wanted !== undefined && named < 0 ? <p class="message warn">No problem <code>{wanted}</code> on this device; another is shown.</p> : null}
      <Section id="bars" title="Ladder" aside={<span class="quiet">TFLOP/s and share of the reference, latest run; a bar opens its case</span>}>
        <Bars device={device} cases={cases} />
      </Section>
      <Section id="roofline" title="Roofline">
        <Roofline device={device} problem={index} route={route} />
      </Section>
      <Section id="scaling" title="Scaling over size">
        <Scaling device={device} problem={index} route={route} />
      </Section>
    </div>
  );
}
