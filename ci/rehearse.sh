#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs a workflow of GitHub on this machine: the same jobs, conditions, matrices, environments of a step, artifacts and
# scripts, so that a workflow is tried before it is pushed. Expressions are evaluated by GitHub's own library.
#
# Usage: ci/rehearse.sh WORKFLOW --event EVENT --state DIR [OPTION VALUE...]
#
#   ci/rehearse.sh .github/workflows/perfcheck.yml --event pull_request --head my-branch --state /tmp/run
#   ci/rehearse.sh .github/workflows/comment.yml --event workflow_run --of /tmp/run --state /tmp/comment
#
#   --event EVENT      pull_request, push, merge_group, schedule, workflow_dispatch, workflow_run
#   --state DIR        gets jobs/JOB/N/ (log.txt, summary.md, result.json, temp/, workspace/) and artifacts/. A DIR that is
#                      there already is continued: with --job, and with --rerun-failed
#   --head BRANCH      what was pushed, or the pull request's branch (HEAD)
#   --base BRANCH      where the pull request goes to (main); --default-branch BRANCH likewise (main)
#   --number N         the pull request's number (1);  --fork: its head is in a fork, which gets no variables
#   --of DIR           state of the run that a workflow_run follows
#   --var NAME=VALUE, --secret NAME=VALUE, --input NAME=VALUE       several times, as is --job
#   --job JOB          only this job; those that it needs have run with the same --state, maybe on another machine
#   --rerun-failed     another attempt: what failed, and what comes after it
#   --action NAME=DIR  the action NAME (OWNER/REPOSITORY) is in this folder
#   --path DIR         before PATH: a gh of your own, say;  --env NAME=VALUE  into every step's environment
#   --toolchain DIR    checkouts use this .toolchain instead of setting up one each
#   --repository NAME  OWNER/REPOSITORY;  --actor NAME  who did it
#
# Commits are taken from this checkout's git, whatever its files are at the moment. All jobs run here, one after the
# other, whatever runs-on says; containers and what they install, caches, approvals and
# concurrency are not played.
#
# Exit code: 0 every job succeeded or was skipped, 1 one failed, 64 usage, or a workflow that cannot be rehearsed.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[[ ${1:-} != @(-h|--help) ]] || { usage; exit 0; }
ci/setup.sh lint
modules=$PWD/.toolchain/lint/node_modules origin=$(git rev-parse --path-format=absolute --git-common-dir)
rehearse=$PWD/ci/rehearsal/rehearse.mjs
cd "$caller"
exec node "$rehearse" "$modules" "$origin" "$@"
