// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// What `perfcheck calibrate` found on this device: how often the gate errs, and which slowdowns it sees.

import type { JSX } from "preact";
import { Section, Switch, Twin, type ViewProps } from "../../components/basics";
import type { Calibration, Device } from "../../data/contract";
import { date, plural, share, shortCommit } from "../../format";
import { changed, param } from "../../state/router";
import { quantile, shareHigh, sorted } from "../../stats";
import { DetectableBars, Misses } from "./Cases";
import { DetectionPanels, DetectionTable, groupsOf } from "./Detection";
import { Rules } from "./Rules";

/** The one-sided 95 % upper limit of the rate of a rare event. */
function bound(seen: number, of: number): string {
  return `95 % sure: fewer than ${share(shareHigh(seen, of, 0.05), 2)}`;
}

function Tile({ seen, of, what, note, isBad }: { seen: number; of: number; what: string; note: string; isBad: boolean }): JSX.Element {
  return (
    <li class={isBad ? "tile bad" : "tile"}>
      <span class="tile-number"><b>{seen}</b> of {of}</span>
      <span class="tile-what">{what}</span>
      <span class="quiet">{note}</span>
    </li>
  );
}

function FalseAlarms({ calibration }: { calibration: Calibration }): JSX.Element {
  const decisions = calibration.cases.reduce((sum, one) => sum + one.untouched, 0);
  const alarms = calibration.cases.reduce((sum, one) => sum + one.false_alarms, 0);
  const undecided = calibration.cases.reduce((sum, one) => sum + one.inconclusive, 0);
  const flagged = calibration.cases.reduce((sum, one) => sum + one.flagged, 0);
  return (
    <ul class="tiles">
      <Tile seen={calibration.false_checks} of={calibration.checks} what="checks called an untouched case changed" note={bound(calibration.false_checks, calibration.checks)} isBad={calibration.false_checks > 0} />
      <Tile seen={alarms} of={decisions} what="decisions about an untouched case were wrong" note={bound(alarms, decisions)} isBad={alarms > 0} />
      {calibration.false_kernel_checks === undefined ? null : (
        <Tile seen={calibration.false_kernel_checks} of={calibration.checks} what="checks called a kernel as a whole changed" note={bound(calibration.false_kernel_checks, calibration.checks)} isBad={calibration.false_kernel_checks > 0} />
      )}
      <Tile seen={undecided} of={decisions} what="decisions were inconclusive" note={`${share(decisions > 0 ? flagged / decisions : undefined)} were measured again`} isBad={false} />
    </ul>
  );
}

function NoiseSplit({ calibration }: { calibration: Calibration }): JSX.Element {
  const parts = ["rounds", "sessions", "cards"] as const;
  const names = { rounds: "between rounds of a session", sessions: "between sessions", cards: "between cards" };
  const most = Math.max(1e-6, ...["ratio", "cycles", "time"].flatMap((witness) => parts.map((part) => spreadOf(calibration, witness, part)?.high ?? 0)));
  return (
    <>
      <p class="quiet">Standard deviation over all cases: the median case, and in brackets nine of ten.</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of the noise">
        <table class="plain noise">
          <thead><tr><th scope="col">witness</th>{parts.map((part) => <th key={part} scope="col">{names[part]}</th>)}</tr></thead>
          <tbody>
            {["ratio", "cycles", "time"].map((witness) => (
              <tr key={witness}>
                <th scope="row">{witness}</th>
                {parts.map((part) => {
                  const found = spreadOf(calibration, witness, part);
                  return (
                    <td key={part}>
                      {found === undefined ? <span class="missing" title="not known for any case">—</span> : (
                        <span class="noise-cell">
                          <span class="noise-text number">{share(found.middle, 2)} ({share(found.high, 2)})</span>
                          <span class="noise-bar"><span class="wide" style={{ width: `${(found.high / most) * 100}%` }} /><span class="near" style={{ width: `${(found.middle / most) * 100}%` }} /></span>
                        </span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function spreadOf(calibration: Calibration, witness: string, part: "rounds" | "sessions" | "cards"): { middle: number; high: number } | undefined {
  const values = sorted(calibration.cases.flatMap((one) => {
    const value = one.noise[witness]?.[part];
    return value === undefined ? [] : [value];
  }));
  return values.length === 0 ? undefined : { middle: quantile(values, 0.5), high: quantile(values, 0.9) };
}

function Cards({ calibration }: { calibration: Calibration }): JSX.Element {
  return (
    <Twin title={`Recorded on ${plural(calibration.cards.length, "card")}`}>{() => (
      <table class="plain">
        <thead><tr><th scope="col">card</th><th scope="col">driver</th><th scope="col">libraries</th><th scope="col">commit</th><th scope="col" class="num">baseline sessions</th><th scope="col" class="num">blocks</th></tr></thead>
        <tbody>{calibration.cards.map((card, i) => (
          <tr key={i}><th scope="row">{card.device} <span class="quiet">{card.uuid}</span></th><td>{card.driver}</td>
            <td>{Object.entries(card.libraries ?? {}).map(([name, version]) => `${name} ${version}`).join(", ")}</td>
            <td><code>{shortCommit(card.commit)}</code></td><td class="num">{card.baseline_sessions}</td><td class="num">{card.blocks.length}</td></tr>
        ))}</tbody>
      </table>
    )}</Twin>
  );
}

function Document({ device, calibration, recorded }: { device: Device; calibration: Calibration; recorded: string | undefined }): JSX.Element {
  const groups = groupsOf(calibration);
  return (
    <>
      <p class="quiet intro">
        Recorded {date(recorded)} · suite {calibration.suite} · compared with {calibration.compared_with} · {calibration.confirm_sessions} sessions confirm ·
        {" "}{plural(calibration.cases.length, "case")}
      </p>
      <Section id="alarms" title="False alarms" aside={<span class="quiet">nothing had changed</span>}>
        <FalseAlarms calibration={calibration} />
        <Cards calibration={calibration} />
      </Section>
      <Section id="detection" title="Slowdowns found" aside={<span class="quiet">share of trials called regressed, with 95 % limits</span>}>
        <DetectionPanels groups={groups} />
        <Twin title="Table of the slowdowns">{() => <DetectionTable groups={groups} />}</Twin>
      </Section>
      <Section id="detectable" title="Smallest detectable slowdown" aside={<span class="quiet">found four times out of five</span>}>
        <DetectableBars device={device} calibration={calibration} />
      </Section>
      <Section id="misses" title="Cases that miss a goal"><Misses device={device} calibration={calibration} /></Section>
      <Section id="rules" title="Rules of other tools" aside={<span class="quiet">on the same sessions</span>}><Rules calibration={calibration} /></Section>
      <Section id="noise" title="Where the noise comes from"><NoiseSplit calibration={calibration} /></Section>
    </>
  );
}

export function QualityView({ device, route }: ViewProps): JSX.Element {
  const { calibrations } = device;
  const wanted = Number(param(route, "n") ?? 0);
  const entry = calibrations[wanted] ?? calibrations[0];
  if (!entry) {
    return (
      <div class="quality">
        <p class="message note">How well the gate does on {device.name} is not known yet. Measure it, half an hour on an H100, and write the report again:{" "}
          <code>perfcheck calibrate --data cal</code></p>
      </div>
    );
  }
  return (
    <div class="quality">
      {calibrations.length > 1 ? <Switch label="Calibration" value={String(calibrations.indexOf(entry))} link={(value) => changed(route, { n: value })}
        options={calibrations.map((one, i) => ({ value: String(i), label: date(one.recorded) }))} /> : null}
      <Document device={device} calibration={entry.calibration} recorded={entry.recorded} />
    </div>
  );
}
