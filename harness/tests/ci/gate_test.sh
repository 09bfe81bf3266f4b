#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/gate.sh and ci/merge.sh with an untrustworthy perfcheck: all results must agree on one exit code, which is 0 only
# if it is proven.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
export FAKE_CALLS=$scratch/calls

gate() { bash "$repository/ci/gate.sh" --programs pack --out out "$@"; }
merge() { bash "$repository/ci/merge.sh" --programs pack --in shards --out merged "$@"; }
# gate_of FAKE CODE: runs the gate with this fake perfcheck; it must end with CODE and write CODE to out/exit-code.
gate_of() {
  fake_programs
  FAKE_PERFCHECK=$1 expect "$2" gate
  same "$(< out/exit-code)" "$2"
}

test_a_pass_leaves_every_result() {
  gate_of pass 0
  local file
  for file in run.json summary.md comment.md junit.xml perfcheck.sarif check.json cases.csv metrics.txt benchmark-time.json \
    benchmark-rate.json bencher.json log.txt doctor.txt; do
    there "out/$file"
  done
}
test_a_regression_is_1() { gate_of fail 1; }
test_an_undecided_one_is_3() { gate_of undecided 3; }
test_a_perfcheck_that_dies_is_broken_not_passed() {
  gate_of die 2
  said 'signal 11'
  has out/summary.md 'no result'
}
test_a_perfcheck_that_aborts_is_broken() { gate_of abort 2; }
test_a_success_without_a_run_is_none() { gate_of no-run 2; said 'run.json'; }
test_a_success_without_a_summary_is_none() { gate_of no-summary 2; said 'summary.md'; }
test_a_success_with_an_empty_result_is_none() { gate_of empty-junit 2; said 'junit.xml'; }
test_a_success_that_its_own_json_denies_is_none() { gate_of lie 2; said 'does not say so'; }
test_a_machine_without_a_device_is_not_measured() {
  gate_of no-device 2
  lacks calls 'check '
}
test_an_unfit_machine_is_left_to_check_which_waits() {
  gate_of unfit 0
  has calls 'check '
}
test_a_perfcheck_that_is_not_there_is_named() {
  mkdir pack
  expect 2 gate
  said 'ci/pack_gate.sh'
}
test_results_of_an_earlier_gate_do_not_stay() {
  gate_of fail 1
  there out/junit.xml
  FAKE_PERFCHECK=die expect 2 gate
  absent out/junit.xml
  absent out/run.json
}

test_wrong_options_are_usage_errors() {
  fake_programs
  expect 64 gate --shrad 1/2
  expect 64 gate --suite
  expect 64 gate --shard 1/2
  expect 64 gate --shard 3of4 --fan-out x
  expect 64 gate --name 'a b'
  expect 64 bash "$repository/ci/gate.sh" --programs pack
}
test_filters_among_the_arguments_of_a_shard_are_found_for_the_merge() {
  local filters=()
  source "$repository/ci/gate_steps.sh"
  filters_in --seed 7 --filter 'a b' --quiet '--filter=*@m1' --filter
  same "${#filters[@]}:${filters[*]}" '4:--filter a b --filter=*@m1 --filter'
  filters_in
  same "${#filters[@]}" 0
}
test_help_teaches() {
  expect 0 gate --help
  said 'By hand'
  said '--retry-budget'
}

test_on_github_the_summary_is_shown_and_only_annotations_are_printed() {
  fake_programs
  export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/step FAKE_PERFCHECK=hostile
  expect 0 gate
  has step 'summary of hostile'
  said '::error title=a::real'
  unsaid '::add-mask::secret'
  unsaid '::set-output'
  # The program's own output is printed where GitHub executes no workflow commands.
  awk '/^::stop-commands::/ { token = substr($0, 18) } $0 == "::" token "::" { token = "" }
       /^::add-mask::everything/ { seen = 1; if (token == "") exit 1 } END { if (!seen) exit 1 }' said ||
    fail 'a line of a program was a command'
}
test_elsewhere_no_annotation_is_printed() {
  gate_of hostile 0
  unsaid '::error'
  unsaid 'stop-commands'
}
test_a_summary_that_github_would_drop_is_cut() {
  fake_programs
  export FAKE_PERFCHECK=long
  GITHUB_STEP_SUMMARY=$scratch/step expect 0 gate
  (($(wc -c < step) < 1024 * 1024)) || fail "$(wc -c < step) bytes"
  (($(wc -c < step) > 800000)) || fail 'too little of it is left'
}

test_policy_and_baselines_of_the_target_branch_come_first() {
  fake_programs
  mkdir -p pack/baselines pack/target/baselines
  : > pack/target/perfcheck.toml
  printf 'a note\n' > pack/target/note.md
  expect 0 gate
  has calls "check --config $scratch/pack/target/perfcheck.toml --baselines $scratch/pack/target/baselines --config-of-change $scratch/pack/perfcheck.toml"
  has calls "doctor --fit --config $scratch/pack/target/perfcheck.toml --baselines $scratch/pack/target/baselines"
  has out/summary.md 'a note'
}
test_without_them_those_of_the_pack_count_and_options_beat_both() {
  fake_programs
  mkdir -p pack/baselines pack/target/baselines own
  : > own/perfcheck.toml
  expect 0 gate
  has calls "check --config $scratch/pack/perfcheck.toml --baselines $scratch/pack/target/baselines"
  expect 0 gate --config own/perfcheck.toml --baselines own
  has calls "check --config $scratch/own/perfcheck.toml --baselines $scratch/own"
  lacks calls --config-of-change
}
test_the_packed_base_worker_confirms() {
  fake_programs
  mkdir pack/base
  : > "pack/base/worker"
  expect 0 gate
  has calls "--base '$scratch/pack/base/worker'"
  : > "pack/base/another"
  expect 2 gate
  said 'name one with --base-worker'
  expect 0 gate --base-worker 'mine --fast'
  has calls '--base mine --fast'
}
test_the_address_of_a_history_stays_out_of_the_log() {
  fake_programs
  expect 0 gate --history 'postgresql://ci:secret@db/perf'
  has calls 'secret'
  lacks out/log.txt 'secret'
}
test_programs_that_an_artifact_made_unexecutable_run() {
  fake_programs
  chmod a-x pack/perfcheck
  expect 0 gate
}

# ---- shards

shard() { FAKE_PERFCHECK=$1 GITHUB_RUN_ATTEMPT=${3:-1} expect "${4:-0}" bash "$repository/ci/gate.sh" --programs pack --out "shards/s${2%/*}-${3:-1}" --shard "$2" --fan-out run; }

test_a_shard_passes_whatever_its_verdict_and_the_merge_decides() {
  fake_programs
  shard fail 1/2
  same "$(< shards/s1-1/exit-code)" 1
  shard pass 2/2
  FAKE_PERFCHECK=fail expect 1 merge
  same "$(< merged/exit-code)" 1
  has calls "merge --config"
  has calls "$scratch/shards/s1-1/run.json $scratch/shards/s2-1/run.json"
}
test_a_shard_without_a_run_fails() {
  fake_programs
  shard no-run 1/2 1 2
  shard die 2/2 1 2
  same "$(< shards/s2-1/exit-code)" 2
  expect 2 merge
  said 'left no run'
  there merged/summary.md
}
test_the_latest_attempt_of_a_shard_counts() {
  fake_programs
  shard fail 1/2 9
  shard pass 2/2 9
  shard pass 1/2 10
  expect 0 merge
  has calls "$scratch/shards/s1-10/run.json $scratch/shards/s2-9/run.json"
}
test_nothing_to_merge_is_broken() {
  fake_programs
  mkdir shards
  expect 2 merge
  said 'nothing to merge'
  same "$(< merged/exit-code)" 2
}
test_a_gate_without_shards_is_passed_on() {
  fake_programs
  FAKE_PERFCHECK=fail expect 1 bash "$repository/ci/gate.sh" --programs pack --out shards/one
  PERFCHECK_PULL_REQUEST=7 expect 1 merge
  there merged/junit.xml
  same "$(< merged/pull-request)" 7
  # A shard's exit code alone is no proof.
  printf '0\n' > shards/one/exit-code
  expect 2 merge
}
run_wanted
