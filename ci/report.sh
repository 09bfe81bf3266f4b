#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sets up, builds perfcheck and writes a report. Without --history it draws the sample history of this repository
# (reports/sample), real measurements of several of its commits on an H100 and an H200.
#
# Usage: ci/report.sh [-p PRESET] [--] [ARGUMENT OF perfcheck report...]
#
#   ci/report.sh                                                build/report/report.html
#   ci/report.sh --history perf.sqlite --site public            your own, as a folder for Pages
#
# Exit code: that of perfcheck report; 2 when the build fails.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
export_cuda_choice

ci/build.sh -p "$preset" perfcheck >&2 || exit 2
perfcheck=build/$preset/bin/perfcheck
mkdir -p build/report

if [[ " ${arguments[*]}" != *" --history"* ]]; then
  history=build/report/sample.sqlite
  rm -f "$history"
  say "unpacking reports/sample/history.jsonl.xz"
  xz -dc reports/sample/history.jsonl.xz | "$perfcheck" history import --quiet --history "$history" -
  arguments+=(--history "$history" --title "perfcheck: sample history")
fi
[[ " ${arguments[*]}" == *" --"@(out|site|svg)* ]] || arguments+=(--out build/report/report.html)

"$perfcheck" report "${arguments[@]}"
say "open what is named above in a browser"
