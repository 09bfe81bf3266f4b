#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/rehearse.sh does what GitHub documents about its runners. With it, this tests the project's workflows from the
# event to the comment: real scripts, the real perfcheck, a scripted worker, and stand-ins for the build and gh.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
# Tests must not fetch these modules.
modules=$repository/.toolchain/lint/node_modules
[[ -d $modules/@actions/expressions ]] || skip "the lint tools are not there; ci/setup.sh lint fetches them"

# rehearse WORKFLOW STATE OPTION...: runs a workflow of the repository in $scratch/work.
rehearse() { node "$repository/ci/rehearsal/rehearse.mjs" "$modules" "$scratch/work/.git" "$1" --state "$2" --repository octo/kernels "${@:3}"; }
result_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1/result.json" "${2:-result}"; }

# ---- what a runner does

workflow() {
  work_repository
  { printf 'on: push\njobs:\n'; cat; } > workflow.yml
}
# play OPTION...: a new run of the workflow.
play() { rehearse workflow.yml run --event push --head main "$@"; }

test_jobs_run_behind_those_they_need_and_are_skipped_behind_a_failure() {
  workflow <<'YAML'
  third: {needs: second, runs-on: x, steps: [{run: echo third}]}
  second: {needs: first, runs-on: x, steps: [{run: "false"}, {run: touch ../not-reached}, {if: failure(), run: touch ../told}]}
  first: {runs-on: x, steps: [{run: echo first}]}
  last: {needs: [first, third], if: always(), runs-on: x, steps: [{run: 'test "$RESULTS" = "success skipped"', env: {RESULTS: "${{ join(needs.*.result, ' ') }}"}}]}
YAML
  expect 1 play
  same "$(tail -n 4 said | tr '\n' ' ')" 'first: success second: failure third: skipped last: success '
  absent run/jobs/second/0/not-reached
  [[ -e run/jobs/second/0/told ]] || fail 'a step for failures was skipped'
}
test_outputs_reach_a_matrix_and_one_failure_leaves_the_others() {
  workflow <<'YAML'
  list:
    runs-on: x
    outputs: {all: "${{ steps.make.outputs.all }}"}
    steps: [{id: make, run: 'echo "all=[{\"name\": \"a\", \"code\": 0}, {\"name\": \"b c\", \"code\": 1}, {\"name\": \"d\", \"code\": 0}]" >> "$GITHUB_OUTPUT"'}]
  each:
    needs: list
    name: each (${{ matrix.one.name }})
    strategy: {fail-fast: false, matrix: {one: "${{ fromJSON(needs.list.outputs.all) }}"}}
    runs-on: [self-hosted, "${{ matrix.one.name }}"]
    steps: [{run: 'exit "$CODE"', env: {CODE: "${{ matrix.one.code }}"}}]
YAML
  expect 1 play
  same "$(result_of run/jobs/each/0) $(result_of run/jobs/each/1) $(result_of run/jobs/each/2)" 'success failure success'
  same "$(result_of run/jobs/each/1 name)" 'each (b c)'
  sed -i 's/"code\\": 1/"code\\": 0/' workflow.yml
  # Only failed jobs run again.
  touch run/jobs/each/0/mark
  expect 1 rehearse workflow.yml run --rerun-failed
  [[ -e run/jobs/each/0/mark ]] || fail 'a job that had succeeded ran again'
}
test_artifacts_lose_permissions_and_hidden_files_and_keep_their_name() {
  workflow <<'YAML'
  make:
    runs-on: x
    steps:
      - run: mkdir -p out/.git && echo 1 > out/.git/a && echo 2 > out/program && chmod +x out/program
      - {uses: actions/upload-artifact@v4, with: {name: one, path: out}}
      - {uses: actions/upload-artifact@v4, with: {name: "other@x", path: out/program}}
      - {uses: actions/upload-artifact@v4, with: {name: one, path: out}}
  take:
    needs: make
    if: always()
    runs-on: x
    steps:
      - {uses: actions/download-artifact@v4, with: {name: one, path: here}}
      - {uses: actions/download-artifact@v4, with: {pattern: "*@x", path: there}}
      - run: test -f here/program -a ! -x here/program -a ! -e here/.git -a -f there/other@x/program
YAML
  expect 1 play
  said 'an artifact of the name one is there already'
  same "$(result_of run/jobs/take/0)" success
}
test_commands_between_stop_and_start_are_not_heeded() {
  workflow <<'YAML'
  a:
    runs-on: x
    steps: [{run: "printf '::notice::one\n::stop-commands::word\n::add-mask::two\n::word::\n::error file=a.cu,line=3::three\n'"}]
YAML
  expect 0 play
  same "$(result_of run/jobs/a/0 commands)" "['::notice::one', '::error file=a.cu,line=3::three']"
}
test_nothing_of_this_machines_environment_reaches_a_step() {
  workflow <<'YAML'
  a: {runs-on: x, steps: [{run: 'test -z "$SECRET_OF_MINE" -a "$GITHUB_REF" = refs/heads/main -a -d "$RUNNER_TEMP"'}]}
YAML
  SECRET_OF_MINE=1 expect 0 play
}
test_what_a_container_is_given_is_not_installed_here() {
  workflow <<'YAML'
  a: {runs-on: x, container: "debian:12", steps: [{run: 'apt-get update && apt-get install -y nothing-of-this-name'}, {run: 'touch ../here'}]}
YAML
  expect 0 play
  said 'the container debian:12 is not played'
  said 'left out of the rehearsal'
  [[ -e run/jobs/a/0/here ]] || fail 'its steps did not run'
}
test_what_it_cannot_do_is_refused_and_not_passed_over() {
  local wrong
  for wrong in '{runs-on: x, services: {y: {image: z}}, steps: []}' '{runs-on: x, steps: [{uses: someone/else@v1}]}' \
    '{runs-on: x, steps: [{run: "true", continue-on-error: true}]}' '{runs-on: x, steps: [{run: "${{ hashFiles(1) }}"}]}' \
    '{runs-on: x, needs: b, steps: []}' '{runs-on: x, strategy: {matrix: {a: []}}, steps: []}'; do
    rm -rf work run
    workflow <<< "  a: $wrong"
    expect 64 play
  done
}

# ---- the workflows of this project

# Makes a repository with this project's workflows, a worker that does as the file `worker` says, and a baseline on
# main.
project() {
  work_repository
  cp -r "$repository/.github" "$repository/action.yml" work/
  printf '%s\n' '[policy]' 'margin = 0.01' '[workers]' 'cuda = "perfcheck-gemm"' 'cpu = "perfcheck-gemm-cpu"' '[suites.default.cpu]' \
    'problems = ["f32,nn,m64n64k64", "f32,nn,m65n66k67", "f32,nn,m96n96k96", "f32,nn,m80n80k80"]' > work/perfcheck.toml
  rm -rf work/baselines
  : > work/worker
  cat > work/ci/build.sh <<SCRIPT
#!/usr/bin/env bash
source "\$(dirname "\${BASH_SOURCE[0]}")/common.sh"
parse_arguments "\$@"
mkdir -p "build/\$preset/bin"
for program in "\${arguments[@]}"; do
  if [[ \$program == perfcheck ]]; then
    cp -L "$TEST_PERFCHECK" "build/\$preset/bin/perfcheck"
  else
    printf '#!/bin/sh\nexec %s --sessions %s %s "\$@"\n' "$TEST_WORKER" "$scratch/sessions" "\$(< worker)" > "build/\$preset/bin/\$program"
    chmod +x "build/\$preset/bin/\$program"
  fi
done
SCRIPT
  (cd work && "$TEST_PERFCHECK" check --quiet --record-missing-baseline --worker "$(worker)" --history none) > recorded 2>&1 || fail "$(< recorded)"
  git -C work add -A
  git -C work commit --quiet -m 'all of it'
}
# change BRANCH WORKER-OPTIONS: makes the branch of a pull request.
change() {
  git -C work switch --quiet --create "$1" main
  printf '%s' "$2" > work/worker
  git -C work commit --quiet --allow-empty -am "Make it $1"
  git -C work switch --quiet main
}
gate=$repository/.github/workflows/perfcheck.yml
cpu=(--env PERFCHECK_CUDA=OFF)
# pull BRANCH STATE OPTION...
pull() { rehearse "$gate" "$2" --event pull_request --head "$1" --number 7 "${cpu[@]}" "${@:3}"; }
# comment STATE: runs the workflow `comment` after that run.
comment() {
  printf '{"7": {"number": 7, "state": "open", "head": {"sha": "%s"}}}' "$(git -C work rev-parse "$2")" > "$FAKE_SERVICE/pulls.json"
  rehearse "$repository/.github/workflows/comment.yml" "$1-comment" --event workflow_run --of "$1" --path "$tests/fake/bin" \
    --env FAKE_SERVICE="$FAKE_SERVICE"
}

test_a_good_pull_request_is_green_and_commented() {
  project
  fake_services
  change good ''
  expect 0 pull good run
  same "$(result_of run/jobs/perfcheck/0)" success
  there run/artifacts/perfcheck-result-1@gpu/run.json
  there run/jobs/gate/0/summary.md
  # The run names its commit although the pack came from an artifact.
  has run/artifacts/perfcheck-result-1@gpu/run.json "\"subject\": \"Merge $(git -C work rev-parse good) into"
  expect 0 comment run good
  has "$FAKE_SERVICE/comments.json" 'perfcheck:gpu'
}
test_a_slower_pull_request_is_red_named_and_commented() {
  project
  fake_services
  change slower '--slow fake/a@*=1.2'
  expect 1 pull slower run
  same "$(result_of run/jobs/perfcheck/0)" failure
  same "$(< run/artifacts/perfcheck-result-1@gpu/exit-code)" 1
  has run/jobs/gate/0/summary.md 'fake/a'
  result_of run/jobs/gate/0 commands > commands
  has commands '::error '
  # The regression was confirmed against main's worker, which is packed, too.
  has run/artifacts/perfcheck-result-1@gpu/log.txt '/base/perfcheck-gemm-cpu'
  has run/jobs/gate/0/summary.md 'bash perfcheck-pack/ci/gate.sh --programs perfcheck-pack --out out -- --filter fake/a'
  expect 0 comment run slower
  has "$FAKE_SERVICE/comments.json" 'fake/a'
  # The next push updates the comment and adds none.
  git -C work branch --force slower main
  expect 0 pull slower second
  expect 0 comment second slower
  same "$(grep -o 'perfcheck:gpu' "$FAKE_SERVICE/comments.json" | wc -l)" 1
  lacks "$FAKE_SERVICE/comments.json" 'regressed</'
}
test_wrong_and_crashing_kernels_are_red() {
  project
  change wrong '--fault result:fake/b@*=incorrect'
  change crashing '--fault during:fake/b@*=segv'
  local branch
  for branch in wrong crashing; do
    expect 1 pull $branch $branch
    same "$(< $branch/artifacts/perfcheck-result-1@gpu/exit-code)" 2
    has $branch/jobs/gate/0/summary.md 'fake/b'
    same "$(result_of $branch/jobs/perfcheck/0)" failure
  done
}
test_a_change_that_loosens_its_policy_is_judged_by_mains() {
  project
  change cheat '--slow fake/a@*=1.2'
  git -C work switch --quiet cheat
  sed -i 's/margin = .*/margin = 0.5/' work/perfcheck.toml
  git -C work rm --quiet -r baselines
  git -C work commit --quiet -am 'Loosen'
  git -C work switch --quiet main
  expect 1 pull cheat run
  has run/jobs/gate/0/summary.md 'edits `perfcheck.toml`'
  # A maintainer may accept exactly this commit.
  expect 1 pull cheat accepted --var PERFCHECK_ACCEPTED_HEADS="$(git -C work rev-parse main)"
  git -C work switch --quiet cheat
  git -C work checkout --quiet main -- baselines
  git -C work commit --quiet -m 'With baselines'
  expect 0 pull cheat accepted-now --var PERFCHECK_ACCEPTED_HEADS="$(git -C work rev-parse cheat)"
  has accepted-now/jobs/gate/0/summary.md 'accepted them for commit'
}
two_shards='[{"name": "h100", "labels": ["self-hosted", "h100"], "shards": 2}]'
test_shards_are_measured_apart_and_decided_together() {
  project
  change slower '--slow fake/a@*=1.2'
  expect 1 pull slower run --var PERFCHECK_FLEET="$two_shards"
  same "$(result_of run/jobs/gate/0) $(result_of run/jobs/gate/1) $(result_of run/jobs/verdict/0) $(result_of run/jobs/perfcheck/0)" \
    'success success failure failure'
  same "$(< run/artifacts/perfcheck-result-1@h100/exit-code)" 1
}
test_a_shard_that_fails_is_missing_until_it_is_started_again() {
  project
  change good ''
  local fleet=(--var PERFCHECK_FLEET="$two_shards")
  expect 0 pull good run "${fleet[@]}" --job build --job approve
  # The runner of the second shard fails and leaves no artifact.
  expect 0 pull good run "${fleet[@]}" --job gate
  printf '{"name": "gate", "result": "failure", "outputs": {}}' > run/jobs/gate/1/result.json
  rm -r run/artifacts/perfcheck-shard-2-1@h100
  expect 1 pull good run "${fleet[@]}" --job verdict --job perfcheck
  same "$(< run/artifacts/perfcheck-result-1@h100/exit-code)" 2
  has run/jobs/verdict/0/summary.md 'shard 2 of 2 brought no run file'
  expect 0 pull good run "${fleet[@]}" --rerun-failed
  same "$(< run/artifacts/perfcheck-result-2@h100/exit-code)" 0
  there run/artifacts/perfcheck-shard-2-2@h100/run.json
  absent run/artifacts/perfcheck-shard-1-2@h100
}
test_a_build_that_fails_leaves_no_green_job() {
  project
  change broken ''
  git -C work switch --quiet broken
  printf '#!/bin/sh\nexit 1\n' > work/ci/build.sh
  git -C work commit --quiet -am 'Broken'
  expect 1 pull broken run
  same "$(tail -n 5 said | tr '\n' ' ')" 'build: failure approve: success gate: skipped verdict: skipped perfcheck: failure '
}
test_code_of_a_fork_waits_for_a_reviewer_and_sees_no_variable() {
  project
  change foreign ''
  expect 0 pull foreign run --fork --var PERFCHECK_FLEET="$two_shards" --secret PERFCHECK_BOT_TOKEN=x
  same "$(result_of run/jobs/approve/0 environment)" gpu-fork
  absent run/jobs/gate/1
  expect 0 pull foreign own
  same "$(result_of own/jobs/approve/0 environment)" gpu
  same "$(result_of run/jobs/approve/0 permissions)" '{}'
  local job
  for job in build gate verdict perfcheck; do same "$(result_of "run/jobs/$job/0" permissions)" "{'contents': 'read'}"; done
}
test_a_push_to_main_is_judged_by_itself_and_a_merge_queue_by_its_base() {
  project
  expect 0 rehearse "$gate" push --event push --head main "${cpu[@]}"
  absent push/artifacts/perfcheck-pack/target
  change queued ''
  expect 0 rehearse "$gate" queue --event merge_group --head queued "${cpu[@]}"
  there queue/artifacts/perfcheck-pack/target/perfcheck.toml
  git -C work branch pull-request/9 queued
  expect 0 rehearse "$gate" vetted --event push --head pull-request/9 "${cpu[@]}"
  there vetted/artifacts/perfcheck-pack/target/perfcheck.toml
}
test_a_hostile_branch_and_subject_reach_no_shell() {
  project
  git -C work branch '$(touch${IFS}pwned1)' main
  git -C work switch --quiet '$(touch${IFS}pwned1)'
  git -C work commit --quiet --allow-empty -m '`touch pwned2` ::add-mask::$(touch pwned3)'
  expect 0 pull '$(touch${IFS}pwned1)' run
  not_pwned
  local result
  for result in run/jobs/*/*/result.json; do lacks "$result" 'add-mask'; done
}
test_a_baseline_is_recorded_and_proposed() {
  project
  fake_services
  git -C work rm --quiet -r baselines
  git -C work commit --quiet -m 'No baseline'
  expect 1 rehearse "$gate" before --event push --head main "${cpu[@]}"
  same "$(< before/artifacts/perfcheck-result-1@gpu/exit-code)" 3
  expect 0 rehearse "$repository/.github/workflows/baseline.yml" record --event workflow_dispatch --head main "${cpu[@]}" \
    --input reason='First `baseline` of $(touch pwned)' --input gpu=h100 --input suite=default --input sessions=4 \
    --input replace=no --path "$tests/fake/bin" --env FAKE_SERVICE="$FAKE_SERVICE"
  not_pwned
  has "$FAKE_SERVICE/pr.json" 'First `baseline`'
  same "$(result_of record/jobs/record/0 runs-on)" "['self-hosted', 'linux', 'gpu', 'h100']"
  local proposed
  proposed=$(git -C work branch --list 'perfcheck/baseline-*' --format '%(refname:short)')
  expect 0 pull "$proposed" proposal
  has proposal/jobs/gate/0/summary.md 'baselines and nothing else'
  git -C work merge --quiet "$proposed"
  expect 0 rehearse "$gate" after --event push --head main "${cpu[@]}"
}
test_a_branch_is_recorded_without_its_code_near_a_token() {
  project
  fake_services
  change accepted '--slow fake/a@*=1.2'
  git -C work switch --quiet accepted
  printf 'touch "%s/pwned"\n' "$scratch" >> work/ci/accept_baseline.sh
  git -C work commit --quiet -am 'Not to be run'
  git -C work switch --quiet main
  expect 0 rehearse "$repository/.github/workflows/baseline.yml" record --event workflow_dispatch --head main "${cpu[@]}" \
    --input reason='Larger tiles' --input gpu=h100 --input branch=accepted --input suite=default --input sessions=4 \
    --input replace=yes --path "$tests/fake/bin" --env FAKE_SERVICE="$FAKE_SERVICE"
  not_pwned
  same "$(result_of record/jobs/propose/0 environment)" baseline
  has "$FAKE_SERVICE/pr.json" '"--base": "accepted"'
  has "$FAKE_SERVICE/pr.json" 'regressed'
}
test_runs_of_main_and_of_the_night_are_published() {
  project
  fake_services
  expect 0 rehearse "$gate" day --event push --head main "${cpu[@]}"
  sed -n '/suites/,$p' work/perfcheck.toml | sed 's/suites.default/suites.full/' >> work/perfcheck.toml
  git -C work commit --quiet -am 'A suite for the night'
  expect 0 rehearse "$repository/.github/workflows/nightly.yml" night --event schedule --head main "${cpu[@]}" \
    --var PERFCHECK_CALIBRATE_SECONDS=0
  local of pages=$repository/.github/workflows/pages.yml
  for of in day night; do
    expect 0 rehearse "$pages" "$of-pages" --event workflow_run --of "$of" --path "$tests/fake/bin" "${cpu[@]}" \
      --env FAKE_SERVICE="$FAKE_SERVICE"
    there "$of-pages/artifacts/github-pages/index.html"
    there "$of-pages/artifacts/perfcheck-history/perf.sqlite"
  done
  # Runs of a pull request are not, whatever its branch is called.
  change good ''
  expect 0 pull good pull --fork
  expect 0 rehearse "$pages" none --event workflow_run --of pull
  said 'site: skipped'
}
test_another_repository_uses_the_action() {
  project
  cat > other.yml <<'YAML'
on: push
jobs:
  perfcheck:
    runs-on: x
    steps:
      - uses: actions/checkout@v4
      - id: gate
        uses: octo/perfcheck@v1
        with: {worker: ./my-worker, config: perfcheck.toml, baselines: baselines, perfcheck: programs}
      - run: test "$CODE" = 0 -a -s "$OUT/summary.md"
        env: {CODE: "${{ steps.gate.outputs.exit-code }}", OUT: "${{ steps.gate.outputs.out }}"}
YAML
  mkdir work/programs
  cp -L "$TEST_PERFCHECK" work/programs/perfcheck
  printf '#!/bin/sh\nexec %s "$@"\n' "$(worker)" > work/my-worker
  chmod +x work/my-worker
  git -C work add -A
  git -C work commit --quiet -m 'A worker'
  expect 0 rehearse other.yml run --event push --head main --action "octo/perfcheck=$repository"
  there run/artifacts/perfcheck-perfcheck-0-1/run.json
}
run_wanted
