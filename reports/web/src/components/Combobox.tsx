// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Search as you type over any list: every word typed must occur in an item's text.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";

export interface ComboItem {
  key: string;
  /** The text that is searched. */
  text: string;
  label: ComponentChildren;
  kind?: string;
}

export function matching(items: readonly ComboItem[], typed: string, limit: number): ComboItem[] {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found: ComboItem[] = [];
  for (const item of items) {
    const text = item.text.toLowerCase();
    if (words.every((word) => text.includes(word))) found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

export interface ComboboxProps {
  label: string;
  placeholder?: string;
  /** Called when the box is first used, so that a long list is not built before it is needed. */
  items: () => readonly ComboItem[];
  onPick: (key: string) => void;
  hideLabel?: boolean;
  /** Text shown while the box is not in use, like the value of a select element. */
  shown?: string;
  inputId?: string;
  compact?: boolean;
}

const limit = 60;

export function Combobox(props: ComboboxProps): JSX.Element {
  const { label, placeholder, items, onPick, hideLabel, shown, inputId, compact } = props;
  const ownId = useId();
  const id = inputId ?? ownId;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const found = useMemo(() => (open ? matching(items(), typed, limit) : []), [open, typed, items]);
  const at = Math.min(active, Math.max(0, found.length - 1));

  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at, open]);

  const close = (): void => {
    setOpen(false);
    setTyped("");
    setActive(0);
  };
  const pick = (item: ComboItem | undefined): void => {
    if (!item) return;
    close();
    onPick(item.key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      setActive(Math.min(found.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1))));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      pick(found[at]);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (open) close();
      else (event.currentTarget as HTMLElement).blur();
    }
  };

  return (
    <div class={`combobox${compact ? " compact" : ""}`}>
      <label for={id} class={hideLabel ? "sr-only" : "field-label"}>{label}</label>
      <input id={id} type="text" role="combobox" autocomplete="off" spellcheck={false} aria-autocomplete="list"
        aria-expanded={open} aria-controls={`${id}-list`}
        aria-activedescendant={open && found.length > 0 ? `${id}-${at}` : undefined}
        placeholder={open ? placeholder : shown ?? placeholder}
        value={open ? typed : shown ?? ""}
        onFocus={() => setOpen(true)} onBlur={close} onClick={() => setOpen(true)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown} />
      <ul id={`${id}-list`} role="listbox" aria-label={label} ref={list} hidden={!open}>
        {found.map((item, i) => (
          // The mouse must not take the focus from the input before the click arrives.
          <li key={item.key} id={`${id}-${i}`} role="option" aria-selected={i === at}
            onMouseDown={(event) => event.preventDefault()} onClick={() => pick(item)}>
            {item.kind === undefined ? null : <span class="kind">{item.kind}</span>}
            <span class="text">{item.label}</span>
          </li>
        ))}
        {open && found.length === 0 ? <li class="none" role="option" aria-selected={false} aria-disabled={true}>Nothing matches</li> : null}
        {found.length === limit ? <li class="none" role="option" aria-selected={false} aria-disabled={true}>Type more to see others</li> : null}
      </ul>
    </div>
  );
}
