// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs of a workflow: their order, their matrices, and where each of them runs.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asText, onlyKeys, WorkflowError } from "./expressions.mjs";
import { logger, runSteps } from "./steps.mjs";

const JOB_KEYS = ["name", "needs", "if", "runs-on", "strategy", "timeout-minutes", "permissions", "environment"];
const MORE_JOB_KEYS = ["concurrency", "outputs", "steps", "env", "container"];

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/** Names of the jobs, each behind those that it needs. */
export function inOrder(jobs) {
  const order = [];
  const visit = (name, path) => {
    if (!jobs[name]) throw new WorkflowError(`job ${path.at(-1)} needs '${name}', which is not there`);
    if (path.includes(name)) throw new WorkflowError(`jobs need each other: ${[...path, name].join(", ")}`);
    for (const before of list(jobs[name].needs)) visit(before, [...path, name]);
    if (!order.includes(name)) order.push(name);
  };
  for (const name of Object.keys(jobs)) visit(name, []);
  return order;
}

/** Every job that stands before this one. */
function ancestors(jobs, name) {
  const before = list(jobs[name].needs);
  return [...new Set([...before, ...before.flatMap((one) => ancestors(jobs, one))])];
}

/** The values of `matrix`, one for each job that is to run. */
function combinations(matrix) {
  if (matrix === undefined) return [{}];
  const { include, ...axes } = matrix;
  onlyKeys(axes, Object.keys(axes).filter((key) => key !== "exclude"), "matrix");
  let all = Object.keys(axes).length > 0 ? [{}] : [];
  for (const [axis, values] of Object.entries(axes)) {
    if (!Array.isArray(values)) throw new WorkflowError(`matrix.${axis} is no list`);
    all = all.flatMap((one) => values.map((value) => ({ ...one, [axis]: value })));
  }
  if (include && Object.keys(axes).length > 0) throw new WorkflowError("matrix: axes with include are nothing that a rehearsal can do");
  return [...all, ...(include ?? [])];
}

/** What is known of jobs that ran, in this rehearsal or in an earlier one with the same state. */
export function resultsOf(state, name) {
  const folder = join(state, "jobs", name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((one) => existsSync(join(folder, one, "result.json")))
    .sort((a, b) => a - b)
    .map((one) => JSON.parse(readFileSync(join(folder, one, "result.json"), "utf8")));
}

/** What `needs` says about a job. */
function neededResult(state, name) {
  const results = resultsOf(state, name);
  if (results.length === 0) throw new WorkflowError(`the job ${name}, which is needed, has not run with this --state`);
  return together(results);
}

/** The result of all of a job's combinations together, as another job's `needs` has it. */
export function together(results) {
  const is = (what) => results.some(({ result }) => result === what);
  const result = is("failure") ? "failure" : is("cancelled") ? "cancelled" : is("success") ? "success" : "skipped";
  return { result, outputs: Object.assign({}, ...results.map(({ outputs }) => outputs)) };
}

/** Runs a job with all of its combinations, or with those that failed before. Gives what `together` does. */
export async function runJob(workflow, name, run, onlyFailed) {
  const job = workflow.jobs[name];
  onlyKeys(job, [...JOB_KEYS, ...MORE_JOB_KEYS], `job ${name}`);
  const needs = Object.fromEntries(list(job.needs).map((one) => [one, neededResult(run.state, one)]));
  const before = ancestors(workflow.jobs, name).map((one) => neededResult(run.state, one).result);
  const status = {
    always: () => true,
    cancelled: () => before.includes("cancelled"),
    success: () => before.every((one) => one === "success"),
    failure: () => before.includes("failure"),
  };
  const contexts = { ...run.contexts, needs };
  const earlier = resultsOf(run.state, name);
  if (!run.expressions.holds(job.if, contexts, status)) {
    keep(run, name, 0, { name, result: "skipped", outputs: {} });
    process.stdout.write(`== ${name}: skipped\n`);
    return together(resultsOf(run.state, name));
  }
  const strategy = job.strategy ?? {};
  onlyKeys(strategy, ["matrix", "fail-fast"], `job ${name}, strategy`);
  const values = combinations(run.expressions.fillAll(strategy.matrix, contexts, status));
  if (values.length === 0) throw new WorkflowError(`job ${name}: its matrix is empty`);
  let stop = false;
  for (const [index, matrix] of values.entries()) {
    if (onlyFailed && earlier[index]?.result === "success") continue;
    if (stop) {
      keep(run, name, index, { name, result: "cancelled", outputs: {} });
    } else {
      const result = await runOne(workflow, name, index, { ...contexts, matrix, strategy: { "job-index": index, "job-total": values.length } }, run);
      stop = result.result !== "success" && strategy["fail-fast"] !== false;
    }
  }
  return together(resultsOf(run.state, name));
}

function keep(run, name, index, result) {
  const folder = join(run.state, "jobs", name, String(index));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "result.json"), `${JSON.stringify(result, null, 2)}\n`);
}

/** What a runner puts into every step's environment. Nothing of this machine's but its PATH gets in. */
function environmentOf(run, github, name, temp, folder) {
  const environment = { CI: "true", GITHUB_ACTIONS: "true", LANG: "C.UTF-8", HOME: run.home, PATH: run.path };
  for (const [key, value] of Object.entries(github)) {
    if (typeof value !== "object" && key !== "token") environment[`GITHUB_${key.toUpperCase()}`] = asText(value);
  }
  return {
    ...environment,
    GITHUB_JOB: name,
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: join(run.home, "tool-cache"),
    RUNNER_OS: "Linux",
    ...run.environment,
  };
}

/** A folder for PATH with an apt-get that does nothing: what a container is given is not for this machine. */
function withoutAptGet(temp) {
  const folder = join(temp, "_container");
  mkdirSync(folder);
  writeFileSync(join(folder, "apt-get"), '#!/bin/sh\necho "apt-get $*: left out of the rehearsal"\n', { mode: 0o755 });
  return folder;
}

async function runOne(workflow, name, index, contexts, run) {
  const job = workflow.jobs[name];
  const folder = join(run.state, "jobs", name, String(index));
  const [temp, workspace] = [join(folder, "temp"), join(folder, "workspace")];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(temp, { recursive: true });
  mkdirSync(workspace, { recursive: true });
  const github = { ...run.contexts.github, job: name, workspace };
  const all = { ...contexts, github, runner: { temp, os: "Linux", tool_cache: join(run.home, "tool-cache") }, job: { status: "success" } };
  const fill = (value) => run.expressions.fillAll(value, all, { always: () => true });
  const environment = environmentOf(run, github, name, temp, folder);
  for (const [key, value] of Object.entries({ ...fill(workflow.env ?? {}), ...fill(job.env ?? {}) })) environment[key] = asText(value);
  const result = {
    name: asText(fill(job.name ?? name)),
    "runs-on": fill(job["runs-on"]),
    // Its url may ask for results of steps.
    environment: fill(job.environment?.name ?? job.environment ?? null),
    concurrency: fill(job.concurrency ?? null),
    permissions: job.permissions ?? workflow.permissions,
    matrix: contexts.matrix,
  };
  const log = logger(join(folder, "log.txt"), `${result.name} | `);
  log.say(`runs on ${[result["runs-on"]].flat().join(", ")}${result.environment ? `; environment ${asText(result.environment)}` : ""}`);
  const state = {
    ...run,
    github,
    contexts: all,
    environment,
    temp,
    workspace,
    artifacts: join(run.state, "artifacts"),
    commands: [],
    deadline: Date.now() + 60000 * (job["timeout-minutes"] ?? 360),
  };
  if (job.container) {
    log.say(`the container ${asText(fill(job.container))} is not played: steps run on this machine, which apt-get leaves as it is`);
    environment.PATH = `${withoutAptGet(temp)}:${environment.PATH}`;
  }
  const scope = { place: `job ${name}`, contexts: all, steps: {}, environment: {} };
  const good = await runSteps(job.steps, state, scope, log.say);
  result.result = good ? "success" : "failure";
  result.commands = state.commands;
  result.outputs = Object.fromEntries(
    Object.entries(job.outputs ?? {}).map(([key, value]) => [key, asText(run.expressions.fill(value, { ...all, steps: scope.steps }, {}))]),
  );
  log.say(`== ${result.result}`);
  await log.end();
  keep(run, name, index, result);
  return result;
}
