// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { CommitLink, Missing } from "../../components/basics";
import { date } from "../../format";
import type { TrendModel } from "./model";
import { halfText, lineText } from "./Readout";

/** A table with more rows than this would not help readers and would slow down the browser. */
const rowLimit = 1000;

export function TrendTable({ model, window }: { model: TrendModel; window: [number, number] }): JSX.Element {
  const slots = model.slots.map((_, slot) => slot)
    .filter((slot) => (model.xs[slot] as number) >= window[0] && (model.xs[slot] as number) <= window[1]).reverse();
  const shown = slots.slice(0, rowLimit);
  return (
    <>
      {slots.length > shown.length ? <p class="quiet">The newest {rowLimit} of {slots.length} runs; zoom in to see others.</p> : null}
      <table class="plain">
        <caption class="sr-only">Values of the runs shown, newest first</caption>
        <thead>
          <tr>
            <th scope="col" class="num">run</th><th scope="col">started</th><th scope="col">commit</th><th scope="col">subject</th>
            {model.lines.map((line) => <th key={line.chosen.name} scope="col" class="num">{line.chosen.name}</th>)}
          </tr>
        </thead>
        <tbody>
          {shown.map((slot) => {
            const at = model.slots[slot];
            const run = at?.device.runs[at.run];
            if (!at || !run) return null;
            return (
              <tr key={slot}>
                <td class="num">{at.run + 1}</td><td>{date(run.started)}</td><td><CommitLink device={at.device} run={run} /></td>
                <td class="clip">{at.device.commits[run.commit]?.subject}</td>
                {model.lines.map((line) => (
                  <td key={line.chosen.name} class="num">
                    {lineText(model, line, slot) === "" ? <Missing why={line.status[slot] || "not in this run"} />
                      : <>{lineText(model, line, slot)} <span class="quiet">{halfText(model, line, slot)}</span></>}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
