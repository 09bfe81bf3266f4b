// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Pages and sites of made-up data for the tests of the page itself:
//   node test/fixture.mjs FOLDER            page.html and site/ of an ordinary history, and broken ones
//   node test/fixture.mjs FOLDER load       site-load/ (1,000 cases x 5,000 runs) and page-load.html (200 x 500)

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { bundle as makeBundle } from "../build.mjs";
import { chunkText, encodeColumns, jsonChunk, quantum, writePage, writeSite } from "./encode.mjs";
import { makeCalibration } from "./calibration.mjs";
import { arithmetics, hostile, machines, makeCommits, makeKernels, makeProblems, random, timeOf } from "./made_up.mjs";

const statusTable = ["", "measured", "incorrect", "implausible", "invalid", "crashed", "timed_out", "failed", "skipped"];
const verdictTable = ["", "pass", "regressed", "improved", "inconclusive", "no_baseline"];

function makeEnvironments() {
  const base = {
    driver: "570.86.15", cuda_driver: "12.8", cuda_runtime: "12.8", libraries: { cuBLAS: "12.8.3" }, power_limit_w: 700,
    host: "runner-7", os: "Debian GNU/Linux 12", cpu: "Example CPU", persistence_mode: "on", ecc: "on", mig: "off",
    compute_mode: "default", warnings: ["clocks are not locked; lock them with: nvidia-smi -lgc 1500"],
    tool_version: "0.1.0", compiler: "GNU 12.2.0", cuda_toolkit: "12.8.93",
  };
  const newer = { ...base, driver: "580.159.04", cuda_driver: "13.0", cuda_runtime: "13.0", libraries: { cuBLAS: "13.1.0" },
    cuda_toolkit: "13.0.88" };
  return [base, newer, { ...newer, power_limit_w: 650 }, newer];
}

function makeRuns(count, commits, rng) {
  return Array.from({ length: count }, (_, i) => {
    const commit = Math.min(commits.length - 1, i - Math.floor(i / 40));
    const started = new Date(Date.parse(commits[commit].committed) + 18e5 + (i % 40 === 39 ? 5e6 : 0)).toISOString();
    const share = i / count;
    return {
      id: `${started.slice(0, 19).replace(/[-:]/g, "")}Z-${(4096 + i).toString(16)}`, started: started.slice(0, 19) + "Z",
      commit, dirty: i % 61 === 60, environment: share < 0.45 ? 0 : share < 0.8 ? 1 : i === count - 1 ? 2 : 3,
      card: i % 97 === 52 ? "GPU-22222222" : "GPU-11111111", suite: i % 9 === 4 ? "smoke" : "default", filters: [],
      sessions: 2 + (i % 5 === 0 ? 6 : 0), seconds: 54 + rng.uniform() * 70, counts: {}, origin: "synthetic", notes: [],
    };
  });
}

/** One case's level over the runs: steps at some runs, all known to the case's list of changes. */
function makeSteps(kernelIndex, caseIndex, runs, rng) {
  const steps = [];
  const step = (run, size) => run > 3 && run < runs - 1 && steps.push({ run, size });
  if (kernelIndex % 6 === 2) step(Math.floor(runs * 0.22), -0.06 + 0.01 * rng.uniform());
  if (kernelIndex % 5 === 4) step(Math.floor(runs * 0.61), 0.031 + 0.004 * rng.uniform());
  if (kernelIndex % 8 === 6) step(runs - 12, 0.024 + 0.006 * rng.uniform());
  if (kernelIndex % 11 === 5) step(runs - 1 - 7, -0.035);
  if (caseIndex % 41 === 17) step(Math.floor(runs * (0.3 + 0.4 * rng.uniform())), 0.08);
  return steps.sort((a, b) => a.run - b.run);
}

function makeSeries(context, one) {
  const { runs, rng, machine } = context;
  const noise = (0.0006 + 0.002 * rng.uniform()) * (one.base < 2e4 ? 3 : 1);
  const series = { run: [], status: [], verdict: [], attributes: [], time_ns: [], ratio: [], cycles: [], clock_mhz: [],
    power_w: [], temperature_c: [], time_hw: [], ratio_hw: [], cycles_hw: [], sessions: [] };
  const levels = [];
  runs.forEach((run, i) => {
    if (run.suite === "smoke" && one.index % 3 !== 0) return;
    if (one.index % 29 === 7 && i > runs.length * 0.5 && i < runs.length * 0.55) return;
    const level = one.steps.filter((step) => step.run <= i).reduce((sum, step) => sum + Math.log1p(step.size), 0);
    const broken = one.isWrong ? 2 : rng.uniform() < 0.0007 ? 3 : (one.index % 47 === 11 && i % 67 === 33) ? 2 : 0;
    const clock = machine.clock * (1 + 0.004 * rng.normal());
    const own = noise * rng.normal();
    const time = broken ? null : one.base * Math.exp(level + own) * (machine.clock / clock);
    const last = i === runs.length - 1;
    const verdict = broken ? 0 : last && one.steps.some((s) => s.run > i - 14) ? (one.steps.at(-1).size > 0 ? 2 : 3)
      : last && one.index % 37 === 9 ? 4 : last && one.index % 53 === 20 ? 5 : 1;
    const push = (name, value) => series[name].push(value);
    push("run", i);
    push("status", broken || 1);
    push("verdict", verdict);
    push("attributes", one.steps.filter((step) => step.run <= i).length % 3);
    push("time_ns", time);
    push("ratio", time === null || one.library ? null : (one.base / one.referenceBase) * Math.exp(level + own));
    push("cycles", time === null ? null : (time * clock) / 1e3);
    push("clock_mhz", time === null ? null : clock);
    push("power_w", time === null ? null : 420 + 60 * rng.uniform());
    push("temperature_c", time === null ? null : 48 + 9 * rng.uniform());
    for (const name of ["time_hw", "ratio_hw", "cycles_hw"]) {
      push(name, time === null || (name === "ratio_hw" && one.library) ? null : noise * (1.4 + rng.uniform()));
    }
    push("sessions", run.sessions);
    levels.push({ i, time, clock, verdict, broken, own });
    const word = broken ? statusTable[broken] : verdictTable[verdict];
    run.counts[word] = (run.counts[word] ?? 0) + 1;
  });
  return { series, levels, noise };
}

const kinds = { run: "index", status: "index", verdict: "index", attributes: "index", sessions: "index",
  time_hw: "linear", ratio_hw: "linear", cycles_hw: "linear" };

function columnsOf(series) {
  return Object.entries(series).map(([name, values]) => {
    const kind = kinds[name] ?? "log";
    return { name, kind, values, ...(kind === "index" ? {} : { quantum }) };
  });
}

function launchOf(kernel, generation) {
  return {
    function: `${kernel.id.split("/").at(-1)}<__half, (perfcheck::BLayout)0>`, grid: [32, 16, 1], block: [256, 1, 1],
    registers: [128, 168, 255][generation], shared_bytes: 98304, local_bytes: generation === 2 ? 48 : 0, blocks_per_sm: generation ? 1 : 2,
    occupancy: generation ? 0.125 : 0.25, machine_code: `${"7a5277fbef76fe9".slice(generation)}${generation}`,
  };
}

function changesOf(one, values) {
  return one.steps.filter((step) => one.spans(step.run)).map((step) => ({
    metric: one.metric, run: step.run, from: step.run - 1, to: step.run + 1, size: step.size,
    low: step.size - 0.0021, high: step.size + 0.0021, before: values.before(step.run), after: values.after(step.run),
    p: 1e-9, went_away: false,
  }));
}

function latestOf(one, levels, machine, problem) {
  const last = levels.at(-1);
  if (!last) return undefined;
  const word = last.broken ? statusTable[last.broken] : verdictTable[last.verdict];
  if (last.time === null) {
    return { run: last.i, status: statusTable[last.broken], verdict: word, reason_code: word,
      reason: `${word}: guard_bands failed`, message: `4 bytes changed after the end of D ${hostile}` };
  }
  const tflops = problem.flop / last.time / 1e3;
  const step = one.steps.at(-1)?.size ?? 0;
  const moved = word === "regressed" || word === "improved";
  const change = moved ? step : word === "inconclusive" ? 0.009 : last.own;
  return {
    run: last.i, status: "measured", verdict: word, reason_code: moved ? "ratio_and_cycles_above_margin" : "change_within_margin",
    reason: moved ? `ratio ${(100 * step).toFixed(2)} %, cycles ${(100 * step - 0.1).toFixed(2)} %; allowed 0.50 %; confirmed in fresh sessions`
      : word === "pass" ? "within what is allowed" : "beyond the margin, not significantly",
    also_changed: moved ? "also changed: registers 128 -> 168, occupancy 25 % -> 12.5 %; machine code changed" : "",
    decided_by: one.library ? "cycles" : "ratio",
    ...(word === "no_baseline" ? {} : { change, low: change - 0.0018, high: change + 0.0018, margin: 0.005, detectable: 0.006 + 4 * one.noise }),
    time_ns: last.time, ...(one.library ? {} : { ratio: last.time / one.referenceBase, reference_share: one.referenceBase / last.time }),
    cycles: (last.time * last.clock) / 1e3, clock_mhz: last.clock, noise: one.noise, tflops, gb_s: problem.bytes / last.time,
    peak_share: tflops / machine.peak[arithmetics[problem.types]],
  };
}

function baselineOf(one, index) {
  if (index % 53 === 20) return undefined;
  const level = (median) => ({ median, low: median * 0.997, high: median * 1.003 });
  return { sessions: 8, accepted: "2026-11-02T10:00:00Z", who: "A. Kernel", why: "wider tiles, accepted", commit: "0123456789ab",
    time_ns: level(one.base), cycles: level(one.base * 1.755), margin: 0.005,
    ...(one.library ? {} : { ratio: level(one.base / one.referenceBase) }) };
}

function detailOf(context, one, levels, kernel) {
  const { rng, runs } = context;
  const sessions = [];
  for (const level of levels.slice(-3).reverse()) {
    for (let s = 0; s < 3; s++) {
      const offset = 1 + 0.0015 * rng.normal();
      const time = level.time ?? one.base;
      const rounds = { launches: 11, reference_launches: 17, time_ns: [], reference_time_ns: [], clock_mhz: [], reference_clock_mhz: [] };
      for (let i = 0; i < 40; i++) {
        rounds.time_ns.push(time * offset * (1 + 0.0008 * rng.normal() + (rng.uniform() < 0.03 ? 0.006 : 0)));
        rounds.reference_time_ns.push(one.referenceBase * offset * (1 + 0.0006 * rng.normal()));
        rounds.clock_mhz.push(level.clock * (1 + 0.0004 * rng.normal()));
        rounds.reference_clock_mhz.push(level.clock * (1 + 0.0004 * rng.normal()));
      }
      const measured = level.time !== null;
      sessions.push({
        run: level.i, id: `s${s + 1}`, purpose: s === 0 ? "screen" : "confirm", started: runs[level.i].started, seed: 7 + s,
        result: {
          id: one.id, status: measured ? "measured" : "incorrect", reference: one.reference, ...(measured ? {} : { message: `4 bytes changed ${hostile}` }),
          verification: { passed: measured, checks: [
            { name: "exact", passed: true, error_over_bound: 0 }, { name: "signed", passed: true, error_over_bound: 0.125 },
            { name: "positive", passed: true, error_over_bound: 0.41 + 0.3 * rng.uniform() }, { name: "inputs_untouched", passed: true },
            { name: "guard_bands", passed: measured, ...(measured ? {} : { detail: "4 bytes changed after the end of D" }) } ] },
          launches: [launchOf(kernel, one.steps.length % 3)], ...(measured ? { rounds } : {}), stop_reason: "precise",
          state: { throttle_reasons: s === 1 ? ["sw_power_cap"] : [], power_w: 455, temperature_c: 52, sm_clock_mhz: 1755, other_processes: 0 },
        },
      });
    }
  }
  return { sessions };
}

/** Six significant digits, as run files have. */
function rounded(value) {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "number" && !Number.isInteger(one) ? Number(one.toPrecision(6)) : one)));
}

function writeBlocks(chunks, key, runCount, all) {
  for (let block = 0; block * 64 < runCount; block++) {
    const size = Math.min(64, runCount - block * 64);
    const names = Object.keys(all[0].series).filter((name) => name !== "run");
    const columns = Object.fromEntries(names.map((name) => [name, []]));
    const table = [null];
    for (const { series, attributes } of all) {
      const first = table.length;
      table.push(...attributes);
      const at = new Map(series.run.map((run, i) => [run, i]));
      for (let r = 0; r < size; r++) {
        const i = at.get(block * 64 + r);
        for (const name of names) {
          const value = i === undefined ? (kinds[name] === "index" ? 0 : null) : series[name][i];
          columns[name].push(name === "attributes" && i !== undefined ? first + value : value);
        }
      }
    }
    chunks.set(`${key}r${block}`, chunkText(encodeColumns(columnsOf(columns), { status: statusTable, verdict: verdictTable, attributes: table })));
  }
}

function makeCase(context, index, kernelIndex, problemIndex) {
  const { kernels, problems, machine, rng, runs } = context;
  const kernel = kernels[kernelIndex];
  const problem = problems[problemIndex];
  const reference = kernels.find((one) => one.types === kernel.types);
  const one = {
    index, id: `${kernel.id}@${problem.text}`, reference: `${reference.id}@${problem.text}`, library: kernel.library !== "",
    base: timeOf(machine, kernel, problem), referenceBase: timeOf(machine, reference, problem), isWrong: kernel.id.includes("<b>"),
    metric: kernel.library !== "" ? "cycles" : "ratio", steps: kernel.library ? [] : makeSteps(kernelIndex, index, runs.length, rng),
    spans: (run) => run > 3,
  };
  const { series, levels, noise } = makeSeries(context, one);
  one.noise = noise;
  const value = (level) => one.metric === "ratio" ? level.time / one.referenceBase : level.time * 1.755;
  const mean = (list) => list.length ? list.reduce((sum, level) => sum + value(level), 0) / list.length : undefined;
  const near = { before: (run) => mean(levels.filter((l) => l.time !== null && l.i < run && l.i >= run - 8)),
    after: (run) => mean(levels.filter((l) => l.time !== null && l.i >= run && l.i < run + 8)) };
  const recent = levels.slice(-40);
  const middle = recent.map((level) => level.time).filter((time) => time !== null).sort((a, b) => a - b)[Math.floor(recent.length / 2)];
  const described = {
    id: one.id, kernel: kernelIndex, problem: problemIndex, reference: one.reference, arithmetic: arithmetics[problem.types],
    chunk: `${context.key}c${index}`, metric: one.metric, runs: levels.length,
    spark: recent.map((level) => level.time === null || middle === undefined ? null : Math.round((level.time / middle) * 1e5) / 1e5),
    scatter: { ...(one.library ? {} : { ratio: { sd: noise, df: 90 } }), cycles: { sd: noise, df: 90 }, time: { sd: Math.hypot(noise, 0.004), df: 90 } },
    latest: latestOf(one, levels, machine, problem), changes: one.isWrong ? [] : changesOf(one, near),
  };
  const baseline = baselineOf(one, index);
  if (baseline && !one.isWrong) described.baseline = baseline;
  return { one, described, series, levels };
}

/** One case that crept beyond its margin and one that creeps: what the page shows of it, not what a search would find. */
function addCreep(cases, runCount) {
  const at = (share) => Math.floor(share * (runCount - 1));
  const crept = (one, status, drift) => {
    if (!one) return;
    one.creep = { status, metric: one.metric, drift, low: drift - 0.001, high: drift + 0.001, margin: 0.005, anchor: "the release",
      anchor_from: at(0.3), anchor_to: at(0.4), onset: at(0.5), alarm: at(0.8),
      commits: [{ run: at(0.5), moved: drift / 2, low: drift / 3, high: drift, likeliest: true }, { run: at(0.6), likeliest: false }] };
  };
  crept(cases[7], "drifted", 0.0102);
  crept(cases[8], "creeping", 0.0034);
  return { judged: cases.length, release: "v1.2" };
}

/** A few rows of what the program writes. */
const metrics = [
  { key: "time_ns", name: "time", unit: "", digits: 4, better: "lower", print: "time", ladder: true },
  { key: "tflops", name: "TFLOP/s", unit: "", digits: 3, better: "higher", print: "number", ladder: true },
  { key: "gb_s", name: "memory", unit: "GB/s", digits: 3, better: "higher", print: "number", ladder: true },
  { key: "reference_share", name: "of the reference", unit: "", digits: 3, better: "higher", print: "share", ladder: true },
  { key: "peak_share", name: "of peak", unit: "", digits: 3, better: "higher", print: "share", ladder: true },
  { key: "clock_mhz", name: "clock", unit: "MHz", digits: 4, better: "neither", print: "number", ladder: false },
  { key: "noise", name: "noise of rounds", unit: "", digits: 2, better: "lower", print: "percent", ladder: false },
];

export function makeData(options = {}) {
  const { cases: caseLimit = 360, runs: runCount = 300, devices = 2, kernels: kernelCount = 24, problems: problemCount = 15,
    seed = 20261121, seriesOf = Infinity, blocks = true, transform = (document) => document } = options;
  const chunks = new Map();
  /** The ids of each device's cases. */
  const allCases = [];
  const allRuns = [];
  const manifest = { schema: "perfcheck.report/1", title: options.title ?? "perfcheck report", generated: "2026-11-22T06:30:00Z",
    tool_version: "0.1.0", site: false, notes: ["Made-up data for testing this page: nothing here was measured.", `A note with ${hostile}`],
    devices: [] };
  for (let d = 0; d < devices; d++) {
    const rng = random(seed + d);
    const machine = machines[d];
    const key = `d${d}`;
    const commits = makeCommits(runCount, random(seed));
    const runs = makeRuns(d === 0 ? runCount : Math.floor(runCount * 0.6), commits, rng);
    const kernels = makeKernels(kernelCount);
    const problems = makeProblems(problemCount);
    const context = { key, rng, machine, runs, kernels, problems };
    const cases = [];
    const all = [];
    outer: for (let k = 0; k < kernels.length; k++) {
      for (let p = 0; p < problems.length; p++) {
        if (problems[p].types !== kernels[k].types || (k + 3 * p) % 31 === 30) continue;
        if (cases.length >= caseLimit) break outer;
        const made = makeCase(context, cases.length, k, p);
        cases.push(made.described);
        made.attributes = [0, 1, 2].map((generation) => ({ launches: [launchOf(kernels[k], generation)], machine_code: `8ecd14${generation}` }));
        all.push(made);
        if (all.length <= seriesOf) {
          chunks.set(`${key}c${made.one.index}`, chunkText(encodeColumns(columnsOf(made.series), { status: statusTable, verdict: verdictTable, attributes: transform(made.attributes) })));
          chunks.set(`${key}c${made.one.index}x`, jsonChunk(transform(rounded(detailOf(context, made.one, made.levels, kernels[k])))));
        }
        if (all.length > 3 && !blocks) made.series = made.levels = undefined;
      }
    }
    const creep = d === 0 ? addCreep(cases, runs.length) : { judged: cases.length };
    allCases.push(cases.map((one) => one.id));
    allRuns.push(runs.map((one) => one.id));
    if (blocks) writeBlocks(chunks, key, runs.length, all);
    for (const run of runs) {
      const { counts } = run;
      run.exit_code = counts.incorrect || counts.crashed ? 2 : counts.regressed ? 1 : counts.inconclusive || counts.no_baseline ? 3 : 0;
    }
    const device = {
      key: `${machine.slug}/gemm`, name: machine.name, slug: machine.slug, operation: "gemm", backend: "cuda", compute_capability: "9.0",
      multiprocessors: 132, memory_bytes: 85029158912, cache_bytes: 52428800, max_clock_mhz: 1980, peak_tflops: machine.peak,
      peak_gb_s: machine.gb_s, repository: d === 0 ? "https://example.org/team/kernels" : "javascript:alert(1)//", commits,
      environments: makeEnvironments(), runs, creep, problems: problems.map(({ types, ...rest }) => rest), kernels: kernels.map(({ types, speed, ...rest }) => rest), metrics, cases,
      calibrations: d === 0 ? [{ recorded: "2026-11-20T12:00:00Z", calibration: makeCalibration(cases, kernels, machine.name, random(5)) }] : [],
    };
    chunks.set(key, jsonChunk(transform(rounded(device))));
    const last = runs.at(-1);
    manifest.devices.push({ key: device.key, name: device.name, operation: "gemm", backend: "cuda", chunk: key, cases: cases.length,
      runs: runs.length, last_run: { started: last.started, commit: commits[last.commit].id, exit_code: last.exit_code, counts: last.counts } });
  }
  return { manifest, chunks, cases: allCases, runs: allRuns };
}

// Members whose text comes from people and machines; ids, addresses, dates and words that the page knows are left out.
const freeTexts = new Set(["name", "subject", "author", "branch", "summary", "file", "library", "driver", "cuda_driver", "cuda_runtime", "libraries",
  "host", "os", "cpu", "persistence_mode", "ecc", "mig", "compute_mode", "warnings", "tool_version", "compiler", "cuda_toolkit", "suite",
  "filters", "origin", "notes", "message", "reason", "also_changed", "who", "why", "function", "detail", "stop_reason", "throttle_reasons",
  "compared_with", "device", "source", "title", "release"]);

/** The same document with hostile text in every place that is free for text. */
function poisoned(value, free = false) {
  if (typeof value === "string") return free ? `${value} ${hostile}` : value;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, free));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poisoned(one, (free || freeTexts.has(key)) && key !== "id")]));
}

function writeHostilePage(file, bundle) {
  const { manifest, chunks } = makeData({ cases: 120, runs: 60, devices: 2, transform: poisoned });
  writePage(file, bundle, poisoned(manifest), withoutBlocks(chunks));
}

const withoutBlocks = (chunks) => new Map([...chunks].filter(([key]) => !/^d\d+r/.test(key)));

export async function writeFixtures(folder) {
  mkdirSync(folder, { recursive: true });
  const bundle = await makeBundle();
  const { manifest, chunks, cases, runs } = makeData();
  writePage(join(folder, "page.html"), bundle, manifest, withoutBlocks(chunks));
  writeSite(join(folder, "site"), bundle, manifest, chunks);
  const broken = new Map(withoutBlocks(chunks));
  broken.set("d0c1", broken.get("d0c1").slice(0, 200));
  broken.delete("d0c2");
  broken.set("d1", "AAAA");
  writePage(join(folder, "broken-chunk.html"), bundle, manifest, broken);
  writePage(join(folder, "broken-manifest.html"), bundle, { title: "broken", raw: '{"schema": "perfcheck.rep' }, new Map());
  writePage(join(folder, "empty.html"), bundle, { ...manifest, notes: ["The history is empty."], devices: [] }, new Map());
  writeHostilePage(join(folder, "hostile.html"), bundle);
  return { bundle, manifest, chunks, cases, runs };
}

export async function writeLoadFixtures(folder) {
  mkdirSync(folder, { recursive: true });
  const bundle = await makeBundle();
  const large = makeData({ cases: 1000, runs: 5000, devices: 1, kernels: 72, problems: 15, seriesOf: 40, blocks: false, title: "load" });
  writeSite(join(folder, "site-load"), bundle, large.manifest, large.chunks);
  const single = makeData({ cases: 200, runs: 500, devices: 1, kernels: 24, problems: 15, blocks: false, title: "load" });
  writePage(join(folder, "page-load.html"), bundle, single.manifest, single.chunks);
}

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].split("/").at(-1))) {
  const folder = process.argv[2];
  if (folder === undefined) {
    console.error("usage: node test/fixture.mjs FOLDER [load]");
    process.exit(64);
  }
  if (process.argv[3] === "load") await writeLoadFixtures(folder);
  else await writeFixtures(folder);
}
