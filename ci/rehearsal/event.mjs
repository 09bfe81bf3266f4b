// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The `github` context of an event, from branches of a repository on this machine.
import { execFileSync } from "node:child_process";
import { WorkflowError } from "./expressions.mjs";

const COMMITTER = ["-c", "user.name=GitHub", "-c", "user.email=noreply@github.com"];
const TOKEN = "the-token-of-the-job";

function git(repository, ...words) {
  try {
    return execFileSync("git", ["-C", repository, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  } catch (error) {
    throw new WorkflowError(`git ${words.join(" ")}: ${error.stderr?.trim() || error.message}`);
  }
}

const commitOf = (repository, name) => git(repository, "rev-parse", "--verify", "--end-of-options", `${name}^{commit}`);

const repository = (full_name) => ({ full_name, owner: { login: full_name.split("/")[0] } });

/** The commit that GitHub makes of a pull request's head and its base; no branch comes to name it. */
function mergeCommit(repository, base, head) {
  const tree = git(repository, "merge-tree", "--write-tree", base, head);
  return git(repository, ...COMMITTER, "commit-tree", "-p", base, "-p", head, "-m", `Merge ${head} into ${base}`, tree);
}

/**
 * @param options event, head, base, number (of a pull request), fork (is its head in one?), repository (as OWNER/NAME),
 *   inputs, of (the run that a workflow_run follows: what its state's run.json holds)
 */
export function githubContext(origin, options) {
  const { event, repository: full_name = "owner/repository", base = "main", number = 1 } = options;
  const head = commitOf(origin, options.head);
  const common = {
    event_name: event,
    repository: full_name,
    repository_owner: full_name.split("/")[0],
    actor: options.actor ?? "developer",
    token: TOKEN,
    server_url: "https://github.com",
    base_ref: "",
    head_ref: "",
  };
  const payload = { repository: { full_name, default_branch: options.defaultBranch ?? "main" }, inputs: options.inputs };
  const on = (branch, sha) => ({ ref: `refs/heads/${branch}`, ref_name: branch, sha });
  switch (event) {
    case "pull_request": {
      const from = options.fork ? "stranger/repository" : full_name;
      payload.pull_request = { number, head: { sha: head, ref: options.head, repo: { full_name: from } }, base: { ref: base } };
      const sha = mergeCommit(origin, commitOf(origin, base), head);
      const names = { base_ref: base, head_ref: options.head };
      return { ...common, ...names, ref: `refs/pull/${number}/merge`, ref_name: `${number}/merge`, sha, event: payload };
    }
    case "merge_group":
      payload.merge_group = { base_sha: commitOf(origin, base), head_sha: head };
      return { ...common, ...on(`gh-readonly-queue/${base}/pr-${number}-${head.slice(0, 8)}`, head), event: payload };
    case "workflow_run": {
      if (!options.of) throw new WorkflowError("--event workflow_run needs --of: the state of the run that it follows");
      const { github, conclusion } = options.of;
      const pull = github.event.pull_request;
      payload.workflow_run = {
        id: github.run_id,
        event: github.event_name,
        conclusion,
        head_sha: pull?.head.sha ?? github.sha,
        head_branch: pull?.head.ref ?? github.ref_name,
        head_repository: repository(pull?.head.repo.full_name ?? github.repository),
      };
      return { ...common, ...on(payload.repository.default_branch, commitOf(origin, payload.repository.default_branch)), event: payload };
    }
    case "push":
    case "schedule":
    case "workflow_dispatch":
      return { ...common, ...on(options.head, head), event: payload };
    default:
      throw new WorkflowError(`--event ${event}: known are push, pull_request, merge_group, schedule, workflow_dispatch, workflow_run`);
  }
}
