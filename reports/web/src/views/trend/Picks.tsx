// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The cases of a trend as chips that explain their line, and a box to add others.

import type { JSX } from "preact";
import { useCallback } from "preact/hooks";
import { CaseName, Verdict } from "../../components/basics";
import { Combobox, type ComboItem } from "../../components/Combobox";
import { dashes, seriesColours } from "../../charts/colours";
import type { Case, Device } from "../../data/contract";
import type { Store } from "../../data/store";
import { changed, go, href, type Route } from "../../state/router";

/** A case of another device is named `DEVICE~CASE` in an address. */
export function reference(key: string, id: string, ownKey: string): string {
  return key === ownKey ? id : `${key}~${id}`;
}

export function splitReference(name: string, keys: ReadonlySet<string>, ownKey: string): { key: string; id: string } {
  const at = name.indexOf("~");
  const key = name.slice(0, Math.max(0, at));
  return at > 0 && keys.has(key) ? { key, id: name.slice(at + 1) } : { key: ownKey, id: name };
}

interface Pick {
  device: Device;
  one: Case;
  name: string;
}

function Chip({ pick, colour, several, route, others, own }: {
  pick: Pick; colour: number; several: boolean; route: Route; others: Pick[]; own: Device;
}): JSX.Element {
  const names = others.map(({ name }) => name);
  return (
    <li class="chip">
      <svg class="line-sample" width="26" height="10" aria-hidden="true">
        <line x1="1" x2="25" y1="5" y2="5" style={{ stroke: `var(--series-${colour})` }}
          stroke-dasharray={several ? (dashes[colour] ?? []).join(" ") : ""} />
      </svg>
      <a href={href("case", { d: pick.device.key, c: pick.one.id })}><CaseName id={pick.one.id} /></a>
      {pick.device === own ? null : <span class="tag">{pick.device.name}</span>}
      <Verdict name={pick.one.latest?.verdict ?? pick.one.latest?.status} />
      {several ? (
        <a class="remove" href={changed(route, { c: names })} aria-label={`Take ${pick.name} out of the chart`} title="Take out">×</a>
      ) : null}
    </li>
  );
}

export function Picks({ store, device, route, wanted }: {
  store: Store; device: Device; route: Route; wanted: Pick[];
}): JSX.Element {
  const items = useCallback((): ComboItem[] => {
    const others = store.manifest.devices.filter((entry) => entry.key !== device.key);
    const own = device.cases.map((one) => ({ key: one.id, text: one.id, label: one.id, kind: device.problems[one.problem]?.name || "case" }));
    const elsewhere = others.flatMap((entry) => wanted.map(({ one }) => ({
      key: reference(entry.key, one.id, device.key), text: `${one.id} ${entry.name}`, label: one.id, kind: entry.name,
    })));
    return [...elsewhere, ...own];
  }, [device, wanted.map(({ name }) => name).join("\n")]);
  const colours = seriesColours(wanted.map(({ name }) => name));
  const names = wanted.map(({ name }) => name);
  return (
    <div class="picks">
      <ul class="chips" aria-label="Cases in the chart">
        {wanted.map((pick, i) => (
          <Chip key={pick.name} pick={pick} colour={colours[i] ?? 0} several={wanted.length > 1} route={route} own={device}
            others={wanted.filter((other) => other !== pick)} />
        ))}
      </ul>
      <div class="pick-boxes">
        <Combobox label="Show another case" hideLabel placeholder="Show another case" items={items}
          onPick={(key) => go(changed(route, { c: [key] }))} />
        <Combobox label="Add a case to the chart" hideLabel placeholder="Add a case" items={items}
          onPick={(key) => go(changed(route, { c: [...names.filter((name) => name !== key), key] }))} />
      </div>
    </div>
  );
}
