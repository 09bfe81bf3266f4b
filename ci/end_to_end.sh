#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The main job as a user has it, on a device without a baseline: the first `make perfcheck` records one, the second
# passes against it, and a third with one kernel made 25 % slower fails and names that kernel and no other.
#
# Usage: ci/end_to_end.sh [-p PRESET] [--] [KERNEL [ARGUMENT OF perfcheck check...]]   (default KERNEL: gemm/cpu/blocked)
#
#   ci/end_to_end.sh gemm/simt/naive --suite smoke
#
# Keeps its baseline in a temporary folder; those of the checkout are left alone. Exit code: 0 all as said, 1 not.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
kernel=${arguments[0]:-gemm/cpu/blocked}
export PERFCHECK_PRESET=$preset
# This tests whether a good build passes and a slow one fails. On a CPU that others use, too, a case may stay undecided.
undecided=()
[[ $kernel != gemm/cpu/* ]] || undecided=(--demote inconclusive)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect CODE WHAT ARGUMENT...: runs the main job and compares its exit code.
expect() {
  local expected=$1 what=$2 code=0
  shift 2
  say "$what"
  make --no-print-directory perfcheck PERFCHECK_ARGS="$(printf '%q ' --baselines "$folder" "${undecided[@]}" "${arguments[@]:1}" "$@")" ||
    code=$?
  ((code == expected)) || { say "$what: exit code $code instead of $expected"; exit 1; }
}

expect 0 "first run: records a baseline"
expect 0 "second run: passes against it"
expect 1 "third run: $kernel made 25 % slower" --inject-slowdown "$kernel=25" --json > "$folder/slow.json"

python3 - "$folder/slow.json" "$kernel" <<'PYTHON'
import json
import sys

path, kernel = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    cases = json.load(file)["cases"]
regressed = {case["id"].split("@")[0] for case in cases if case["outcome"] == "regressed"}
if regressed != {kernel}:
    sys.exit(f"end_to_end.sh: expected {kernel} to regress and no other; regressed: {sorted(regressed)}")
PYTHON
say "as it should be: $kernel regressed and no other"
