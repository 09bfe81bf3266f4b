#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Records sessions for a baseline on a GPU machine: the first half of ci/accept_baseline.sh, which needs no GPU.
#
# Usage: ci/record.sh --programs DIR --out DIR [--suite NAME] [--sessions N] [--worker CMD] [--config FILE] [--device N]
#
#   --programs DIR   programs to measure: what ci/pack_gate.sh made, or a build's
#   --out DIR        where run.json, doctor.txt, log.txt and exit-code go
#   --sessions N     fresh processes, one after the other (8)
#
# A machine that is not fit to be measured on records nothing: a bad baseline costs more than a failed job.
# Exit code: 0 recorded, 2 a case is broken or nothing was written, 3 the machine is not fit, else as of perfcheck run.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
cd "$caller"

read_options "programs out suite sessions worker config device" "$@"
required programs out
sessions=${given[sessions]:-8}
[[ $sessions =~ ^[1-9][0-9]{0,2}$ ]] || wrong_usage "--sessions takes a number from 1 to 999"
open_out "${given[out]}"
open_programs "${given[programs]}"
# The recorded sessions become the tree's own baseline, so the tree's own settings apply.
given[config]=${given[config]:-$([[ ! -f $programs/perfcheck.toml ]] || printf '%s' "$programs/perfcheck.toml")}
config=()
if [[ -n ${given[config]} ]]; then
  name_source "$(dirname "$(absolute "${given[config]}")")"
  config=(--config "$(absolute "${given[config]}")")
fi
arguments=("${config[@]}")
for option in worker device; do [[ -z ${given[$option]:-} ]] || arguments+=("--$option" "${given[$option]}"); done

logged "$perfcheck" doctor --fit "${arguments[@]}"
if ((code == 0)); then
  [[ -z ${given[suite]:-} ]] || arguments+=(--suite "${given[suite]}")
  logged "$perfcheck" run "${arguments[@]}" --sessions "$sessions" --out "$out/run.json"
fi
[[ $code != 0 || -s $out/run.json ]] || { say "perfcheck wrote no run; look at $out/log.txt"; code=2; }
((code <= 130)) || { say "perfcheck itself died with code $code; look at $out/log.txt"; code=2; }
printf '%s\n' "$code" > "$out/exit-code"
say "exit code $code; in $out"
exit "$code"
