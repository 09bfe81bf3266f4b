// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { CommitLink } from "../../components/basics";
import type { DetailSession, Device } from "../../data/contract";
import type { Columns } from "../../data/decode";
import { bytes, date, share } from "../../format";
import { attributeChanges } from "../compare/rows";

export function LaunchTable({ sessions }: { sessions: readonly DetailSession[] }): JSX.Element {
  const launches = sessions.find((one) => (one.result.launches?.length ?? 0) > 0)?.result.launches ?? [];
  if (launches.length === 0) return <p class="quiet">No launches to read: a library's or a CPU kernel.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Launches">
      <table class="plain">
        <thead><tr>
          <th scope="col">function</th><th scope="col" class="num">grid</th><th scope="col" class="num">block</th><th scope="col" class="num">registers</th>
          <th scope="col" class="num">shared memory</th><th scope="col" class="num">local (spills)</th><th scope="col" class="num">occupancy</th>
          <th scope="col" class="num">blocks per SM</th><th scope="col">machine code</th>
        </tr></thead>
        <tbody>
          {launches.map((launch, i) => (
            <tr key={i}>
              <th scope="row"><code>{launch.function}</code></th><td class="num">{launch.grid.join(" × ")}</td><td class="num">{launch.block.join(" × ")}</td>
              <td class="num">{launch.registers}</td><td class="num">{bytes(launch.shared_bytes)}</td>
              <td class={launch.local_bytes > 0 ? "num slower" : "num"}>{bytes(launch.local_bytes)}</td><td class="num">{share(launch.occupancy)}</td>
              <td class="num">{launch.blocks_per_sm}</td><td><code>{launch.machine_code?.slice(0, 12) ?? ""}</code></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The runs at which the launches or the machine code changed, newest first. */
export function AttributeHistory({ device, columns }: { device: Device; columns: Columns }): JSX.Element {
  const runs = columns.columns.get("run") ?? new Float64Array(0);
  const attributes = columns.columns.get("attributes");
  const { tables } = columns;
  const found: { run: number; texts: string[] }[] = [];
  let last: number | undefined;
  attributes?.forEach((index, place) => {
    const before = last === undefined ? undefined : tables.attributes[last];
    const now = tables.attributes[index];
    // Nothing is known of the launches of a failed run, so it counts as no change.
    if (!now) return;
    if (before && index !== last) found.push({ run: runs[place] ?? -1, texts: attributeChanges(before, now) });
    last = index;
  });
  const shown = found.filter(({ texts }) => texts.length > 0).reverse();
  if (shown.length === 0) return <p class="quiet">It launched the same in every recorded run.</p>;
  return (
    <ul class="attribute-history">
      {shown.slice(0, 30).map(({ run, texts }) => {
        const one = device.runs[run];
        return (
          <li key={run}>
            {one ? <CommitLink device={device} run={one} /> : null} <span class="subject">{device.commits[one?.commit ?? -1]?.subject}</span>{" "}
            <span class="quiet">{date(one?.started)}</span>
            <p class="also">{texts.join(", ")}</p>
          </li>
        );
      })}
      {shown.length > 30 ? <li class="quiet">and {shown.length - 30} earlier ones</li> : null}
    </ul>
  );
}
