#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The night's job on a GPU machine: the full suite through the gate; where there is a history, whether cases crept in it
# by steps that no gate sees; then a calibration, which says how small a slowdown this machine sees and how often it would
# cry wolf.
#
# Usage: ci/nightly.sh --programs DIR --out DIR [--suite NAME] [--name NAME] [--calibrate-seconds S] [--data DIR]
#                      [--history PLACE] [--worker CMD] [--config FILE] [--baselines DIR] [--retry-budget S]
#
#   --suite NAME             suite of the gate (full)
#   --calibrate-seconds S    begin no session of the calibration after S seconds (1800; 0: no calibration)
#   --data DIR               recordings of the calibration, kept from night to night: each adds to them
#                            (default: out/calibration, which begins anew every night)
#   The rest is as for ci/gate.sh.
#
# Exit code: that of the gate. Cases that crept beyond their margins (ci/creep.sh) make a 0 to a 1; a history too short to
# tell changes nothing. A calibration that fails makes a 0 to a 2; one that has not enough sessions yet, to a 3.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
here=$PWD
cd "$caller"

read_options "programs out suite name calibrate-seconds data history worker config baselines retry-budget" "$@"
required programs out
seconds=${given[calibrate-seconds]:-1800}
[[ $seconds =~ ^[0-9]{1,6}$ ]] || wrong_usage "--calibrate-seconds takes a number of seconds"

arguments=(--suite "${given[suite]:-full}")
for option in programs out name history worker config baselines retry-budget; do
  [[ -z ${given[$option]:-} ]] || arguments+=("--$option" "${given[$option]}")
done
verdict=0
"$BASH" "$here/ci/gate.sh" "${arguments[@]}" || verdict=$?
out=$(absolute "${given[out]}")
history=${given[history]:-${PERFCHECK_HISTORY:-}}
if [[ -n $history ]]; then
  arguments=(--programs "${given[programs]}" --out "$out/creep" --history "$history")
  for option in config baselines; do [[ -z ${given[$option]:-} ]] || arguments+=("--$option" "${given[$option]}"); done
  say "looking for creep"
  code=0
  "$BASH" "$here/ci/creep.sh" "${arguments[@]}" || code=$?
  ((verdict != 0 || code == 0 || code == 3)) || verdict=$code
fi
((seconds > 0)) || exit "$verdict"

open_programs "${given[programs]}"
choose_policy
data=$(absolute "${given[data]:-$out/calibration}")
arguments=(--data "$data" --time-budget "$seconds" --json)
[[ -z ${given[worker]:-} ]] || arguments+=(--worker "${given[worker]}")
[[ -z $history ]] || arguments+=(--history "$history")
say "calibrating, $seconds s at most"
code=0
"$perfcheck" calibrate "${policy[@]}" "${arguments[@]}" > "$out/calibration.json" || code=$?
if ((code != 0)); then
  say "perfcheck calibrate ended with $code"
  ((verdict != 0)) || verdict=$((code == 3 ? 3 : 2))
fi
exit "$verdict"
