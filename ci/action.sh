#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# What action.yml runs: the gate of another repository that has a worker of its own. Builds perfcheck from this
# checkout, without CUDA, once for each version of its sources, and keeps it in the runner's tool cache.
#
# Usage: ci/action.sh          (in the other repository's folder; everything comes from the environment)
#
#   INPUT_WORKER (required), INPUT_CONFIG, INPUT_SUITE, INPUT_BASELINES, INPUT_BASE_WORKER, INPUT_NAME, INPUT_SHARD,
#   INPUT_FAN_OUT, INPUT_HISTORY, INPUT_RETRY_BUDGET, INPUT_ARGUMENTS, INPUT_OUT: as the options of ci/gate.sh
#   INPUT_PERFCHECK    folder of a perfcheck that is there already: nothing is built
#   RUNNER_TOOL_CACHE  where the built one is kept (default: ~/.cache)
#
# Writes out= and exit-code= to $GITHUB_OUTPUT. Exit code: that of ci/gate.sh; 2 when perfcheck does not build.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
root=$PWD
[[ ${1:-} != @(-h|--help) ]] || { usage; exit 0; }
[[ -n ${INPUT_WORKER:-} ]] || { say "the input 'worker' is empty: name the program to measure"; exit 64; }

# A hash of everything that the program is built from. By content, because git may be missing and this may be no
# checkout.
sources_id() {
  find CMakeLists.txt CMakePresets.json cmake harness/src harness/include reports kernels/CMakeLists.txt ci \
    -type f -not -path '*/node_modules/*' -not -path '*/sample/*' -print0 2> /dev/null |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16
}

programs=${INPUT_PERFCHECK:-}
if [[ -z $programs ]]; then
  programs=${RUNNER_TOOL_CACHE:-$HOME/.cache}/perfcheck/$(sources_id)/$(uname -m)
  if [[ ! -x $programs/perfcheck ]]; then
    say "building perfcheck, once for this version"
    PERFCHECK_CUDA=OFF ci/build.sh -p portable perfcheck >&2 ||
      { say "perfcheck did not build, see above. The input 'perfcheck' names a folder with one that was built elsewhere"; exit 2; }
    # Renamed into place, because parallel jobs may do the same.
    mkdir -p "$programs"
    cp build/portable/bin/perfcheck "$programs/perfcheck.$$"
    mv "$programs/perfcheck.$$" "$programs/perfcheck"
  fi
fi

cd "$caller"
out=${INPUT_OUT:-perfcheck-out}
arguments=(--programs "$programs" --out "$out" --worker "$INPUT_WORKER")
for option in config suite baselines base-worker name shard fan-out history retry-budget; do
  variable=INPUT_${option//-/_}
  variable=${variable^^}
  [[ -z ${!variable:-} ]] || arguments+=("--$option" "${!variable}")
done
# Split at spaces and line ends, globs left alone.
read -rd '' -a further <<< "${INPUT_ARGUMENTS:-}" || true
code=0
"$BASH" "$root/ci/gate.sh" "${arguments[@]}" -- "${further[@]}" || code=$?
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  [[ $out == /* ]] || out=$caller/$out
  printf 'out=%s\nexit-code=%s\n' "$out" "$code" >> "$GITHUB_OUTPUT"
fi
exit "$code"
