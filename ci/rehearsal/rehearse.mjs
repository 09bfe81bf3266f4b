// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a workflow on this machine. ci/rehearse.sh, which calls this, says how.
// Exit code: 0 every job succeeded or was skipped, 1 one failed, 64 usage, or something that cannot be rehearsed.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { githubContext } from "./event.mjs";
import { onlyKeys, openExpressions, WorkflowError } from "./expressions.mjs";
import { inOrder, resultsOf, runJob, together } from "./jobs.mjs";

const one = { type: "string" };
const many = { type: "string", multiple: true, default: [] };
const OPTIONS = {
  event: one, head: one, base: one, number: one, repository: one, "default-branch": one, actor: one, of: one, state: one,
  fork: { type: "boolean" }, "rerun-failed": { type: "boolean" },
  job: many, var: many, secret: many, input: many, env: many, path: many, action: many, toolchain: one,
};

/** NAME=VALUE, several times. */
function pairs(texts, option) {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new WorkflowError(`--${option} ${text}: NAME=VALUE is wanted`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** The run of an earlier rehearsal with the same state, or a new one. */
function openRun(given, origin, state) {
  const file = join(state, "run.json");
  if (existsSync(file)) {
    const run = readJson(file);
    if (given["rerun-failed"]) run.github.run_attempt = String(Number(run.github.run_attempt) + 1);
    return run;
  }
  if (!given.event) throw new WorkflowError("--event says what happened; see --help");
  const of = given.of ? { ...readJson(join(given.of, "run.json")) } : undefined;
  const fork = given.fork ?? false;
  const github = githubContext(origin, {
    ...given, fork, of, head: given.head ?? "HEAD", defaultBranch: given["default-branch"],
    number: given.number ? Number(given.number) : undefined, inputs: pairs(given.input, "input"),
  });
  // GitHub gives neither to a run of a fork's pull request.
  const vars = fork ? {} : pairs(given.var, "var");
  const secrets = fork ? {} : pairs(given.secret, "secret");
  return { github: { ...github, run_id: String(Date.now()), run_number: "1", run_attempt: "1" }, vars, secrets };
}

/** Actions that this rehearsal has in a folder: NAME=FOLDER, NAME as in `uses`, without its version. */
function openComposites(texts, parse) {
  return Object.fromEntries(
    Object.entries(pairs(texts, "action")).map(([name, folder]) => {
      const action = parse(readFileSync(join(folder, "action.yml"), "utf8"));
      if (action.runs.using !== "composite") throw new WorkflowError(`${folder}: only composite actions can be rehearsed`);
      return [name, { folder: resolve(folder), action }];
    }),
  );
}

async function rehearse([modules, origin, ...words]) {
  const { values: given, positionals } = parseArgs({ args: words, options: OPTIONS, allowPositionals: true });
  if (positionals.length !== 1 || !given.state) throw new WorkflowError("one workflow and --state are needed; see --help");
  const { parse } = await import(pathToFileURL(join(modules, "yaml/dist/index.js")).href).then((all) => all.default ?? all);
  const workflow = parse(readFileSync(positionals[0], "utf8"));
  onlyKeys(workflow, ["name", "on", "permissions", "concurrency", "env", "jobs"], positionals[0]);
  const order = inOrder(workflow.jobs);
  for (const name of given.job) if (!order.includes(name)) throw new WorkflowError(`there is no job ${name}; there are: ${order.join(", ")}`);

  const state = resolve(given.state);
  const { github, vars, secrets } = openRun(given, origin, state);
  const home = join(state, "home");
  mkdirSync(home, { recursive: true });
  const run = {
    state, origin, home,
    expressions: await openExpressions(modules),
    contexts: { github, vars, secrets, inputs: github.event.inputs ?? {} },
    environment: pairs(given.env, "env"),
    path: [...given.path.map((folder) => resolve(folder)), process.env.PATH].join(":"),
    composites: openComposites(given.action, parse),
    otherRuns: given.of ? { [readJson(join(given.of, "run.json")).github.run_id]: join(resolve(given.of), "artifacts") } : {},
    afterCheckout: given.toolchain
      ? (folder) => existsSync(join(folder, "ci")) && symlinkSync(resolve(given.toolchain), join(folder, ".toolchain"))
      : undefined,
  };
  const wanted = given.job.length > 0 ? given.job : order;
  const conclusionOf = (names) =>
    names.every((name) => ["success", "skipped"].includes(together(resultsOf(state, name)).result)) ? "success" : "failure";
  const save = (conclusion) => writeFileSync(join(state, "run.json"), `${JSON.stringify({ github, vars, secrets, conclusion }, null, 2)}\n`);
  save("");
  for (const name of order.filter((one) => wanted.includes(one))) {
    const earlier = resultsOf(state, name);
    if (given["rerun-failed"] && earlier.length > 0 && together(earlier).result === "success") continue;
    if (!given["rerun-failed"]) rmSync(join(state, "jobs", name), { recursive: true, force: true });
    await runJob(workflow, name, run, given["rerun-failed"]);
  }
  const ran = order.filter((name) => resultsOf(state, name).length > 0);
  for (const name of ran) process.stdout.write(`${name}: ${together(resultsOf(state, name)).result}\n`);
  save(ran.length === order.length ? conclusionOf(order) : "");
  return conclusionOf(wanted) === "success" ? 0 : 1;
}

try {
  process.exitCode = await rehearse(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WorkflowError) && !String(error.code).startsWith("ERR_PARSE_ARGS")) throw error;
  process.stderr.write(`rehearse: ${error.message}\n`);
  process.exitCode = 64;
}
