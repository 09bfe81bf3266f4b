#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/publish.sh with the real perfcheck: the history grows and is never replaced with an empty one.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
fake_services
real_programs

publish() { bash "$repository/ci/publish.sh" --programs pack --out "$1" "${@:2}" --repo octo/kernels; }
measured() {
  mkdir -p "runs/$1"
  (cd pack && ./perfcheck run --quiet --worker "$(worker)" --out "$scratch/runs/$1/run.json")
}
runs_in() { pack/perfcheck history show --config pack/perfcheck.toml --history "$1" --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["runs"]))'; }
# artifact ID BRANCH HEAD-REPOSITORY EXPIRED: adds an artifact that holds out1's history.
artifact() {
  python3 - "$@" <<'PYTHON'
import json, pathlib, sys, zipfile
id, branch, head, expired = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4] == "yes"
path = pathlib.Path("service/artifacts.json")
list = json.loads(path.read_text()) if path.exists() else []
list.append({"id": id, "name": "perfcheck-history", "expired": expired,
             "workflow_run": {"head_branch": branch, "repository_id": 1, "head_repository_id": head}})
path.write_text(json.dumps(list))
with zipfile.ZipFile(f"service/{id}.zip", "w") as archive:
    archive.write("out1/history/perf.sqlite", "perf.sqlite")
PYTHON
}

test_a_history_begins_and_goes_on() {
  measured one
  expect 0 publish out1 --runs runs
  there out1/site/index.html
  same "$(< out1/creep/exit-code)" 3
  has out1/creep/creep.txt 'too few runs'
  same "$(runs_in out1/history/perf.sqlite)" 1
  artifact 5 main 1 no
  rm -r runs
  measured two
  expect 0 publish out2 --runs runs
  same "$(runs_in out2/history/perf.sqlite)" 2
  # Runs that are already there are not added again.
  expect 0 publish out3 --runs runs --history out2/history/perf.sqlite
  same "$(runs_in out3/history/perf.sqlite)" 2
}
test_an_artifact_that_is_not_the_default_branchs_is_not_taken() {
  measured one
  expect 0 publish out1 --runs runs
  artifact 5 main 1 no
  artifact 6 main 2 no      # from a fork's branch main
  artifact 7 change 1 no
  expect 0 publish out2 --runs runs
  said 'history: artifact 5'
}
test_an_expired_history_is_not_replaced_by_an_empty_one() {
  measured one
  expect 0 publish out1 --runs runs
  artifact 5 main 1 yes
  expect 2 publish out2 --runs runs
  said 'has expired'
  absent out2/site
  PERFCHECK_NEW_HISTORY=yes expect 0 publish out2 --runs runs
}
test_a_service_that_is_down_publishes_nothing() {
  measured one
  touch service/down
  expect 2 publish out1 --runs runs
  absent out1/site
}
test_a_damaged_artifact_publishes_nothing() {
  measured one
  expect 0 publish out1 --runs runs
  artifact 5 main 1 no
  printf 'no zip' > service/5.zip
  expect 2 publish out2 --runs runs
  absent out2/site
}
test_a_damaged_run_publishes_nothing() {
  mkdir -p runs/bad
  printf '{"schema": "perfcheck.run/1"' > runs/bad/run.json
  expect 74 publish out1 --runs runs
  absent out1/site
}
test_nothing_at_all_is_not_published() {
  expect 2 publish out1 --runs nothing
  said 'no run to publish'
}
test_a_calibration_comes_along() {
  measured one
  (cd pack && ./perfcheck calibrate --quiet --worker "$(worker)" --data ../runs/one/calibration --sessions 3 --blocks 1 > /dev/null)
  expect 0 publish out1 --runs runs
  said '1 runs and 1 calibrations'
}
run_wanted
