// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Change points of the last runs: one entry per commit, one line per kernel.

import type { JSX } from "preact";
import { CommitLink, Section } from "../../components/basics";
import type { Case, Change, Device } from "../../data/contract";
import { environmentChangesAt, isWorse, kernelId, mainChanges } from "../../data/model";
import { change as changeText, day, plural } from "../../format";
import { href } from "../../state/router";

const window = 30;
/** With more cases than this, a trend is unreadable. */
const trendCases = 6;

interface Group {
  run: number;
  kernels: Map<string, { one: Case; point: Change }[]>;
}

function recentGroups(device: Device): Group[] {
  const first = device.runs.length - window;
  const groups = new Map<number, Group>();
  for (const one of device.cases) {
    for (const point of mainChanges(one)) {
      if (point.run < first) continue;
      let group = groups.get(point.run);
      if (!group) groups.set(point.run, (group = { run: point.run, kernels: new Map() }));
      const id = kernelId(device, one);
      const list = group.kernels.get(id);
      if (list) list.push({ one, point });
      else group.kernels.set(id, [{ one, point }]);
    }
  }
  return [...groups.values()].sort((a, b) => b.run - a.run);
}

function sizes(points: readonly Change[]): string {
  const low = Math.min(...points.map((point) => point.size));
  const high = Math.max(...points.map((point) => point.size));
  return changeText(low) === changeText(high) ? changeText(low) : `${changeText(low)} to ${changeText(high)}`;
}

function KernelLine({ device, id, points }: { device: Device; id: string; points: { one: Case; point: Change }[] }): JSX.Element {
  const changes = points.map(({ point }) => point);
  const worst = points.reduce((a, b) => (Math.abs(b.point.size) > Math.abs(a.point.size) ? b : a));
  const worse = changes.some((point) => isWorse(point.metric, point.size));
  const order = [...points].sort((a, b) => Math.abs(b.point.size) - Math.abs(a.point.size));
  return (
    <li class={`change-line tone-${worse ? "worse" : "better"}`}>
      <span class="glyph" aria-hidden="true">{worse ? "\u25b2" : "\u25bc"}</span>
      <span class="number">{sizes(changes)}</span>
      <a data-row href={href("trend", {
        d: device.key, c: order.slice(0, trendCases).map(({ one }) => one.id), m: worst.one.metric,
      })}>
        <b>{id}</b> <span class="quiet">{points.length === 1 ? worst.one.id.split("@")[1] : plural(points.length, "case")}</span>
      </a>
      {changes.every((point) => point.went_away) ? <span class="tag">went away</span> : null}
      <span class="sr-only">{worse ? "slower" : "faster"}</span>
    </li>
  );
}

export function RecentChanges({ device }: { device: Device }): JSX.Element {
  const groups = recentGroups(device);
  return (
    <Section id="recent" title="Changes of level" aside={<span class="quiet">found in the last {window} runs of the history</span>}>
      {groups.length === 0 ? <p class="all-quiet">None: no case changed its level in the last {window} runs.</p> : (
        <ol class="change-groups">
          {groups.map((group) => {
            const run = device.runs[group.run];
            const commit = run && device.commits[run.commit];
            const environment = environmentChangesAt(device, group.run);
            return (
              <li key={group.run}>
                <p class="change-commit">
                  {run ? <CommitLink device={device} run={run} /> : null}
                  <span class="subject" title={commit?.subject}>{commit?.subject || "no subject recorded"}</span>
                  <span class="quiet">{commit?.author} {day(commit?.committed || run?.started)}</span>
                </p>
                {environment.length > 0 ? (
                  <p class="also">also changed: {environment.map((one) => `${one.name} ${one.before} \u2192 ${one.after}`).join(", ")}</p>
                ) : null}
                <ul>
                  {[...group.kernels].map(([id, points]) => <KernelLine key={id} device={device} id={id} points={points} />)}
                </ul>
              </li>
            );
          })}
        </ol>
      )}
    </Section>
  );
}
