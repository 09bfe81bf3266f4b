#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/gate.sh, ci/merge.sh, ci/nightly.sh and ci/action.sh with the real perfcheck and a worker that is good, slow, wrong
# or dies. Checks the exit code and every result.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
real_programs

# Records a baseline of four sessions.
record() { (cd pack && ./perfcheck check --quiet --record-missing-baseline --worker "$(worker)" > "$scratch/recorded" 2>&1) || fail "$(< recorded)"; }
gate() { bash "$repository/ci/gate.sh" --programs pack --out "${to:-out}" --name h100 --worker "$(worker "${1:-}")" "${@:2}"; }
every_result() {
  local file
  for file in run.json summary.md comment.md junit.xml perfcheck.sarif check.json cases.csv metrics.txt benchmark-time.json \
    benchmark-rate.json bencher.json; do
    there "$1/$file"
  done
  [[ -f $1/annotations.txt ]] || fail "$1/annotations.txt is not there"
  python3 - "$1" <<'PYTHON'
import json, pathlib, sys, xml.dom.minidom
out = pathlib.Path(sys.argv[1])
for name in ("run.json", "perfcheck.sarif", "check.json", "benchmark-time.json", "benchmark-rate.json", "bencher.json"):
    json.loads((out / name).read_text(encoding="utf-8"))
xml.dom.minidom.parse(str(out / "junit.xml"))
assert (out / "comment.md").read_text(encoding="utf-8").startswith("<!-- perfcheck:h100 -->\n"), "no marker"
PYTHON
  same "$(head -n 1 "$1/comment.md")" '<!-- perfcheck:h100 -->'
}
outcome() { same "$(python3 -c 'import json; print(json.load(open("'"${to:-out}"'/check.json"))["exit_code"])')" "$1"; }

test_a_rename_that_the_change_adds_counts_beside_the_base_build() {
  record
  mkdir pack/target
  cp pack/perfcheck.toml pack/target/
  mv pack/baselines pack/target/
  printf '[renamed]\n"fake/a" = "fake/new"\n' >> pack/perfcheck.toml
  local renamed='--kernels fake/reference,fake/new,fake/b --renamed fake/new=fake/a'
  expect 2 gate "$renamed"
  has out/check.json rename_not_measured
  expect 0 gate "$renamed" --base-worker "$(worker)"
  has out/summary.md 'renamed by this change: fake/a is fake/new now'
  expect 1 gate "$renamed --slow fake/new@*=1.05" --base-worker "$(worker)"
  mkdir shards
  local part
  for part in 1 2; do
    expect 0 gate "$renamed" --base-worker "$(worker)" --shard $part/2 --fan-out one
    cp -r out shards/$part
  done
  expect 0 bash "$repository/ci/merge.sh" --programs pack --in shards --out merged
  has merged/summary.md 'renamed by this change'
}

test_a_good_build_passes_with_every_result() {
  record
  expect 0 gate
  every_result out
  outcome 0
  same "$(< out/exit-code)" 0
}
test_a_slower_kernel_is_1_and_named_everywhere() {
  record
  GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/step expect 1 gate '--slow fake/a@*=1.2'
  every_result out
  local file
  for file in step out/comment.md out/junit.xml out/annotations.txt out/perfcheck.sarif; do has "$file" 'fake/a'; done
  said '::error'
}
test_a_wrong_result_is_2() {
  record
  expect 2 gate '--fault result:fake/b@*=incorrect'
  every_result out
}
test_a_worker_that_dies_is_2() {
  record
  expect 2 gate '--fault during:fake/b@*=segv'
  has out/summary.md 'fake/b'
}
test_a_worker_that_does_not_start_is_2_with_a_summary() {
  record
  expect 2 bash "$repository/ci/gate.sh" --programs pack --out out --worker ./no-such-worker
  there out/summary.md
  same "$(< out/exit-code)" 2
}
test_a_device_without_a_baseline_is_3() { expect 3 gate; }
test_a_slowdown_made_on_purpose_is_caught_by_hand() {
  record
  expect 1 gate '' -- --inject-slowdown 'fake/a=20'
}
test_a_suspicion_is_confirmed_against_the_base_build() {
  record
  # The machine became slower for both builds: the stored baseline alone would show a regression.
  expect 0 gate '--slow fake/a@*=1.2' --base-worker "$(worker '--slow fake/a@*=1.2')"
  expect 1 gate '--slow fake/a@*=1.4' --base-worker "$(worker '--slow fake/a@*=1.2')"
}
test_names_of_kernels_reach_no_shell_and_no_workflow() {
  local kernels='fake/reference,fake/$(touch${IFS}pwned),fake/`touch${IFS}pwned`,fake/::add-mask::x'
  (cd pack && ./perfcheck check --quiet --record-missing-baseline --worker "$(worker) --kernels '$kernels'" > /dev/null 2>&1) || true
  GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/step gate "--kernels '$kernels' --slow 'fake/*@*=1.3'" > said 2>&1 || true
  not_pwned
  # A line may contain the hostile name, but only annotations and stop-commands may begin a line as workflow commands.
  ! grep -E '^::' said | grep -vE '^::(error|warning|notice|stop-commands)[ :]|^::[0-9a-f]{32}::$' || fail 'a command'
}

# ---- shards, the night, the action

shards() {
  local i
  for i in "${@:3}"; do to=shards/s$i expect 0 gate "$2" --shard "$i/$1" --fan-out run; done
}
merge() { bash "$repository/ci/merge.sh" --programs pack --in shards --out merged --name h100 "$@"; }

test_good_shards_merge_to_a_pass() {
  record
  shards 2 '' 1 2
  expect 0 merge
  every_result merged
}
test_one_slow_kernel_in_one_of_the_shards_is_1() {
  record
  shards 3 '--slow fake/a@*=1.2' 1 2 3
  expect 1 merge
  has merged/summary.md 'fake/a'
}
test_a_shard_that_is_missing_is_2() {
  record
  shards 3 '' 1 3
  expect 2 merge
  same "$(< merged/exit-code)" 2
}
test_shards_of_a_filter_are_merged_with_it() {
  record
  local i
  for i in 1 2; do to=shards/s$i expect 0 gate '' --shard "$i/2" --fan-out run -- --filter 'fake/a'; done
  expect 2 merge
  has merged/summary.md 'missing'
  said "say so here, too: --filter fake/a"
  expect 0 merge -- --filter 'fake/a'
  every_result merged
}
test_shards_are_held_to_the_suite_that_the_merge_names() {
  printf '[suites.small.cpu]\nproblems = ["f32,nn,m64n64k64"]\n' >> pack/perfcheck.toml
  record
  local i
  for i in 1 2; do to=shards/s$i expect 0 gate '' --shard "$i/2" --fan-out run --suite small; done
  expect 3 merge
  said 'the run says that it is of suite small'
  expect 0 merge --suite small
  expect 2 merge --suite default
  said 'suite default names its problem'
}
test_a_night_is_a_gate_and_a_calibration() {
  printf '[suites.full.cpu]\nproblems = ["f32,nn,m64n64k64"]\n' >> pack/perfcheck.toml
  (cd pack && ./perfcheck check --suite full --quiet --record-missing-baseline --worker "$(worker)" > "$scratch/recorded" 2>&1)
  night() { bash "$repository/ci/nightly.sh" --programs pack --out out --name h100 --worker "$(worker "${1:-}")" --history perf.sqlite "${@:2}"; }
  expect 0 night
  has out/calibration.json 'perfcheck.calibration/1'
  there out/calibration/scripted-0/baseline.run.json
  there perf.sqlite
  expect 1 night '--slow fake/a@*=1.2'
  there out/creep/creep.json
  expect 3 night '--delay-ms 50' --calibrate-seconds 1 --data kept
  said 'no complete block'
}
test_joules_of_a_night_are_bounded_and_decide_nothing() {
  printf '[suites.full.cpu]\nproblems = ["f32,nn,m64n64k64"]\n' >> pack/perfcheck.toml
  (cd pack && ./perfcheck check --suite full --quiet --record-missing-baseline --worker "$(worker)" > "$scratch/recorded" 2>&1)
  night() { bash "$repository/ci/nightly.sh" --programs pack --out out --worker "$(worker)" --calibrate-seconds 0 "$@"; }
  # One that measures nothing, and whose permission an artifact has lost.
  printf '#!/usr/bin/env bash\nprintf "%%s " "$@" > "%s/asked"\nexit 2\n' "$scratch" > pack/perfcheck_energy
  expect 0 night
  said 'perfcheck_energy ended with 2; this decides nothing'
  has asked "--time-budget 300 --out $scratch/out/energy.json gemm/fastest/ f16.f32,nt,m8192n8192k8192 "
  rm asked
  expect 0 night --energy-seconds 0
  absent asked
  printf 'of another night\n' > out/energy.json
  rm pack/perfcheck_energy
  expect 0 night
  absent out/energy.json
  expect 64 night --energy-seconds many
}
test_the_action_gates_another_repository() {
  mkdir other programs
  cp pack/perfcheck.toml other/
  ln -s "$TEST_PERFCHECK" programs/perfcheck
  action() { (cd other && INPUT_PERFCHECK=$scratch/programs INPUT_NAME=h100 INPUT_WORKER="$(worker "${1:-}")" INPUT_ARGUMENTS=${2:-} GITHUB_OUTPUT=$scratch/output bash "$repository/ci/action.sh"); }
  expect 0 action '' '--record-missing-baseline'
  there other/baselines/scripted-device/gemm.json
  expect 0 action
  expect 1 action '--slow fake/a@*=1.2'
  has output "out=$scratch/other/perfcheck-out"
  has output 'exit-code=1'
  there other/perfcheck-out/junit.xml
  INPUT_WORKER='' expect 64 bash "$repository/ci/action.sh"
}
run_wanted
