// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Decoding, formatting, statistics and addresses, without a browser.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chunkText, encodeColumns, quantum } from "./encode.mjs";

let decode, format, stats, router, model, scale, colours, rows, verdicts;
const folder = mkdtempSync(join(tmpdir(), "perfcheck-unit-"));

before(async () => {
  const modules = { decode: "data/decode", format: "format", stats: "stats", router: "state/router", model: "data/model", scale: "charts/scale", colours: "charts/colours", rows: "views/compare/rows", verdicts: "data/verdicts" };
  await build({
    absWorkingDir: join(dirname(fileURLToPath(import.meta.url)), ".."), outdir: folder, bundle: true, format: "esm", logLevel: "warning",
    entryPoints: Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, `src/${file}.ts`])), outExtension: { ".js": ".mjs" },
  });
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  [decode, format, stats, router, model, scale, colours, rows, verdicts] = await Promise.all(Object.keys(modules).map(load));
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe("verdicts", () => {
  test("what is not believed has a word, a symbol and a meaning, and counts as broken", () => {
    for (const name of ["implausible", "invalid"]) {
      const { word, glyph, tone, meaning } = verdicts.stateOf(name);
      assert.equal(word, name);
      assert.ok(glyph.length === 1 && meaning !== "" && tone === "broken");
      assert.ok(verdicts.isFailure(name));
    }
    const order = verdicts.orderedCounts({ pass: 3, crashed: 1, implausible: 1, incorrect: 2, invalid: 1 }).map(([name]) => name);
    assert.deepEqual(order, ["incorrect", "implausible", "invalid", "crashed", "pass"]);
  });
});

describe("decoding", () => {
  test("columns of every kind come back, with gaps", async () => {
    const values = [1.5, null, 1.5001, 3e9, 2e-7];
    const bytes = encodeColumns([
      { name: "run", kind: "index", values: [0, 1, 5, 4, 2 ** 40] },
      { name: "time_ns", kind: "log", quantum, values },
      { name: "hw", kind: "linear", quantum, values: [0, -0.5, null, 0.25, 1000] },
    ], { status: ["", "measured"], verdict: [], attributes: [] });
    const unpacked = await decode.inflate(decode.bytesOfBase64(chunkText(bytes)));
    const { columns, tables } = decode.decodeColumns(unpacked);
    assert.deepEqual([...columns.get("run")], [0, 1, 5, 4, 2 ** 40]);
    columns.get("time_ns").forEach((value, i) => {
      if (values[i] === null) assert.ok(Number.isNaN(value));
      else assert.ok(Math.abs(value / values[i] - 1) < 1e-5, `${value} for ${values[i]}`);
    });
    const linear = [...columns.get("hw")];
    assert.ok(Math.abs(linear[1] + 0.5) < 1e-9 && Number.isNaN(linear[2]) && Math.abs(linear[4] - 1000) < 1e-9);
    assert.equal(columns.get("hw")[0], 0, "zero is a value, not a gap");
    assert.deepEqual(tables.status, ["", "measured"]);
  });

  test("the bytes of the format are those of the contract", () => {
    // Header length, header, then zigzag LEB128 by hand: 0, +1 and -300 as differences.
    const header = Buffer.from('{"columns":[{"name":"a","kind":"index","count":3,"bytes":4}]}');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(header.length);
    const bytes = Buffer.concat([length, header, Buffer.from([0x00, 0x02, 0xd7, 0x04])]);
    assert.deepEqual([...decode.decodeColumns(bytes).columns.get("a")], [0, 1, -299]);
  });

  test("damage is refused, not shown", () => {
    const good = encodeColumns([{ name: "run", kind: "index", values: [1, 2, 300] }], {});
    assert.throws(() => decode.decodeColumns(good.subarray(0, good.length - 1)), /cut off/);
    assert.throws(() => decode.decodeColumns(good.subarray(0, 3)), /shorter/);
    assert.throws(() => decode.decodeColumns(good.subarray(0, 20)), /header is cut off/);
    const long = Buffer.from(good);
    long[long.length - 1] = 0xff;
    assert.throws(() => decode.decodeColumns(long), /ends within value/);
  });
});

describe("formatting", () => {
  const plain = (text) => text.replace(/\u00a0|\u202f/g, " ").replace(/\u2212/g, "-");

  test("times choose their unit", () => {
    assert.deepEqual([5.2, 28480, 712600, 16.6e6, 3e9, undefined].map((ns) => plain(format.time(ns))),
      ["5.200 ns", "28.48 \u00b5s", "712.6 \u00b5s", "16.60 ms", "3.000 s", "\u2014"]);
  });

  test("a change has a sign and no more digits than it deserves", () => {
    assert.deepEqual([0.0326, -0.0311, 0.00001, 0.1234, 2.5, -0.5, undefined].map((one) => plain(format.change(one))),
      ["+3.26 %", "-3.11 %", "\u00b10.00 %", "+12.3 %", "+250 %", "-50.0 %", "\u2014"]);
  });

  test("shares, counts and sizes", () => {
    assert.deepEqual([0.58, 1.004, 0.052, 0.00044, 0].map((one) => plain(format.share(one))), ["58.0 %", "100 %", "5.20 %", "0.044 %", "0.00 %"]);
    assert.equal(plain(format.plural(349, "case")), "349 cases");
    assert.equal(plain(format.plural(1, "case")), "1 case");
    assert.equal(plain(format.bytes(98304)), "96 KiB");
    assert.equal(plain(format.integer(12345)), "12 345");
  });

  test("the time since is in words", () => {
    const now = Date.parse("2026-11-22T12:00:00Z");
    assert.equal(plain(format.ago("2026-11-21T10:00:00Z", now)), "26 hours ago");
    assert.equal(plain(format.ago("2026-11-22T11:59:30Z", now)), "30 seconds ago");
    assert.equal(plain(format.ago("2026-11-01T12:00:00Z", now)), "21 days ago");
    assert.equal(format.ago("never", now), "");
  });

  test("a shell reads back what was quoted", () => {
    assert.equal(format.shellQuote("a@b"), "'a@b'");
    assert.equal(format.shellQuote("it's $HOME"), `'it'\\''s $HOME'`);
  });
});

describe("statistics", () => {
  test("Clopper and Pearson's limits", () => {
    assert.ok(Math.abs(stats.shareHigh(0, 56, 0.05) - (1 - 0.05 ** (1 / 56))) < 1e-9);
    assert.equal(stats.shareLow(0, 56, 0.05), 0);
    assert.equal(stats.shareHigh(56, 56, 0.05), 1);
    // 7 of 20, 95 %, two-sided: 15.39 % to 59.22 %.
    assert.ok(Math.abs(stats.shareLow(7, 20, 0.025) - 0.15391) < 1e-4);
    assert.ok(Math.abs(stats.shareHigh(7, 20, 0.025) - 0.59219) < 1e-4);
  });

  test("quantiles and boxes", () => {
    assert.equal(stats.median([3, 1, 2]), 2);
    assert.equal(stats.quantile([1, 2, 3, 4], 0.5), 2.5);
    const found = stats.box([1, 2, 3, 4, 5, 100]);
    assert.equal(found.high, 5);
    assert.equal(found.low, 1);
  });

  test("a difference knows its interval and its significance", () => {
    const found = stats.difference(100, 103, 0.003, 0.004);
    assert.ok(Math.abs(found.change - 0.03) < 1e-12);
    assert.ok(found.low > 0.0247 && found.low < 0.025 && found.high > 0.035 && found.high < 0.0353);
    assert.ok(Math.abs(found.errors - Math.log(1.03) / (0.005 / 1.959964)) < 1e-9);
    assert.ok(found.p < 1e-20);
    const unknown = stats.difference(1, 2, NaN, NaN);
    assert.ok(Number.isNaN(unknown.errors) && Number.isNaN(unknown.p) && Number.isNaN(unknown.low));
  });

  test("a difference is judged by how much runs scatter where that is more than their intervals", () => {
    const scatter = { sd: 0.02, df: 10 };
    const found = stats.difference(100, 103, 0.003, 0.004, scatter);
    const error = 0.02 * Math.SQRT2;
    assert.ok(Math.abs(found.errors - Math.log(1.03) / error) < 1e-9);
    // Student's t, 10 degrees of freedom: 2.228 at 95 %.
    assert.ok(Math.abs(Math.log1p(found.high) - (Math.log(1.03) + 2.22814 * error)) < 1e-6);
    assert.ok(found.p > 0.31 && found.p < 0.33);
    assert.equal(stats.difference(100, 103, 0.3, 0.4, scatter).errors, stats.difference(100, 103, 0.3, 0.4).errors);
  });

  test("Student's t is that of the tables", () => {
    for (const [df, t] of [[1, 12.7062], [2, 4.30265], [5, 2.57058], [10, 2.22814], [30, 2.04227]]) {
      assert.ok(Math.abs(stats.quantileOfT(0.05, df) - t) < 1e-4 * t, `${df}`);
      assert.ok(Math.abs(stats.tailOfT(t, df) - 0.05) < 1e-5, `${df}`);
    }
    assert.ok(Math.abs(stats.tailOfT(1.959964, 1e6) - 0.05) < 1e-5);
  });

  test("a histogram loses nothing", () => {
    assert.equal(stats.histogram([0, 1, 2, 3, 3], 0, 3, 4).reduce((sum, count) => sum + count, 0), 5);
  });
});

describe("addresses", () => {
  test("every text survives", () => {
    const nasty = ["gemm/mma/f16@f16.f32,nn,m1n2k3", "a&b=c#d?e%f+g h", "\u00b3 \u2192", "</script>"];
    const route = router.parseRoute(router.href("trend", { d: "slug/gemm", c: nasty, none: undefined }));
    assert.equal(route.view, "trend");
    assert.deepEqual([...route.params.c], nasty);
    assert.equal(route.params.none, undefined);
  });

  test("a case's id stays readable", () => {
    assert.equal(router.href("case", { c: "gemm/simt/naive@f32,nn,m1n1k1" }), "#/case?c=gemm/simt/naive@f32,nn,m1n1k1");
  });

  test("nonsense opens the overview", () => {
    for (const hash of ["", "#", "#/nowhere?x", "#/__proto__", "#/trend%"]) assert.equal(router.parseRoute(hash).view, "overview");
    assert.equal(router.parseRoute("#/trend?__proto__=1&c=%E0%A4%A").params.c[0], "%E0%A4%A");
  });
});

describe("model", () => {
  const device = (repository) => ({ repository });
  test("only pages of the web are linked", () => {
    const commit = { id: "0123456789abcdef" };
    assert.equal(model.commitAddress(device("https://example.org/a/"), commit), "https://example.org/a/commit/0123456789abcdef");
    for (const repository of ["javascript:alert(1)//", "", "data:text/html,x", " https://x"]) assert.equal(model.commitAddress(device(repository), commit), undefined);
    assert.equal(model.commitAddress(device("https://example.org"), { id: "../../x" }), undefined);
  });

  test("environments differ only in what both know", () => {
    const changes = model.environmentChanges({ driver: "1", ecc: "on", libraries: { cuBLAS: "12" } }, { driver: "2", mig: "off", libraries: { cuBLAS: "13" } });
    assert.deepEqual(changes.map((one) => [one.name, one.before, one.after]), [["cuBLAS", "12", "13"], ["driver", "1", "2"]]);
  });

  test("passes of the last run say what they exclude, the others nothing", () => {
    const of = (run, verdict, high, reason_code) => ({ latest: { run, verdict, high, reason_code } });
    const made = { runs: [{}, {}], cases: [of(1, "pass", 0.02), of(1, "pass", 0.001), of(1, "pass", -0.01), {},
      of(0, "pass", 0.5), of(1, "regressed", 0.5), of(1, "pass", undefined), of(1, "pass", 0.5, "reference_moved")] };
    assert.deepEqual(model.passLimits(made), [-0.01, 0.001, 0.02]);
  });

  test("shapes in short", () => {
    const label = (axes, text = "") => model.shapeLabel({ text, axes: Object.entries(axes).map(([name, value]) => ({ name, value })) });
    assert.equal(label({ types: "f32", layout: "nn", m: 4096, n: 4096, k: 4096 }), "4096\u00b3 nn");
    assert.equal(label({ types: "f32", layout: "nt", m: 16, n: 14336, k: 4096, alpha: 0.5, cache: "hot" }), "16\u00d714336\u00d74096 nt alpha0.5 hot");
    assert.equal(label({ r: 64, c: 64 }), "64\u00b2");
    assert.equal(label({ rows: 4096, columns: 1000 }), "rows4096 columns1000");
    assert.equal(model.shapeLabel({ text: "threads:4" }), "threads:4", "what tells no axes is shown as it is");
    assert.equal(model.shapeLabel(undefined), "");
  });

  test("axes tell types, shapes and families apart", () => {
    const of = (types, m, n, rest = []) => ({ text: "not read", axes: [{ name: "types", value: types }, { name: "m", value: m }, { name: "n", value: n }, ...rest] });
    const hot = { name: "cache", value: "hot" };
    assert.equal(model.typesOf(of("f16.f32", 8, 8)), "f16.f32");
    assert.equal(model.typesOf({ text: "f32,nn,m8n8k8" }), "");
    assert.equal(model.shapeOf(of("f32", 8, 8)), model.shapeOf(of("f16.f32", 8, 8)));
    assert.notEqual(model.shapeOf(of("f32", 8, 8)), model.shapeOf(of("f32", 8, 9)));
    assert.equal(model.squareSize(of("f32", 8, 8)), 8);
    assert.equal(model.squareSize(of("f32", 8, 9)), undefined);
    assert.equal(model.squareSize({ text: "m8n8k8" }), undefined);
    assert.equal(model.familyOf(of("f32", 8, 8)), model.familyOf(of("f32", 16, 16, [{ name: "lda", value: 20 }])));
    assert.notEqual(model.familyOf(of("f32", 8, 8)), model.familyOf(of("f32", 16, 16, [hot])));
    assert.equal(model.shapeOf({ text: "threads:4" }), "threads:4");
  });
});

describe("comparison", () => {
  // Two runs, 3 % apart, each sure of its value to 0.1 %.
  const columns = {
    columns: new Map(Object.entries({ run: [0, 1], status: [1, 1], time_ns: [100, 103], time_hw: [0.001, 0.001] })),
    tables: { status: ["", "measured"], verdict: [], attributes: [] },
  };
  const store = { manifest: { site: false }, columns: () => ({ value: columns }) };
  const compared = (one) => rows.compareRows(store, {
    runs: [{ suite: "s" }, { suite: "s" }], problems: [{}], cases: [{ id: "k@p", problem: 0, chunk: "c", metric: "time", ...one }],
  }, 0, 1, "time");

  test("what no other run of the case would have been is significant", () => {
    const [row] = compared({ scatter: { time: { sd: 0.002, df: 50 } } });
    assert.ok(rows.isSignificant(row) && row.worse);
    assert.ok(rows.isSignificant(compared({})[0]), "without a history the intervals count");
  });

  test("what runs of the case differ by anyway is not", () => {
    assert.ok(!rows.isSignificant(compared({ scatter: { time: { sd: 0.02, df: 50 } } })[0]));
    assert.ok(!rows.isSignificant(compared({ scatter: { time: { sd: 0.005, df: 3 } } })[0]), "few runs do not know their scatter well");
  });

  test("what is allowed is not significant, however sure it is", () => {
    assert.ok(!rows.isSignificant(compared({ baseline: { margin: 0.04 } })[0]));
  });
});

describe("charts", () => {
  test("ticks are round and within", () => {
    assert.deepEqual(scale.linearTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(scale.logTicks(1, 1000, 3), [1, 10, 100, 1000]);
  });
  test("labels keep their distance", () => {
    const places = scale.spread([10, 11, 12, 90], 14, 0, 100);
    const order = [...places].sort((a, b) => a - b);
    order.slice(1).forEach((place, i) => assert.ok(place - order[i] >= 13.999));
    assert.ok(order[0] >= 0 && order[3] <= 100);
  });
  test("no two of eight series share a colour", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    assert.equal(new Set(colours.seriesColours(names)).size, 8);
  });
});
