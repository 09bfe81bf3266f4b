#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The night's job on a GPU machine: the full suite through the gate; where there is a history, whether cases crept in it
# by steps that no gate sees; where the programs hold perfcheck_energy, joules per launch; then a calibration, which says
# how small a slowdown this machine sees and how often it would cry wolf.
#
# Usage: ci/nightly.sh --programs DIR --out DIR [--suite NAME] [--name NAME] [--energy-seconds S] [--calibrate-seconds S]
#                      [--data DIR] [--history PLACE] [--worker CMD] [--config FILE] [--baselines DIR] [--retry-budget S]
#
#   --suite NAME             suite of the gate (full)
#   --energy-seconds S       measure the joules of no kernel that would end later than after S seconds (300; 0: none): the
#                            fastest kernels of four types at 8192 cubed beside cuBLAS's, into OUT/energy.json
#   --calibrate-seconds S    begin no session of the calibration after S seconds (1800; 0: no calibration)
#   --data DIR               recordings of the calibration, kept from night to night: each adds to them
#                            (default: out/calibration, which begins anew every night)
#   The rest is as for ci/gate.sh.
#
# Exit code: that of the gate. Cases that crept beyond their margins (ci/creep.sh) make a 0 to a 1; a history too short to
# tell changes nothing. Joules decide nothing, and neither does their failure. A calibration that fails makes a 0 to a 2; one that has not enough sessions yet, to a 3.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
here=$PWD
cd "$caller"

read_options "programs out suite name energy-seconds calibrate-seconds data history worker config baselines retry-budget" "$@"
required programs out
seconds=${given[calibrate-seconds]:-1800}
energy_seconds=${given[energy-seconds]:-300}
[[ $seconds =~ ^[0-9]{1,6}$ ]] || wrong_usage "--calibrate-seconds takes a number of seconds"
[[ $energy_seconds =~ ^[0-9]{1,5}$ ]] || wrong_usage "--energy-seconds takes a number of seconds"

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

open_programs "${given[programs]}"
rm -f "$out/energy.json"
if ((energy_seconds > 0)) && [[ -f $programs/perfcheck_energy ]]; then
  say "joules per launch, $energy_seconds s at most"
  # At 8192 cubed the card is at its power limit, where energy decides.
  "$programs/perfcheck_energy" --time-budget "$energy_seconds" --out "$out/energy.json" gemm/fastest/ \
    {f16.f32,bf16.f32,tf32,s8.s32},nt,m8192n8192k8192 || say "perfcheck_energy ended with $?; this decides nothing"
fi
((seconds > 0)) || exit "$verdict"

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
