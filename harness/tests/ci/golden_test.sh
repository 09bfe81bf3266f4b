#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# What a gate says about a good build, a kernel made 3 % slower (two fifths on a CPU), a wrong and a crashing one: run
# files that ci/gate.sh left on real machines, decided about again with the baseline of that day. golden/README.md tells
# of them.
# After a change of what the formats say: UPDATE_GOLDEN=1 ctest -R CiScripts.golden, and read the difference.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"

# scenario MACHINE NAME EXIT_CODE
scenario() {
  local folder=$tests/golden/$1/$2 file
  mkdir -p pack
  ln -sf "$TEST_PERFCHECK" pack/perfcheck
  expect "$3" pack/perfcheck compare "$folder/run.json" --config "$tests/golden/$1/perfcheck.toml" \
    --baselines "$tests/golden/$1/baselines" --result summary=summary.md --result comment=comment.md \
    --result annotations=annotations.txt --result junit=junit.xml
  for file in summary.md comment.md annotations.txt junit.xml; do
    if [[ -n ${UPDATE_GOLDEN:-} ]]; then
      cp "$file" "$folder/$file"
    else
      diff -u "$folder/$file" "$file" || fail "$1/$2/$file is not as it was"
    fi
  done
}

test_a_good_build_on_an_h100_passes() {
  scenario h100 good 0
  has junit.xml 'failures="0" errors="0"'
  [[ ! -s annotations.txt ]] || fail 'a good build is annotated'
}
test_a_kernel_3_percent_slower_on_an_h100_is_named_and_no_other() {
  scenario h100 slow 1
  same "$(grep -c '^::error file=kernels/gemm/mma/tf32_pipeline.cu,line=[0-9]*,' annotations.txt)" "$(wc -l < annotations.txt)"
  has junit.xml 'failures="4" errors="0"'
}
test_a_wrong_kernel_on_an_h100_breaks_the_build() {
  scenario h100 wrong 2
  has junit.xml 'failures="0" errors="2"'
  has comment.md 'all of them NaN'
}
test_a_crashing_kernel_on_an_h100_breaks_the_build() {
  scenario h100 crashed 2
  has junit.xml 'failures="0" errors="4"'
  has comment.md 'cudaErrorIllegalAddress'
}

test_a_good_pull_request_on_a_cpu_passes() {
  scenario cpu good 0
  has junit.xml 'failures="0" errors="0"'
  [[ ! -s annotations.txt ]] || fail 'a good build is annotated'
}
test_a_kernel_that_does_more_on_a_cpu_is_named_and_no_other() {
  scenario cpu slow 1
  # Neighbours disturbed one of its two cases; fastest rounds tell what it costs all the same.
  same "$(grep -cE '^::error file=kernels/gemm/cpu/blocked.cpp,line=[0-9]*,' annotations.txt)" "$(wc -l < annotations.txt)"
  has summary.md 'its fastest rounds in 4 and 4 processes'
  has junit.xml 'failures="2" errors="0"'
  has comment.md '`gemm/cpu/blocked`'
}
test_a_wrong_kernel_on_a_cpu_breaks_the_build() {
  scenario cpu wrong 2
  has junit.xml 'errors="1"'
  has comment.md '**incorrect**'
}
test_a_crashing_kernel_on_a_cpu_breaks_the_build() {
  scenario cpu crashed 2
  has junit.xml 'failures="0" errors="2"'
  has comment.md 'signal 11'
}

run_wanted
