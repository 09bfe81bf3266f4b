// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report finds in the sample history, which was measured: the changes of the code, and nothing else.
// Environment: PERFCHECK_REPORT_SITE, the folder of its site.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readJsonChunk } from "./encode.mjs";

const data = join(process.env.PERFCHECK_REPORT_SITE, "data");

/** The document of a device: perfcheckChunk("key","chunk"). */
function device(file) {
  const [, text] = /^perfcheckChunk\("[^"]+",\s*"([^"]+)"/.exec(readFileSync(join(data, file), "utf8"));
  return readJsonChunk(text);
}

const devices = readdirSync(data).filter((file) => /^d\d+\.js$/.test(file)).map(device);

/** "cycles ac2f71c gemm/simt/naive@..." of every change of a device. */
function changesOf(device) {
  return device.cases.flatMap((one) => one.changes.map((change) =>
    `${change.metric} ${device.commits[device.runs[change.run].commit].id.slice(0, 7)} ${one.id}`)).sort();
}

// Two commits changed how the TF32 kernel rounds (docs/design.md). The second one placed operands otherwise in memory, too,
// which costs the naive kernel 1 % of its cycles at one size.
const commits = ["ac2f71c", "baa2933"];
const metrics = ["cycles", "ratio", "time"];

for (const device of devices) {
  test(`${device.name}: the changes of the code, and nothing else`, () => {
    const tf32 = device.cases.map((one) => one.id).filter((id) => id.startsWith("gemm/mma/wide_tile_tf32@"));
    assert.equal(tf32.length, 15);
    const expected = new Set(metrics.flatMap((metric) => commits.flatMap((commit) => tf32.map((id) =>
      `${metric} ${commit} ${id}`))));
    const found = new Set(changesOf(device));
    // Its reference takes 8 % more or less time from process to process: the second change drowns in that.
    const noisy = "ratio baa2933 gemm/mma/wide_tile_tf32@tf32,nt,m256n4096k14336";
    const missed = [...expected].filter((change) => !found.has(change) && change !== noisy);
    assert.deepEqual(missed, []);
    const others = [...found].filter((change) => !expected.has(change));
    const naive = (change) => /^(cycles|time) baa2933 gemm\/simt\/naive@f32,nn,m1024n1024k1024$/.test(change);
    assert.deepEqual(others.filter((change) => !naive(change)), []);
  });
}

test("an H100 and an H200 were measured, several cards of each", () => {
  assert.deepEqual(devices.map((device) => device.name).sort(), ["NVIDIA H100 80GB HBM3", "NVIDIA H200"]);
  for (const device of devices) {
    assert.ok(new Set(device.runs.map((run) => run.card)).size >= 2, "cards that differ are what can be taken for changes");
  }
});
