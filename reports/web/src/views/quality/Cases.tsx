// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CaseName, Missing } from "../../components/basics";
import type { CalibratedCase, Calibration, Device } from "../../data/contract";
import { caseById } from "../../data/model";
import { share, time } from "../../format";
import { href } from "../../state/router";

function CaseLink({ device, id }: { device: Device; id: string }): JSX.Element {
  return caseById(device, id) ? <a href={href("case", { d: device.key, c: id })} data-row><CaseName id={id} /></a> : <CaseName id={id} />;
}

const shownFirst = 15;

export function DetectableBars({ device, calibration }: { device: Device; calibration: Calibration }): JSX.Element {
  const [all, setAll] = useState(false);
  const known = calibration.cases.filter((one): one is CalibratedCase & { detectable: number } => one.detectable !== undefined)
    .sort((a, b) => b.detectable - a.detectable);
  if (known.length === 0) return <p class="quiet">Not known for any case.</p>;
  const most = known[0]?.detectable ?? 1;
  const at = (part: number): number | undefined => known[Math.floor((1 - part) * (known.length - 1))]?.detectable;
  const shown = all ? known : known.slice(0, shownFirst);
  return (
    <>
      <p>A slowdown is seen from <b>{share(at(0.5), 2)}</b> on in half of the cases, from <b>{share(at(0.9), 2)}</b> in nine of ten. The least sharp first:</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Smallest detectable slowdown of each case">
        <table class="plain bars-table">
          <thead><tr><th scope="col">case</th><th scope="col" class="num">time</th><th scope="col" class="num">seen from</th><th scope="col"><span class="sr-only">as a bar</span></th></tr></thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.id}>
                <th scope="row"><CaseLink device={device} id={one.id} /></th><td class="num">{time(one.time_ns, 3)}</td><td class="num">{share(one.detectable, 3)}</td>
                <td class="bar-cell"><span class={one.library ? "hbar library" : "hbar"} style={{ width: `${(one.detectable / most) * 100}%` }} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {known.length > shown.length ? <button type="button" class="button more" onClick={() => setAll(true)}>Show all {known.length}</button> : null}
    </>
  );
}

export function Misses({ device, calibration }: { device: Device; calibration: Calibration }): JSX.Element {
  const [all, setAll] = useState(false);
  const { misses } = calibration;
  const shown = all ? misses : misses.slice(0, shownFirst);
  if (misses.length === 0) return <p class="all-quiet">None: every case reaches every goal.</p>;
  const named = new Set(misses.map((one) => one.id)).size;
  const noise = new Map(calibration.cases.map((one) => [one.id, one.noise]));
  return (
    <>
      <p>{calibration.cases.length - named} of {calibration.cases.length} cases reach every goal. The others, with what their sessions differ by:</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of the misses">
        <table class="plain">
          <thead><tr><th scope="col">case</th><th scope="col" class="num">slowdown</th><th scope="col" class="num">found</th><th scope="col" class="num">goal</th>
            <th scope="col" class="num">trials</th><th scope="col" class="num">ratio</th><th scope="col" class="num">cycles</th></tr></thead>
          <tbody>
            {shown.map((one, i) => (
              <tr key={i}>
                <th scope="row"><CaseLink device={device} id={one.id} /></th><td class="num">{one.percent} %</td><td class="num">{share(one.reached)}</td>
                <td class="num">{share(one.goal)}</td><td class="num">{one.trials}</td>
                {["ratio", "cycles"].map((witness) => {
                  const value = noise.get(one.id)?.[witness]?.sessions;
                  return <td key={witness} class="num">{value === undefined ? <Missing why={`it has no ${witness}`} /> : share(value, 2)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {misses.length > shown.length ? <button type="button" class="button more" onClick={() => setAll(true)}>Show all {misses.length}</button> : null}
    </>
  );
}
