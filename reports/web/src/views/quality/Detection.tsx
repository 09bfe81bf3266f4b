// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The share of slowdowns that was found, against their size; one panel for each kind of case, grouped as in the text
// report.

import type { JSX } from "preact";
import { AxisX, AxisY, Frame } from "../../charts/parts";
import { linear } from "../../charts/scale";
import type { CalibratedCase, Calibration, Detection } from "../../data/contract";
import { share } from "../../format";
import { shareHigh, shareLow } from "../../stats";

/** Launches of at least this length must reach the stricter goals. */
const longLaunchNs = 20e3;

export interface Group {
  name: string;
  device: Detection[];
  added: Detection[];
}

function sum(cases: readonly CalibratedCase[], kind: "device" | "added"): Detection[] {
  const found = new Map<number, Detection>();
  for (const one of cases) {
    for (const trial of one[kind]) {
      const so = found.get(trial.percent) ?? { percent: trial.percent, trials: 0, found: 0, units: 0 };
      found.set(trial.percent, {
        percent: trial.percent, trials: so.trials + trial.trials, found: so.found + trial.found, units: so.units + trial.units,
      });
    }
  }
  return [...found.values()].filter((one) => one.trials > 0).sort((a, b) => a.percent - b.percent);
}

export function groupsOf(calibration: Calibration): Group[] {
  const groups: Group[] = [];
  for (const library of [false, true]) {
    for (const long of [true, false]) {
      const cases = calibration.cases.filter((one) => (one.library ?? false) === library && (one.time_ns ?? Infinity) >= longLaunchNs === long);
      const name = `${library ? "library" : "own"} kernels, ${long ? "20 \u00b5s and more" : "under 20 \u00b5s"}`;
      const group = { name, device: sum(cases, "device"), added: sum(cases, "added") };
      if (group.device.length + group.added.length > 0) groups.push(group);
    }
  }
  return groups;
}

/**
 * Confidence limits. They count pairs of case and block instead of trials, because trials of one block share their
 * sessions.
 */
function limits(one: Detection): [number, number] {
  const units = one.units > 0 ? one.units : one.trials;
  const k = (one.found / one.trials) * units;
  return [shareLow(k, units, 0.025), shareHigh(k, units, 0.025)];
}

const height = 190;

function Panel({ group }: { group: Group }): JSX.Element {
  const most = Math.max(...group.device.map((one) => one.percent), ...group.added.map((one) => one.percent), 1);
  return (
    <div class="panel">
      <h3>{group.name}</h3>
      <Frame height={height} label={`Share of slowdowns found, ${group.name}; the table holds the figures`} class="detection">
        {(width) => {
          const x = linear([0, most * 1.04], [44, width - 8], 5);
          const y = linear([0, 1], [height - 34, 10], 4);
          const path = (list: readonly Detection[]): string => list.map((one, i) => `${i === 0 ? "M" : "L"}${x(one.percent)},${y(one.found / one.trials)}`).join("");
          return (
            <>
              <AxisX scale={x} y={height - 34} top={10} text={(value) => `${value} %`} title="slowdown" right={width - 8} />
              <AxisY scale={y} x={44} right={width - 8} text={(value) => `${Math.round(value * 100)} %`} />
              <path class="added" d={path(group.added)} />
              <path class="on-device" d={path(group.device)} />
              {group.added.map((one) => <circle key={one.percent} class="added" cx={x(one.percent)} cy={y(one.found / one.trials)} r="2.4" />)}
              {group.device.map((one) => {
                const [low, high] = limits(one);
                return (
                  <g key={one.percent} class="on-device">
                    <title>{`${one.percent} %: ${share(one.found / one.trials)} (${one.found} of ${one.trials})`}</title>
                    <line x1={x(one.percent)} x2={x(one.percent)} y1={y(low)} y2={y(high)} />
                    <circle cx={x(one.percent)} cy={y(one.found / one.trials)} r="3.6" />
                  </g>
                );
              })}
            </>
          );
        }}
      </Frame>
    </div>
  );
}

export function DetectionPanels({ groups }: { groups: readonly Group[] }): JSX.Element {
  if (groups.length === 0) return <p class="quiet">No slowdown was tried.</p>;
  return (
    <>
      <p class="legend quiet"><span class="key on-device" /> made on the device, with limits <span class="key added" /> added to recorded sessions</p>
      <div class="panels">{groups.map((group) => <Panel key={group.name} group={group} />)}</div>
    </>
  );
}

export function DetectionTable({ groups }: { groups: readonly Group[] }): JSX.Element {
  const rows = groups.flatMap((group) => [
    ...group.device.map((one) => ({ group, kind: "made on the device", one })), ...group.added.map((one) => ({ group, kind: "added", one })),
  ]);
  return (
    <table class="plain">
      <thead><tr><th scope="col">cases</th><th scope="col">slowdown</th><th scope="col" class="num">size</th><th scope="col" class="num">found</th><th scope="col" class="num">95 % limits</th><th scope="col" class="num">trials</th></tr></thead>
      <tbody>
        {rows.map(({ group, kind, one }, i) => {
          const [low, high] = limits(one);
          return (
            <tr key={i}>
              <th scope="row">{group.name}</th><td>{kind}</td><td class="num">{one.percent} %</td><td class="num">{share(one.found / one.trials)}</td>
              <td class="num">{share(low, 2)} to {share(high, 2)}</td><td class="num">{one.found} of {one.trials}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
