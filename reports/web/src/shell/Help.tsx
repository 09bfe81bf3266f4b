// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { stateOf, stateOrder } from "../data/verdicts";
import { Verdict } from "../components/basics";

const keys: readonly (readonly [string, string])[] = [
  ["/", "search cases, kernels and commits"],
  ["j, k", "next and previous row of a list"],
  ["Enter", "open the row"],
  ["?", "this help"],
  ["\u2190, \u2192", "in a chart: from point to point"],
  ["Home, End", "in a chart: first and last point"],
  ["+, \u2212", "in a chart: zoom; the wheel does the same, dragging marks a range"],
  ["Esc", "in a chart: show everything again; in a list: close it"],
];

export function Help({ open, onClose }: { open: boolean; onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <div class="help-head">
        <h2 id="help-title">Help</h2>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>Close</button>
      </div>
      <h3>Keys</h3>
      <dl class="pairs keys">
        {keys.map(([key, meaning]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{meaning}</dd></div>)}
      </dl>
      <h3>Verdicts</h3>
      <dl class="pairs">
        {stateOrder.map((name) => <div key={name}><dt><Verdict name={name} /></dt><dd>{stateOf(name).meaning}</dd></div>)}
      </dl>
      <h3>Words</h3>
      <dl class="pairs">
        <div><dt>case</dt><dd>one kernel on one problem</dd></div>
        <div><dt>ratio</dt><dd>time over the time of the reference kernel in the same rounds; heat and power limits cancel out</dd></div>
        <div><dt>cycles</dt><dd>time times the clock it ran at</dd></div>
        <div><dt>session</dt><dd>one fresh process that measures; the unit of evidence</dd></div>
        <div><dt>interval</dt><dd>95 %: where the value lies with that confidence</dd></div>
        <div><dt>baseline</dt><dd>what was accepted, and how far a case may be off it</dd></div>
      </dl>
    </dialog>
  );
}
