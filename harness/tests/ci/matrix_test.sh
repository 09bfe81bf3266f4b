#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/fleet.sh, which lists the machines, and ci/all_green.sh, which says whether all jobs succeeded.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"

fleet() { PERFCHECK_FLEET=$1 bash "$repository/ci/fleet.sh"; }
jobs() { sed -n 's/^jobs=//p' said; }

test_shards_become_jobs() {
  expect 0 fleet '[{"name": "h100", "labels": ["self-hosted", "h100"], "shards": 2}, {"name": "a10", "labels": ["a10"], "suite": "smoke"}]'
  same "$(jobs)" '[{"name": "h100", "labels": ["self-hosted", "h100"], "suite": "default", "shard": "1/2", "number": 1}, {"name": "h100", "labels": ["self-hosted", "h100"], "suite": "default", "shard": "2/2", "number": 2}, {"name": "a10", "labels": ["a10"], "suite": "smoke", "shard": "", "number": 1}]'
}
test_without_a_variable_there_is_one_gpu() {
  work_repository
  expect 0 bash work/ci/fleet.sh
  has said '"labels": ["self-hosted", "linux", "gpu"]'
}
test_the_file_serves_where_variables_do_not_reach() {
  work_repository
  mkdir work/.github
  printf '[{"name": "filed", "labels": ["x"]}]' > work/.github/fleet.json
  expect 0 bash work/ci/fleet.sh
  has said filed
  PERFCHECK_FLEET='[{"name": "variable", "labels": ["x"]}]' expect 0 bash work/ci/fleet.sh
  has said variable
}
test_it_goes_to_githubs_output_by_appending() {
  printf 'before=1\n' > output
  GITHUB_OUTPUT=$scratch/output expect 0 fleet ''
  has output 'before=1'
  has output 'models=['
}
test_a_fleet_that_is_wrong_is_refused() {
  local wrong
  for wrong in '[]' '{}' 'nothing' '[1]' '[{"name": "a"}]' '[{"name": "a", "labels": []}]' '[{"name": "a b", "labels": ["x"]}]' \
    '[{"name": "a", "labels": ["$(touch pwned)"]}]' '[{"name": "a@b", "labels": ["x"]}]' \
    '[{"name": "a", "labels": ["x"], "shards": 0}]' '[{"name": "a", "labels": ["x"], "shards": true}]' \
    '[{"name": "a", "labels": ["x"], "shard": 2}]' '[{"name": "a", "name": "b", "labels": ["x"]}]' \
    '[{"name": "a", "labels": ["x"]}, {"name": "a", "labels": ["y"]}]' '[{"name": "a\nmodels=x", "labels": ["x"]}]'; do
    expect 64 fleet "$wrong"
    lacks said 'models=['
  done
  not_pwned
}

green() { RESULTS=$1 bash "$repository/ci/all_green.sh"; }
test_all_jobs_must_have_succeeded() {
  expect 0 green 'success success'
  local results
  for results in 'success failure' 'success skipped' 'cancelled' '' 'success *'; do expect 1 green "$results"; done
  expect 1 bash "$repository/ci/all_green.sh"
}
run_wanted
