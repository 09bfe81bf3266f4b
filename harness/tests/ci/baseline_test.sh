#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/record.sh and ci/accept_baseline.sh with the real perfcheck: a recorded baseline becomes a branch and a pull
# request, and nothing else changes.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
fake_services
work_repository
real_programs
cp pack/perfcheck.toml work/perfcheck.toml
git -C work rm --quiet -r baselines
git -C work add -A
git -C work commit --quiet -m $'subject `touch pwned` $(touch pwned)\n\n<!-- -->'
git init --quiet --bare origin.git
git -C work remote add origin "$scratch/origin.git"
git -C work push --quiet origin main

record() { bash "$repository/ci/record.sh" --programs pack --out "$1" --sessions 4 --worker "$(worker "${2:-}")" --config work/perfcheck.toml; }
accept() { bash work/ci/accept_baseline.sh --programs pack --runs recorded --why "${why:-a new card}" "$@"; }
pull_request() { python3 -c 'import json, sys; print(json.load(open("service/pr.json"))[sys.argv[1]])' "$1"; }

test_what_was_recorded_is_proposed_and_main_stays() {
  expect 0 record recorded
  there recorded/run.json
  local main
  main=$(git -C origin.git rev-parse main)
  expect 0 accept
  same "$(git -C origin.git rev-parse main)" "$main"
  local branch
  branch=$(git -C origin.git for-each-ref --format='%(refname:short)' refs/heads/perfcheck)
  same "$(git -C origin.git diff --name-only "main..$branch")" 'baselines/scripted-device/gemm.json'
  same "$(pull_request --head)" "$branch"
  same "$(pull_request --base)" main
  pull_request body > body
  has body '> a new card'
  has body "$main"
  has body '    fake/a@'
}
test_an_accepted_change_says_what_moved() {
  expect 0 record recorded
  expect 0 accept
  git -C work merge --quiet "$(git -C work for-each-ref --format='%(refname:short)' refs/remotes/origin/perfcheck)"
  git -C work push --quiet origin main
  expect 0 record recorded "--slow fake/a@*=1.2"
  why='larger tiles' expect 0 accept --replace yes
  pull_request body > body
  has body 'fake/a'
  has body 'regressed'
  has body ' of 12 levels move by more than 0.5 %; slower: 4, by +'
}
test_odd_sessions_are_not_proposed() {
  expect 0 record recorded
  python3 - recorded/run.json << 'EOF'
import json, sys
path = sys.argv[1]
run = json.load(open(path))
for case in run["sessions"][2]["cases"]:
    if case["id"].startswith("fake/b@"):
        case["rounds"]["time_ns"] = [2 * time for time in case["rounds"]["time_ns"]]
json.dump(run, open(path, "w"), indent=2)
EOF
  expect 64 accept
  said 'cannot become part of the baseline: session s3 of run'
  said 'measure it again, or leave the run out'
  absent service/pr.json
}
test_a_baseline_without_a_digest_is_upgraded_first() {
  expect 0 record recorded
  expect 0 accept
  git -C work merge --quiet "$(git -C work for-each-ref --format='%(refname:short)' refs/remotes/origin/perfcheck)"
  sed -i '/^  "digest": /d; s,perfcheck.baseline/3,perfcheck.baseline/2,' work/baselines/scripted-device/gemm.json
  sed -i '/^      "tail": /d' work/baselines/scripted-device/gemm.json
  git -C work commit --quiet -am 'older'
  git -C work push --quiet origin main
  rm service/pr.json
  expect 0 record recorded
  expect 3 accept
  said 'perfcheck baseline upgrade'
  absent service/pr.json
}
test_a_run_of_another_commit_is_refused() {
  expect 0 record recorded
  git -C work commit --quiet --allow-empty -m 'another'
  git -C work push --quiet origin main
  expect 2 accept
  said 'but the newest of main is'
  absent service/pr.json
}
test_a_broken_case_is_no_baseline() {
  expect 2 record recorded '--fault result:fake/b@*=incorrect'
  local code=0
  accept > said 2>&1 || code=$?
  ((code != 0)) || fail 'it was accepted'
  absent service/pr.json
  same "$(git -C work status --porcelain)" ''
}
test_hostile_reasons_and_names_reach_no_shell() {
  expect 0 record recorded
  why=$'$(touch pwned) `touch pwned`\n"; touch pwned; #' expect 0 accept --who '$(touch pwned)"; touch pwned'
  not_pwned
  same "$(git -C origin.git log -1 --format=%an "$(pull_request --head)")" '$(touch pwned)"; touch pwned'
  pull_request body > body
  has body '> "; touch pwned; #'
}
test_usage_is_strict() {
  mkdir recorded
  expect 2 accept
  said 'no run.json'
  why='  ' expect 64 accept
  expect 64 accept --replace maybe
  expect 64 accept --into '../x'
  expect 64 bash "$repository/ci/record.sh" --programs pack --out recorded --sessions 0
}
test_local_changes_of_baselines_are_not_swept_along() {
  expect 0 record recorded
  mkdir -p work/baselines
  printf '{}\n' > work/baselines/mine.json
  expect 0 accept
  same "$(git -C origin.git diff --name-only "main..$(pull_request --head)")" 'baselines/scripted-device/gemm.json'
  same "$(git -C work branch --show-current)" main
  same "$(git -C work worktree list | wc -l)" 1
}
# The branch's scripts are not run, and it cannot choose where the baseline is written.
test_another_branch_is_data() {
  git -C work switch --quiet --create change
  printf '[paths]\nbaselines = "%s/stolen"\n' "$scratch" | cat - pack/perfcheck.toml > work/perfcheck.toml
  printf 'touch "%s/pwned"\n' "$scratch" > work/ci/common.sh
  git -C work commit --quiet -am 'change'
  git -C work push --quiet origin change
  expect 0 record recorded
  git -C work switch --quiet main
  expect 0 accept --into change
  not_pwned
  absent stolen
  same "$(git -C origin.git diff --name-only "change..$(pull_request --head)")" 'baselines/scripted-device/gemm.json'
  same "$(pull_request --base)" change
  git -C work switch --quiet change
  ln -s ../outside work/baselines
  git -C work add -A
  git -C work commit --quiet -m 'link'
  git -C work push --quiet origin change
  expect 0 record recorded
  git -C work switch --quiet main
  expect 2 accept --into change
  said 'symbolic links'
}
# As if Actions may not open pull requests: the push succeeded, the pull request failed, and the job is started again.
test_it_can_be_started_again_after_the_push() {
  expect 0 record recorded
  touch service/down
  expect 2 accept
  said 'start this job again'
  rm service/down
  # Later, so a different commit with the same content.
  GIT_COMMITTER_DATE='2030-01-01T00:00:00Z' expect 0 accept
  there service/pr.json
}
run_wanted
