// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The checks of the verification: an error against its bound as a bar, a yes or no as a word.

import type { JSX } from "preact";
import { Verdict } from "../../components/basics";
import type { Check, DetailSession } from "../../data/contract";
import { significant } from "../../format";

function CheckRow({ check }: { check: Check }): JSX.Element {
  const error = check.error_over_bound;
  return (
    <tr class={check.passed ? undefined : "failed"}>
      <th scope="row">{check.name}</th>
      <td><Verdict name={check.passed ? "pass" : "incorrect"} /></td>
      <td class="check-bar">
        {error === undefined ? <span class="quiet">{check.detail ?? "yes or no"}</span> : (
          <span class="bound" title={`${significant(error, 3)} of the bound`}>
            <span class={error > 1 ? "fill over" : "fill"} style={{ width: `${Math.min(100, error * 100)}%` }} />
          </span>
        )}
      </td>
      <td class="num">{error === undefined ? "" : significant(error, 3)}</td>
      <td>{error === undefined ? "" : check.detail ?? ""}</td>
    </tr>
  );
}

export function Checks({ sessions }: { sessions: readonly DetailSession[] }): JSX.Element {
  const session = sessions.find((one) => one.result.verification !== undefined);
  const checks = session?.result.verification?.checks ?? [];
  if (checks.length === 0) return <p class="quiet">No verification was recorded: nobody knows whether its results are right.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Checks">
      <table class="plain checks">
        <caption class="quiet">Errors over their bounds: 1 is at the bound. Session {session?.id}, {session?.purpose}.</caption>
        <thead><tr><th scope="col">check</th><th scope="col">result</th><th scope="col">error, up to its bound</th><th scope="col" class="num">of bound</th><th scope="col">detail</th></tr></thead>
        <tbody>{checks.map((check, i) => <CheckRow key={`${check.name} ${i}`} check={check} />)}</tbody>
      </table>
    </div>
  );
}
