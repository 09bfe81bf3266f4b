// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Small parts that every view uses.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Commit, Device, Run } from "../data/contract";
import { commitAddress, commitOf } from "../data/model";
import type { ChunkError, Resource, Store } from "../data/store";
import { stateOf, type State } from "../data/verdicts";
import { nothing, shortCommit } from "../format";
import type { Route } from "../state/router";

export interface ViewProps {
  store: Store;
  device: Device;
  route: Route;
}

export function StateMark({ state, count }: { state: State; count?: number }): JSX.Element {
  return (
    <span class={`state tone-${state.tone}`} title={state.meaning}>
      <span class="glyph" aria-hidden="true">{state.glyph}</span>
      {count === undefined ? "" : `${count} `}{state.word}
    </span>
  );
}

export function Verdict({ name, count }: { name: string | undefined; count?: number }): JSX.Element {
  return <StateMark state={stateOf(name)} {...(count === undefined ? {} : { count })} />;
}

/** A dash in place of a number, with a tooltip that says why there is none. */
export function Missing({ why }: { why: string }): JSX.Element {
  return <span class="missing" title={why}>{nothing}<span class="sr-only"> ({why})</span></span>;
}

export function Value({ text, why }: { text: string; why: string }): JSX.Element {
  return text === nothing || text === "" ? <Missing why={why} /> : <>{text}</>;
}

export function CommitLink({ device, commit, run }: { device: Device; commit?: Commit | undefined; run?: Run }): JSX.Element {
  const one = commit ?? commitOf(device, run);
  if (!one) return <Missing why="the commit was not recorded" />;
  const address = commitAddress(device, one);
  const text = <code>{shortCommit(one.id)}{run?.dirty ? "+" : ""}</code>;
  const title = `${one.id}${run?.dirty ? ", with uncommitted changes" : ""}`;
  return address === undefined
    ? <span title={title}>{text}</span>
    : <a href={address} rel="noreferrer" target="_blank" title={title}>{text}</a>;
}

/** A case's id with its kernel standing out. */
export function CaseName({ id }: { id: string }): JSX.Element {
  const at = id.indexOf("@");
  return at < 0
    ? <span class="case-name">{id}</span>
    : <span class="case-name"><b>{id.slice(0, at)}</b><wbr /><span class="at">@</span><span class="problem">{id.slice(at + 1)}</span></span>;
}

/** The message in place of a chunk that could not be read. */
export function ChunkMessage({ error, what }: { error: ChunkError; what: string }): JSX.Element {
  return (
    <div class="message bad" role="alert">
      <strong>{what} cannot be shown.</strong> {error.message}. Write the report again: <code>perfcheck report</code>; copy
      the whole of it, a site with its folder <code>data</code>.
    </div>
  );
}

/** Renders the children once the resource is there; until then, says that it is being read, or why it could not be. */
export function Loaded<T>({ resource, what, children }: {
  resource: Resource<T>; what: string; children: (value: T) => ComponentChildren;
}): JSX.Element {
  if (resource.error) return <ChunkMessage error={resource.error} what={what} />;
  if (resource.value === undefined) return <p class="quiet pending" aria-busy="true">Reading {what} ...</p>;
  return <>{children(resource.value)}</>;
}

/** The table with a chart's data, built only when it is opened or printed. */
export function Twin({ title, open = false, children }: {
  title: string; open?: boolean; children: () => ComponentChildren;
}): JSX.Element {
  const [isOpen, setOpen] = useState(open);
  return (
    <details class="twin" open={isOpen} onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{title}</summary>
      {isOpen ? <div class="scroll" tabIndex={0} role="region" aria-label={title}>{children()}</div> : null}
    </details>
  );
}

export interface Option {
  value: string;
  label: string;
  title?: string;
}

/** A switch whose options are links, so that the choice is part of the view's address. */
export function Switch({ label, value, options, link }: {
  label: string; value: string; options: readonly Option[]; link: (value: string) => string;
}): JSX.Element {
  return (
    <div class="switch" role="group" aria-label={label}>
      <span class="switch-label">{label}</span>
      <span class="switch-options">
        {options.map((option) => (
          <a key={option.value} href={link(option.value)} title={option.title}
            aria-current={option.value === value ? "true" : undefined}>{option.label}</a>
        ))}
      </span>
    </div>
  );
}

export function Section({ title, aside, id, children }: {
  title: string; aside?: ComponentChildren; id: string; children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head"><h2 id={id}>{title}</h2>{aside === undefined ? null : <div class="aside">{aside}</div>}</div>
      {children}
    </section>
  );
}

export function Copy({ text }: { text: string }): JSX.Element {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), 2500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    // Not every browser lets a page from a disk write to the clipboard; the text can still be selected by hand.
    const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => setSaid("Copied"), () => setSaid("Not allowed here: select the text"));
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" class="button" onClick={copy} aria-label="Copy the command">Copy</button>
      <span role="status" class="quiet">{said}</span>
    </span>
  );
}
