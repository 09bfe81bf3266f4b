// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The rules of other tools on the same sessions: how often they raise false alarms, and what they find.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Calibration } from "../../data/contract";
import { share } from "../../format";
import { shareHigh } from "../../stats";

function BarCell({ value, text, tone, title }: { value: number; text: string; tone: string; title: string }): JSX.Element {
  return (
    <td class="bar-cell with-text" title={title}>
      <span class="bar-cell-inner">
        <span class="bar-cell-text number">{text}</span>
        <span class="bar-track"><span class={`hbar ${tone}`} style={{ width: `${Math.min(1, value) * 100}%` }} /></span>
      </span>
    </td>
  );
}

export function Rules({ calibration }: { calibration: Calibration }): JSX.Element {
  const sizes = [...new Set(calibration.rules.flatMap((rule) => rule.device.map((one) => one.percent)))].sort((a, b) => a - b);
  const [wanted, setSize] = useState<number>();
  const size = wanted ?? (sizes.includes(2) ? 2 : sizes[0]);
  if (calibration.rules.length < 2) return <p class="quiet">No other rule was tried.</p>;
  return (
    <>
      <div class="switch" role="group" aria-label="Size of the slowdown">
        <span class="switch-label">Slowdown of</span>
        <span class="switch-options">
          {sizes.map((one) => <button key={one} type="button" aria-pressed={one === size} onClick={() => setSize(one)}>{one} %</button>)}
        </span>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of the rules">
        <table class="plain rules">
          <thead><tr><th scope="col">rule</th><th scope="col">untouched cases called changed</th><th scope="col">checks with a false alarm</th><th scope="col">{size} % slower found</th></tr></thead>
          <tbody>
            {calibration.rules.map((rule) => {
              const found = rule.device.find((one) => one.percent === size);
              const alarms = rule.untouched > 0 ? rule.false_alarms / rule.untouched : NaN;
              const checks = rule.sessions > 0 ? rule.false_sessions / rule.sessions : NaN;
              const part = found && found.trials > 0 ? found.found / found.trials : NaN;
              return (
                <tr key={rule.name} class={rule.name === "perfcheck" ? "own" : undefined}>
                  <th scope="row">{rule.name}<span class="quiet source">{rule.source}</span></th>
                  <BarCell value={alarms} text={share(alarms)} tone="worse" title={`${rule.false_alarms} of ${rule.untouched}; 95 % sure: fewer than ${share(shareHigh(rule.false_alarms, rule.untouched, 0.05), 2)}`} />
                  <BarCell value={checks} text={share(checks)} tone="worse" title={`${rule.false_sessions} of ${rule.sessions}`} />
                  <BarCell value={part} text={share(part)} tone="better" title={found ? `${found.found} of ${found.trials}` : "not tried"} />
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
