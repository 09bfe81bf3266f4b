// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CaseName, Verdict } from "../../components/basics";
import { IntervalBar } from "../../charts/parts";
import type { Device } from "../../data/contract";
import { change as changeText, interval, metrics, nothing, significant, type MetricKey } from "../../format";
import { href } from "../../state/router";
import type { CompareRow } from "./rows";

const rowsAtOnce = 200;

function ValueCell({ metric, value, status }: { metric: MetricKey; value: number; status: string }): JSX.Element {
  if (Number.isFinite(value)) return <td class="num">{metrics[metric].text(value)}</td>;
  return <td class="num">{status === "" ? <span class="missing" title="not in this run">{nothing}</span> : <Verdict name={status} />}</td>;
}

function Row({ device, row, metric, reach }: { device: Device; row: CompareRow; metric: MetricKey; reach: number }): JSX.Element {
  const found = row.difference;
  return (
    <tr>
      <th scope="row">
        <a href={href("trend", { d: device.key, c: row.one.id, m: metric })} data-row><CaseName id={row.one.id} /></a>
        {row.also === "" ? null : <p class="also">also changed: {row.also}</p>}
      </th>
      <ValueCell metric={metric} value={row.before} status={row.statusBefore} />
      <ValueCell metric={metric} value={row.after} status={row.statusAfter} />
      <td class={`num change ${found ? (row.worse ? "slower" : "faster") : ""}`}>
        {found ? <>{changeText(found.change)}<span class="sr-only">{row.worse ? " slower" : " faster"}</span></> : nothing}
      </td>
      <td class="forest">
        {found ? <IntervalBar change={found.change} low={found.low} high={found.high} reach={reach} margin={row.one.baseline?.margin} worse={row.worse} width={220} /> : null}
      </td>
      <td class="num quiet">{found ? interval(found.low, found.high) : ""}</td>
      <td class="num">{found && Number.isFinite(found.errors) ? significant(found.errors, found.errors < 9.95 ? 2 : 3) : nothing}</td>
    </tr>
  );
}

export function CompareTable({ device, rows, metric }: { device: Device; rows: CompareRow[]; metric: MetricKey }): JSX.Element {
  const [limit, setLimit] = useState(rowsAtOnce);
  const sizes = rows.map((row) => Math.max(Math.abs(row.difference?.low || 0), Math.abs(row.difference?.high || 0), Math.abs(row.difference?.change ?? 0)))
    .sort((x, y) => x - y);
  // The scale covers nine of ten rows; the others are drawn as arrows.
  const reach = Math.max(0.005, sizes[Math.floor(sizes.length * 0.9)] ?? 0.05);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Differences case by case">
        <table class="plain compare-table">
          <thead>
            <tr>
              <th scope="col">case</th><th scope="col" class="num">before</th><th scope="col" class="num">after</th><th scope="col" class="num">change</th>
              <th scope="col" class="forest"><span class="forest-scale"><span>{changeText(-reach)}</span><span>0</span><span>{changeText(reach)}</span></span></th>
              <th scope="col" class="num">95 %</th><th scope="col" class="num" title="the change in its standard errors">std. errors</th>
            </tr>
          </thead>
          <tbody>{rows.slice(0, limit).map((row) => <Row key={row.one.id} device={device} row={row} metric={metric} reach={reach} />)}</tbody>
        </table>
      </div>
      {rows.length > limit ? <button type="button" class="button more" onClick={() => setLimit(rows.length)}>Show all {rows.length}</button> : null}
    </>
  );
}
