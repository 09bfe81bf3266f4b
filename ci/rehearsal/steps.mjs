// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of a job: scripts, run as a runner does, and the few actions that this project's workflows use.
import { spawn, execFileSync } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { asText, onlyKeys, WorkflowError } from "./expressions.mjs";
import { download, upload } from "./artifacts.mjs";

const SHELLS = { undefined: ["bash", "-e"], bash: ["bash", "--noprofile", "--norc", "-eo", "pipefail"] };

/** `name=value` lines and `name<<END` blocks of GITHUB_OUTPUT. */
export function readOutputs(file) {
  const outputs = {};
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  for (let i = 0; i < lines.length; ++i) {
    const block = /^([^=<]+)<<(.+)$/.exec(lines[i]);
    if (block) {
      const end = lines.indexOf(block[2], i + 1);
      if (end < 0) throw new Error(`${file}: '${block[1]}' has no end '${block[2]}'`);
      outputs[block[1]] = lines.slice(i + 1, end).join("\n");
      i = end;
    } else if (lines[i] !== "") {
      const at = lines[i].indexOf("=");
      if (at < 1) throw new Error(`${file}: '${lines[i]}' is no output`);
      outputs[lines[i].slice(0, at)] = lines[i].slice(at + 1);
    }
  }
  return outputs;
}

/** The commands in a step's output that a runner would heed: all but those between ::stop-commands:: and its word. */
export function commandReader() {
  let stopped = null;
  const commands = [];
  return {
    commands,
    line(text) {
      const found = /^\s*::([a-zA-Z-]+)( [^:]*(?::(?!:)[^:]*)*)?::(.*)$/.exec(text);
      if (stopped !== null) {
        if (text.trim() === `::${stopped}::`) stopped = null;
      } else if (found?.[1] === "stop-commands") {
        stopped = found[3];
      } else if (found) {
        commands.push(text.trim());
      }
    },
  };
}

/** Runs a script and gives its exit code, or null where the job's time was over. */
function shell(script, job, env, folder, say) {
  const [program, ...options] = SHELLS[script.shell] ?? [];
  if (program === undefined) throw new WorkflowError(`a shell '${script.shell}' is nothing that a rehearsal can do`);
  const file = join(job.temp, "_step.sh");
  writeFileSync(file, script.run);
  const reader = commandReader();
  return new Promise((done, failed) => {
    // A group of its own, so that all of it can be ended.
    const child = spawn(program, [...options, file], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), Math.max(0, job.deadline - Date.now()));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        reader.line(line);
        say(line);
      });
    }
    child.on("error", failed);
    child.on("close", (code) => {
      clearTimeout(timer);
      job.commands.push(...reader.commands);
      done(code);
    });
  });
}

function git(folder, ...words) {
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...words], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
}

/** A branch of the repository, as `ref` names it. */
function named(origin, ref) {
  const branch = ref.replace(/^refs\/heads\//, "");
  const sha = git(origin, "rev-parse", "--verify", "--end-of-options", `refs/heads/${branch}`).toString().trim();
  return { ref: `refs/heads/${branch}`, ref_name: branch, sha };
}

function checkout(inputs, job) {
  onlyKeys(inputs, ["ref", "fetch-depth", "persist-credentials", "sparse-checkout", "token"], "actions/checkout");
  const { origin } = job;
  // Empty: as the event says.
  const github = inputs.ref ? named(origin, inputs.ref) : job.github;
  const folder = job.workspace;
  const all = String(inputs["fetch-depth"] ?? 1) === "0";
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  git(folder, "remote", "add", "origin", origin);
  const branches = all ? ["+refs/heads/*:refs/remotes/origin/*"] : ["--depth", "1"];
  git(folder, "fetch", "--quiet", "--no-tags", "origin", ...branches, github.sha);
  if (inputs["sparse-checkout"]) git(folder, "sparse-checkout", "set", inputs["sparse-checkout"]);
  const branch = github.ref.startsWith("refs/heads/") ? ["-B", github.ref_name] : ["--detach"];
  git(folder, "checkout", "--quiet", ...branch, github.sha);
  job.afterCheckout?.(folder);
}

/** The store of another run's artifacts, or of this one's. */
function storeOf(inputs, job) {
  const id = inputs["run-id"];
  if (id === undefined || String(id) === String(job.github.run_id)) return job.artifacts;
  if (!inputs["github-token"]) throw new Error("another run's artifacts need a github-token");
  const of = job.otherRuns[id];
  if (of === undefined) throw new Error(`this rehearsal knows no run ${id}`);
  return of;
}

const ACTIONS = {
  "actions/checkout": checkout,
  "actions/upload-artifact": (inputs, job, say) => {
    onlyKeys(inputs, ["name", "path", "if-no-files-found", "overwrite", "retention-days"], "actions/upload-artifact");
    upload(
      job.artifacts,
      {
        name: inputs.name,
        path: resolve(job.workspace, inputs.path),
        overwrite: String(inputs.overwrite) === "true",
        missing: inputs["if-no-files-found"],
      },
      say,
    );
  },
  "actions/download-artifact": (inputs, job, say) => {
    onlyKeys(inputs, ["name", "pattern", "path", "run-id", "github-token"], "actions/download-artifact");
    download(storeOf(inputs, job), { ...inputs, path: resolve(job.workspace, inputs.path ?? ".") }, say);
  },
  "actions/upload-pages-artifact": (inputs, job, say) => {
    onlyKeys(inputs, ["path"], "actions/upload-pages-artifact");
    upload(job.artifacts, { name: "github-pages", path: resolve(job.workspace, inputs.path), missing: "error" }, say);
  },
  "actions/deploy-pages": (inputs, job, say) => {
    onlyKeys(inputs, [], "actions/deploy-pages");
    if (!existsSync(join(job.artifacts, "github-pages", "index.html"))) throw new Error("there is no page to publish");
    say("published");
    return { page_url: "https://example.org/" };
  },
};

/** Runs the steps of a job, or of a composite action, and gives true where none failed. `scope` holds steps' results. */
export async function runSteps(steps, job, scope, say) {
  let failed = false;
  for (const [number, step] of steps.entries()) {
    const place = `${scope.place}, step ${number + 1}`;
    onlyKeys(step, ["name", "id", "if", "uses", "with", "run", "shell", "env"], place);
    const status = {
      always: () => true,
      cancelled: () => false,
      success: () => !failed,
      failure: () => failed,
    };
    const contexts = { ...scope.contexts, steps: scope.steps };
    const wanted = job.expressions.holds(step.if, contexts, status);
    const result = { outcome: "skipped", outputs: {} };
    if (wanted) {
      try {
        const fill = (value) => job.expressions.fillAll(value ?? {}, contexts, status);
        result.outputs = (await runStep(step, fill, job, scope, place, say)) ?? {};
        result.outcome = "success";
      } catch (error) {
        if (error instanceof WorkflowError) throw error;
        say(`${place}: ${error.message}`);
        result.outputs = error.outputs ?? {};
        result.outcome = "failure";
        failed = true;
      }
    }
    if (step.id) scope.steps[step.id] = { ...result, conclusion: result.outcome };
  }
  return !failed;
}

/** Gives the step's outputs; throws where it failed. */
async function runStep(step, fill, job, scope, place, say) {
  if (step.uses) {
    const name = step.uses.replace(/@.*$/, "");
    say(`-- uses ${step.uses}`);
    if (job.composites[name]) return runComposite(job.composites[name], fill(step.with), job, say);
    if (!ACTIONS[name]) throw new WorkflowError(`${place}: the action ${step.uses} is nothing that a rehearsal can do`);
    return ACTIONS[name](fill(step.with), job, say);
  }
  const run = fill({ run: step.run }).run;
  say(`-- run ${run.trim()}`);
  const output = join(job.temp, "_output");
  writeFileSync(output, "");
  const env = { ...job.environment, ...scope.environment, GITHUB_OUTPUT: output };
  for (const [key, value] of Object.entries(fill(step.env))) env[key] = asText(value);
  const code = await shell({ run, shell: step.shell }, job, env, job.workspace, say);
  const outputs = readOutputs(output);
  if (code === 0) return outputs;
  throw Object.assign(new Error(code === null ? "the job's time is over" : `exit code ${code}`), { outputs });
}

/** An action of action.yml in another folder, as OWNER/NAME@v1 is in a workflow. */
async function runComposite({ folder, action }, inputs, job, say) {
  onlyKeys(inputs, Object.keys(action.inputs), folder);
  const values = {};
  for (const [name, { default: fallback, required }] of Object.entries(action.inputs)) {
    if (required && inputs[name] === undefined) throw new Error(`the input ${name} is missing`);
    values[name] = asText(inputs[name] ?? fallback);
  }
  const scope = {
    place: folder,
    contexts: { ...job.contexts, inputs: values },
    steps: {},
    environment: { GITHUB_ACTION_PATH: folder },
  };
  const good = await runSteps(action.runs.steps, job, scope, say);
  const outputs = {};
  for (const [name, { value }] of Object.entries(action.outputs ?? {})) {
    outputs[name] = asText(job.expressions.fill(value, { ...scope.contexts, steps: scope.steps }, {}));
  }
  if (good) return outputs;
  throw Object.assign(new Error("the action failed"), { outputs });
}

/** Something that writes lines to a file, and to standard output behind a prefix. */
export function logger(file, prefix) {
  const stream = createWriteStream(file);
  const say = (line) => {
    stream.write(`${line}\n`);
    process.stdout.write(`${prefix}${line}\n`);
  };
  return { say, end: () => new Promise((done) => stream.end(done)) };
}
