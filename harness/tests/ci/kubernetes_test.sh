#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/kubernetes/run.sh and shard.sh with the real perfcheck; the cluster is fake/bin/kubectl.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2119,SC2120
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
real_programs
fake_services
export PERFCHECK_POLL_S=0

record() { (cd pack && ./perfcheck check --quiet --record-missing-baseline --worker "$(worker)" > "$scratch/recorded" 2>&1) || fail "$(< recorded)"; }
# A pod: runs its shard with the scripted worker.
pod_with() {
  printf '#!/bin/sh\nexec bash %s/ci/kubernetes/shard.sh --worker "%s" --baselines %s/pack/baselines\n' \
    "$repository" "$(worker "${1:-}")" "$scratch" > pod
  chmod +x pod
  export FAKE_SHARD=$scratch/pod PERFCHECK_PROGRAMS=$scratch/pack
}
run() {
  bash "$repository/ci/kubernetes/run.sh" --image registry/perfcheck:1 --product NVIDIA-H100-80GB-HBM3 --shards 3 \
    --history "$scratch/perf.sqlite" --programs pack --out out --baselines pack/baselines "$@"
}
runs_kept() { pack/perfcheck history show --config pack/perfcheck.toml --history perf.sqlite --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["runs"]))'; }

test_a_good_build_passes_and_is_kept() {
  record
  pod_with
  expect 0 run
  there out/summary.md
  same "$(< out/exit-code)" 0
  same "$(runs_kept)" 1
}
test_a_slower_kernel_is_1() {
  record
  pod_with "--slow 'fake/a@*=1.05'"
  expect 1 run
  has out/summary.md 'regressed'
}
test_a_pod_that_never_came_is_a_missing_shard() {
  record
  pod_with
  FAKE_PODS_THAT_FAIL=1 expect 2 run
  has out/summary.md 'shard 2 of 3 brought no run file'
}
test_the_manifest_is_the_schema_s() {
  run --render --name fan-out-1 > job.yaml
  has job.yaml 'completions: 3'
  has job.yaml 'name: "fan-out-1"'
  has job.yaml 'image: "registry/perfcheck:1"'
  lacks job.yaml '"@'
  lacks job.yaml ': @'
  [[ -d $repository/.toolchain/consumers/kubernetes_validate ]] || skip 'kubernetes-validate is not installed (ci/setup.sh tests)'
  export PYTHONPATH=$repository/.toolchain/consumers
  expect 0 python3 -m kubernetes_validate --strict job.yaml
  sed -i 's/completionMode/completionMood/' job.yaml
  expect 1 python3 -m kubernetes_validate --strict job.yaml
}
test_a_name_cannot_become_text_of_the_manifest() {
  expect 64 run --render --name $'x\ny'
  expect 64 bash "$repository/ci/kubernetes/run.sh" --render --image $'x"\ncommand: [y]' --product p --shards 2
  expect 64 bash "$repository/ci/kubernetes/run.sh" --render --image x --product 'a|b' --shards 2
}

run_wanted
