#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the CUDA kernels' verification under compute-sanitizer, on the small problems of suite `sanitize`.
#
# Usage: ci/sanitize.sh [-p PRESET] [--] [ARGUMENT OF perfcheck run...]      (builds nothing: ci/build.sh does)
#
#   ci/sanitize.sh --filter 'gemm/mma/*'            one family
#   PERFCHECK_SANITIZERS=racecheck ci/sanitize.sh   one tool (default: memcheck racecheck)
#   PERFCHECK_SANITIZE_OUT=DIR ci/sanitize.sh       keep the tools' logs
#
# Takes minutes: every access of every thread is watched. Exit code: 0 clean, 1 findings, 2 could not look.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

sanitizer=$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer) ||
  die "compute-sanitizer is not there; it comes with NVIDIA's CUDA toolkit (its package cuda-sanitizer-13-0)"
programs=build/$preset/bin
worker=$programs/$(worker_of cuda)
[[ -x $worker ]] || die "$worker is not there; run ci/build.sh -p $preset programs"

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
out=${PERFCHECK_SANITIZE_OUT:-$temporary}
mkdir -p "$out"

# racecheck looks at shared memory, of which the harness's own kernels have none, and slows down loops that wait for
# other blocks a thousandfold: with them one case takes minutes, without them a third of a second.
options_of() {
  [[ $1 != racecheck ]] ||
    echo "--kernel-name-exclude regex=^_ZN9perfcheck6device --kernel-name-exclude regex=^_ZN9perfcheck6verify"
}

findings=0
read -ra tools <<< "${PERFCHECK_SANITIZERS:-memcheck racecheck}"
for tool in "${tools[@]}"; do
  say "$tool"
  rm -f "$out/$tool".*.log
  # The worker uses standard output for the protocol, so the tool writes to files, one for each process.
  "$programs/perfcheck" run --verify-only --suite sanitize --start-timeout 600 \
    --worker "$sanitizer --tool $tool $(options_of "$tool") --log-file $out/$tool.%p.log $worker" "${arguments[@]}" ||
    { say "$tool: perfcheck failed, see above"; findings=$((findings + 1)); }
  # Fails closed: without a log, or with a log that lacks its last line, nothing was checked.
  logs=("$out/$tool".*.log)
  [[ -e ${logs[0]} ]] || die "$tool wrote no log; did the worker start?"
  for log in "${logs[@]}"; do
    grep -qE '(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards)' "$log" || {
      grep -v '^========= *$' "$log" | head -n 40
      say "$log: not clean"
      findings=$((findings + 1))
    }
  done
done
((findings == 0)) || { say "$findings findings"; exit 1; }
say "clean: ${tools[*]}"
