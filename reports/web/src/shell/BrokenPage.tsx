// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import type { JSX } from "preact";
import type { Manifest } from "../data/contract";

/** Shown when the page's manifest cannot be read. */
export function BrokenPage({ reason }: { reason: string }): JSX.Element {
  return (
    <main class="lonely">
      <h1>This report cannot be read</h1>
      <p role="alert">Its manifest, which says what the page holds, is damaged: {reason}.</p>
      <p>The file was probably cut off or changed. Write the report again: <code>perfcheck report --out report.html</code></p>
    </main>
  );
}

/** Shown when there is no device, because nothing was recorded yet. */
export function EmptyPage({ manifest }: { manifest: Manifest }): JSX.Element {
  return (
    <main class="lonely">
      <h1>{manifest.title}</h1>
      {manifest.notes.map((note) => <p key={note} class="message note">{note}</p>)}
      <p>The history holds no runs, so there is nothing to show yet. Put some in, then write the report again:</p>
      <ul class="commands">
        <li><code>perfcheck check --history FILE</code> measures, decides and records</li>
        <li><code>perfcheck history add RUN</code> records a run file that is there already</li>
        <li><code>perfcheck report --out report.html</code> writes this page</li>
      </ul>
    </main>
  );
}
