// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Everything about one case: what it is, how it stands, its rounds, its verification, what it launches.

import type { JSX } from "preact";
import { CaseName, Copy, Loaded, Missing, Section, Value, Verdict, type ViewProps } from "../../components/basics";
import { Combobox, type ComboItem } from "../../components/Combobox";
import { IntervalBar, Spark } from "../../charts/parts";
import type { Case, Device } from "../../data/contract";
import { caseById, kernelId, lastRunIndex, problemOf, shapeLabel, typesOf } from "../../data/model";
import { useResources } from "../../data/store";
import { stateOf } from "../../data/verdicts";
import { bytes, change as changeText, date, figure, interval, metricOf, plural, share, shellQuote, shortCommit, significant } from "../../format";
import { go, href, param } from "../../state/router";
import { AttributeHistory, LaunchTable } from "./Attributes";
import { Checks } from "./Checks";
import { Rounds } from "./Rounds";

function Heading({ device, one }: { device: Device; one: Case }): JSX.Element {
  const kernel = device.kernels[one.kernel];
  const problem = problemOf(device, one);
  return (
    <div class="case-head">
      <h2><CaseName id={one.id} /></h2>
      <p>
        {kernel?.summary ? <>{kernel.summary}. </> : null}
        {problem ? <>{shapeLabel(problem)}{problem.name ? ` (${problem.name})` : ""}{typesOf(problem) === "" ? "" : `, ${typesOf(problem)}`}</> : null}
        {problem?.flop === undefined ? null : <span class="quiet"> · {significant(problem.flop / 1e9, 4)} GFLOP, {bytes(problem.bytes)} must move</span>}
      </p>
      <p class="quiet">
        {kernel?.file ? <code>{kernel.file}{kernel.line === undefined ? "" : `:${kernel.line}`}</code> : null}
        {kernel?.library ? <span class="tag">{kernel.library}</span> : null}
        {kernel?.executes ? <span class="tag">executes {kernel.executes}</span> : null}
        {one.reference === undefined ? null : one.reference === one.id ? <> its own control</>
          : <> compared with <a href={href("case", { d: device.key, c: one.reference })}>{one.reference.split("@")[0]}</a></>}
      </p>
    </div>
  );
}

function VerdictBox({ device, one }: { device: Device; one: Case }): JSX.Element {
  const { latest, baseline } = one;
  if (!latest) return <p class="message note">This case never appeared in a run.</p>;
  const name = latest.verdict ?? latest.status;
  const age = lastRunIndex(device) - latest.run;
  const run = device.runs[latest.run];
  return (
    <div class={`verdict-box tone-${stateOf(name).tone}`}>
      <p class="verdict-line"><Verdict name={name} />
        {latest.change === undefined ? null : (
          <><b class="number">{changeText(latest.change)}</b> <span class="quiet">{interval(latest.low, latest.high)}, 95 %</span>
            <IntervalBar change={latest.change} low={latest.low ?? NaN} high={latest.high ?? NaN} margin={latest.margin} worse={latest.change > 0}
              reach={Math.max(0.01, Math.abs(latest.change) * 1.4)} width={150} /></>
        )}
      </p>
      <p>{latest.message ?? latest.reason ?? stateOf(name).meaning}{latest.reason_code ? <span class="quiet"> ({latest.reason_code})</span> : null}</p>
      {latest.also_changed ? <p class="also">{latest.also_changed}</p> : null}
      <p class="quiet">
        {latest.decided_by ? <>decided by {latest.decided_by}; </> : null}
        {latest.margin === undefined ? null : <>{share(latest.margin, 2)} is allowed; </>}
        {latest.detectable === undefined ? null : <>slowdowns are seen from {share(latest.detectable, 2)} on; </>}
        run of {date(run?.started)}{age > 0 ? `, ${plural(age, "run")} before the last` : ""}
      </p>
      <p class="quiet">
        {baseline ? <>baseline: {plural(baseline.sessions, "session")}{baseline.accepted ? `, accepted ${date(baseline.accepted)}` : ""}
          {baseline.who ? ` by ${baseline.who}` : ""}{baseline.why ? `: ${baseline.why}` : ""}{baseline.commit ? ` (${shortCommit(baseline.commit)})` : ""}</>
          : <>no baseline: accept one with <code>perfcheck baseline accept</code></>}
      </p>
    </div>
  );
}

function Figures({ device, one }: { device: Device; one: Case }): JSX.Element {
  const latest = one.latest;
  const why = latest?.message ?? "not measured in its latest run";
  const figures: [name: string, text: string, why?: string][] = [
    ...device.metrics.map((metric): [string, string] => [metric.name, figure(metric, latest)]),
    ["runs differ by (sd)", share(one.scatter?.[one.metric]?.sd, 2), "too few runs to say"],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, text, reason]) => <div key={name}><dt>{name}</dt><dd><Value text={text} why={reason ?? why} /></dd></div>)}
    </dl>
  );
}

function History({ device, one }: { device: Device; one: Case }): JSX.Element {
  const points = one.changes.filter((point) => point.metric === one.metric).sort((a, b) => b.run - a.run);
  return (
    <div class="case-history">
      <a class="trend-link" href={href("trend", { d: device.key, c: one.id, m: one.metric })}>
        <Spark values={one.spark} tone={stateOf(one.latest?.verdict).tone} /> <span>Trend over {plural(one.runs, "run")}</span>
      </a>
      {points.length === 0 ? <p class="quiet">No change of level was found in its history.</p> : (
        <ul class="case-changes">
          {points.slice(0, 6).map((point) => {
            const commit = device.commits[device.runs[point.run]?.commit ?? -1];
            return (
              <li key={point.run} class={`tone-${point.size > 0 ? "worse" : "better"}`}>
                <span class="glyph" aria-hidden="true">{point.size > 0 ? "\u25b2" : "\u25bc"}</span><b class="number">{changeText(point.size)}</b>{" "}
                {metricOf(point.metric).name} at <code>{shortCommit(commit?.id)}</code> {commit?.subject} <span class="quiet">{commit?.author}</span>
                {point.went_away ? <span class="tag">went away</span> : null}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function Chooser({ device, id }: { device: Device; id: string }): JSX.Element {
  const items = (): ComboItem[] => device.cases.map((one) => ({ key: one.id, text: one.id, label: one.id }));
  return <Combobox label="Case" items={items} shown={id} placeholder="words of the case's id" onPick={(key) => go(href("case", { d: device.key, c: key }))} />;
}

function Neighbours({ device, one }: { device: Device; one: Case }): JSX.Element {
  const problem = problemOf(device, one);
  return (
    <p class="neighbours">
      <a href={href("trend", { d: device.key, c: device.cases.filter((other) => other.kernel === one.kernel).slice(0, 6).map((other) => other.id) })}>
        all of {kernelId(device, one)}</a>
      <a href={href("ladder", { d: device.key, p: problem?.text })}>ladder of this problem</a>
    </p>
  );
}

function Parts({ store, device, one }: { store: ViewProps["store"]; device: Device; one: Case }): JSX.Element {
  const detail = store.detail(one.chunk);
  const series = store.columns(one.chunk);
  useResources([detail, series]);
  const run = device.runs[one.latest?.run ?? -1];
  const suite = run?.suite ? `--suite ${/^[\w.-]+$/.test(run.suite) ? run.suite : shellQuote(run.suite)} ` : "";
  return (
    <>
      <div class="case-top">
        <VerdictBox device={device} one={one} />
        <Figures device={device} one={one} />
      </div>
      <div class="case-two">
        <Section id="history" title="History"><History device={device} one={one} /></Section>
        <Section id="reproduce" title="Reproduce"><Copy text={`perfcheck check ${suite}--filter ${shellQuote(one.id)}`} /></Section>
      </div>
      <Loaded resource={detail} what="the rounds of this case">
        {(value) => (
          <>
            <Rounds device={device} sessions={value.sessions} />
            <Section id="verification" title="Verification"><Checks sessions={value.sessions} /></Section>
            <Section id="launches" title="What it launches"><LaunchTable sessions={value.sessions} /></Section>
          </>
        )}
      </Loaded>
      <Section id="attributes" title="History of what it launches">
        <Loaded resource={series} what="the series of this case">{(columns) => <AttributeHistory device={device} columns={columns} />}</Loaded>
      </Section>
    </>
  );
}

export function CaseView({ store, device, route }: ViewProps): JSX.Element {
  const wanted = param(route, "c");
  const one = caseById(device, wanted) ?? (wanted === undefined ? device.cases[0] : undefined);
  return (
    <div class="case">
      <div class="view-head">
        <Chooser device={device} id={one?.id ?? ""} />
        {one ? <Neighbours device={device} one={one} /> : null}
      </div>
      {one ? <><Heading device={device} one={one} /><Parts key={one.id} store={store} device={device} one={one} /></>
        : wanted === undefined ? <Missing why="this device has no case" />
          : <p class="message warn">No case is named <code>{wanted}</code> on {device.name}. Choose another above.</p>}
    </div>
  );
}
