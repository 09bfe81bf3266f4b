#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/creep.sh with an untrustworthy perfcheck, and what it leaves for the job that reports the failure.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
export FAKE_CALLS=$scratch/calls

creep() { bash "$repository/ci/creep.sh" --programs pack --out out --history 'postgresql://ci@db/perf' "$@"; }
answer() { bash "$repository/ci/creep.sh" --answer out; }
# creep_of FAKE CODE: runs ci/creep.sh with this fake perfcheck; it must end with CODE and write CODE to out/exit-code.
creep_of() {
  fake_programs
  FAKE_PERFCHECK=$1 expect "$2" creep
  same "$(< out/exit-code)" "$2"
}

test_nothing_crept_is_0() {
  creep_of pass 0
  there out/creep.txt
  there out/creep.json
  expect 0 answer
  has calls 'history creep --config'
}
test_what_crept_fails_here_and_where_the_answer_is_read() {
  creep_of fail 1
  said 'kernel@problem of <fail>'
  said 'docs/ci.md, Creep'
  expect 1 answer
  said 'kernel@problem of <fail>'
}
test_a_history_too_short_to_tell_is_said_and_fails_no_job() {
  creep_of undecided 3
  expect 0 answer
  said 'cannot be told'
}
test_a_perfcheck_that_dies_says_nothing_about_creep() {
  creep_of die 2
  expect 2 answer
}
test_an_answer_that_its_own_json_denies_is_none() { creep_of lie 2; said 'does not say so'; }
test_an_answer_without_json_is_none() { creep_of no-summary 2; }
test_an_answer_that_is_not_there_is_no_pass() {
  mkdir out
  expect 2 answer
  printf 'x\n' > out/exit-code
  expect 2 answer
}
test_an_answer_of_before_does_not_stay() {
  creep_of pass 0
  FAKE_PERFCHECK=die expect 2 creep
  absent out/creep.txt
  expect 2 answer
}
test_the_anchor_and_the_policy_are_passed_on() {
  fake_programs
  mkdir -p other/baselines
  : > other/perfcheck.toml
  expect 0 creep --anchor v1.2 --config other/perfcheck.toml --baselines other/baselines
  has calls "--config $scratch/other/perfcheck.toml --baselines $scratch/other/baselines --history postgresql://ci@db/perf --anchor v1.2"
}
test_wrong_options_are_usage_errors() {
  fake_programs
  expect 64 bash "$repository/ci/creep.sh" --programs pack --out out
  expect 64 creep --anchro v1
}
test_on_github_what_crept_stands_in_the_summary_and_commands_are_not_heeded() {
  fake_programs
  export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/step
  FAKE_PERFCHECK=fail expect 1 creep
  has step 'kernel@problem of &lt;fail&gt;'
  rm step
  FAKE_PERFCHECK=hostile expect 0 creep
  absent step
  said '::stop-commands::'
}
run_wanted
