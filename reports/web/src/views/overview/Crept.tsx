// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Cases that became slower in many steps that were too small for a check, and the commits that may have contributed.

import type { JSX } from "preact";
import { CommitLink } from "../../components/basics";
import type { Case, Creep, Device } from "../../data/contract";
import { change as changeText, interval, plural, share } from "../../format";
import { href } from "../../state/router";

const shownCommits = 3;

function Commits({ device, creep }: { device: Device; creep: Creep }): JSX.Element | null {
  const commits = creep.commits.filter((one) => one.likeliest).slice(0, shownCommits);
  if (commits.length === 0) return null;
  return (
    <span class="quiet">
      {" with "}
      {commits.map(({ run, moved }, i) => {
        const at = device.runs[run];
        if (!at) return null;
        return (
          <span key={run}>
            {i > 0 ? ", " : ""}<CommitLink device={device} run={at} />{" "}
            {moved === undefined ? null : <>({changeText(moved)})</>}
          </span>
        );
      })}
    </span>
  );
}

function Line({ device, one, creep }: { device: Device; one: Case; creep: Creep }): JSX.Element {
  return (
    <li class={`crept-line tone-${creep.status === "drifted" ? "worse" : "unsure"}`}>
      <span class="glyph" aria-hidden="true">{"\u25b2"}</span>
      <span class="number">{changeText(creep.drift)}</span>
      <span>
        <a data-row href={href("trend", { d: device.key, c: [one.id], m: creep.metric, from: "all" })}><b>{one.id}</b></a>{" "}
        <span class="quiet">({interval(creep.low, creep.high)}; {share(creep.margin)} allowed)</span>
        <Commits device={device} creep={creep} />
        <span class="sr-only">slower</span>
      </span>
    </li>
  );
}

export function Crept({ device }: { device: Device }): JSX.Element | null {
  const { creep: summary } = device;
  if (!summary) return null;
  const since = summary.release ? `since release ${summary.release}` : "since the first runs";
  const crept = device.cases.flatMap((one) => (one.creep ? [{ one, creep: one.creep }] : []))
    .sort((a, b) => b.creep.drift - a.creep.drift);
  if (crept.length === 0) {
    return summary.judged === 0 ? null
      : <p class="quiet crept">No case crept: none of {summary.judged} became slower by small steps {since}.</p>;
  }
  const drifted = crept.filter(({ creep }) => creep.status === "drifted").length;
  return (
    <section class="message warn crept" aria-labelledby="crept">
      <h3 id="crept">
        {drifted > 0 ? `${plural(drifted, "case")} crept beyond what is allowed` : `${plural(crept.length, "case")} creeping, within what is allowed`}
        <span class="quiet"> {since}, by steps that no check saw</span>
      </h3>
      <ul>{crept.map(({ one, creep }) => <Line key={one.id} device={device} one={one} creep={creep} />)}</ul>
    </section>
  );
}
