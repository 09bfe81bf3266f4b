// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";
import { Combobox, type ComboItem } from "../components/Combobox";
import type { Device } from "../data/contract";
import { deviceLabel } from "../data/model";
import type { Store } from "../data/store";
import { shortCommit } from "../format";
import { changed, go, href, param, viewNames, views, type Route } from "../state/router";
import { applyTheme, storedTheme, type Theme } from "../state/theme";

const themes: readonly Theme[] = ["auto", "light", "dark"];
const themeGlyphs: Record<Theme, string> = { auto: "\u25d0", light: "\u25cb", dark: "\u25cf" };

function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
  return (
    <button type="button" class="button icon" aria-label={`Colours: ${theme}. Change to ${next}`} title={`Colours: ${theme}`}
      onClick={() => {
        setTheme(next);
        applyTheme(next);
      }}>
      <span aria-hidden="true">{themeGlyphs[theme]}</span>
    </button>
  );
}

function searchItems(device: Device): ComboItem[] {
  const items: ComboItem[] = device.kernels.map((kernel, i) => ({
    key: `kernel ${i}`, text: `${kernel.id} ${kernel.summary ?? ""}`, label: kernel.id, kind: "kernel",
  }));
  device.cases.forEach((one, i) => items.push({
    key: `case ${i}`, text: `${one.id} ${device.problems[one.problem]?.name ?? ""}`, label: one.id, kind: "case",
  }));
  const newest = new Map<number, number>();
  device.runs.forEach((run, i) => newest.set(run.commit, i));
  for (const [commit, run] of [...newest].reverse()) {
    const one = device.commits[commit];
    if (!one) continue;
    items.push({
      key: `run ${run}`, text: `${one.id} ${one.subject} ${one.author}`, kind: "commit",
      label: <><code>{shortCommit(one.id)}</code> {one.subject}</>,
    });
  }
  return items;
}

function openFound(device: Device, key: string): void {
  const [kind, text] = key.split(" ");
  const index = Number(text);
  if (kind === "case") {
    go(href("case", { d: device.key, c: device.cases[index]?.id }));
  } else if (kind === "kernel") {
    const best = device.cases.filter((one) => one.kernel === index).slice(0, 4).map((one) => one.id);
    go(href("trend", { d: device.key, c: best }));
  } else {
    const run = device.runs[index];
    const before = device.runs[index - 1];
    go(href("compare", { d: device.key, a: before?.id, b: run?.id }));
  }
}

export function Header({ store, device, deviceKey, route, onHelp }: {
  store: Store; device: Device | undefined; deviceKey: string; route: Route; onHelp: () => void;
}): JSX.Element {
  const kept = { d: store.manifest.devices.length > 1 ? deviceKey : undefined };
  const one = param(route, "c");
  const items = useCallback(() => (device ? searchItems(device) : []), [device]);
  const made = useMemo(() => {
    let list: ComboItem[] | undefined;
    return () => (list ??= items());
  }, [items]);
  return (
    <header>
      <a class="brand" href={href("overview", kept)}>perfcheck</a>
      <nav aria-label="Views">
        {views.map((view) => (
          <a key={view} href={href(view, { ...kept, ...(view === "trend" || view === "case" ? { c: one } : {}) })}
            aria-current={route.view === view ? "page" : undefined}>{viewNames[view]}</a>
        ))}
      </nav>
      <div class="tools">
        {store.manifest.devices.length > 1 ? (
          <label class="device-select">
            <span class="sr-only">Device</span>
            <select value={deviceKey} onChange={(event) => go(changed(route, {
              d: event.currentTarget.value, from: undefined, to: undefined, a: undefined, b: undefined,
            }))}>
              {store.manifest.devices.map((entry) => (
                <option key={entry.key} value={entry.key}>{deviceLabel(store.manifest, entry)}</option>
              ))}
            </select>
          </label>
        ) : null}
        <Combobox label="Search cases, kernels, commits" hideLabel inputId="search" placeholder="Search  ( / )"
          items={made} onPick={(key) => device && openFound(device, key)} />
        <ThemeButton />
        <button type="button" class="button icon" aria-label="Help and keys" title="Help and keys" onClick={onHelp}>?</button>
      </div>
    </header>
  );
}
