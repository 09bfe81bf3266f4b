#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# One decision over the shards of a gate, with the same results and exit code as ci/gate.sh. Needs no GPU.
#
# Usage: ci/merge.sh --programs DIR --in DIR --out DIR [OPTION VALUE...] [-- ARGUMENT OF perfcheck merge...]
#        ci/merge.sh --programs DIR --fan-out ID --history PLACE --out DIR [OPTION VALUE...] [-- ...]
#
#   --programs DIR      folder that holds perfcheck: what ci/pack_gate.sh made, or a build's
#   --in DIR            an --out folder of ci/gate.sh, or a folder that holds them, one for each shard. Where a shard
#                       was measured more than once (a job that was started again), its latest run counts
#   --fan-out ID        take the shards that wait under this name in the history instead
#   --history PLACE     keep the whole in this history (default: PERFCHECK_HISTORY)
#   --out DIR           where the results go
#   --suite NAME        suite that was to be measured: what must be there, whatever the run files say. Needed of any but
#                       the suite default
#   --name NAME         what the result is called
#   --config FILE       perfcheck.toml, and
#   --baselines DIR     baselines to judge with (default: as for ci/gate.sh)
#   --report-url URL    page with the trends, for the results to link to
#
# Shards that were measured with a filter on purpose need it here, too: ci/merge.sh ... -- --filter 'gemm/mma/*'. Without
# it, what the filter left out is missing.
#
# A gate that was not sharded was decided already: its results are passed on as they are. PERFCHECK_PULL_REQUEST, if
# set, is kept in out/pull-request, for ci/comment.sh.
#
# Exit code: that of the decision, as of ci/gate.sh; 2 when a shard is missing.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
cd "$caller"

read_options "programs in out fan-out history suite name config baselines report-url" "$@"
required programs out
[[ -n ${given[in]:-} || -n ${given[fan-out]:-} ]] || wrong_usage "--in or --fan-out is missing"
[[ -z ${given[in]:-} || -z ${given[fan-out]:-} ]] || wrong_usage "--in and --fan-out do not go together"
[[ -z ${given[name]:-} || ${given[name]} =~ $name_pattern ]] || wrong_usage "--name takes letters, digits, '.', '_', '-'"
open_out "${given[out]}"
open_programs "${given[programs]}"
choose_policy
[[ ! ${PERFCHECK_PULL_REQUEST:-} =~ ^[1-9][0-9]*$ ]] || printf '%s\n' "$PERFCHECK_PULL_REQUEST" > "$out/pull-request"

history=${given[history]:-${PERFCHECK_HISTORY:-}}

# decide ARGUMENT...: one decision about the shards that the arguments name.
decide() {
  want_results "${given[name]:-}"
  [[ -z ${given[report-url]:-} ]] || result_options+=(--report-url "${given[report-url]}")
  [[ -z ${given[suite]:-} ]] || result_options+=(--suite "${given[suite]}")
  [[ -z $history ]] || result_options+=(--history "$history")
  logged "$perfcheck" merge "${policy[@]}" "${change[@]}" "${result_options[@]}" "${further[@]}" "$@"
  finish "$code" "${given[name]:-}"
}

if [[ -n ${given[fan-out]:-} ]]; then
  [[ -n $history ]] || wrong_usage "--fan-out needs the --history that the shards wait in"
  say "merging the shards of ${given[fan-out]}"
  decide --fan-out "${given[fan-out]}"
fi
from=$(absolute "${given[in]}")

# first_line FILE: empty if there is no such file.
first_line() { local line=; [[ ! -f $1 ]] || IFS= read -r line < "$1" || true; printf '%s' "$line"; }

# The latest folder of each shard, into $latest by shard ("" for a gate that was not sharded).
declare -A latest=() latest_attempt=()
for folder in "$from" "$from"/*/; do
  folder=${folder%/}
  [[ -f $folder/exit-code ]] || continue
  shard=$(first_line "$folder/shard") attempt=$(first_line "$folder/attempt")
  [[ $attempt =~ ^[1-9][0-9]{0,5}$ ]] || die "$folder/attempt does not say which attempt this was; is it a folder of ci/gate.sh?"
  if ((attempt > ${latest_attempt[_$shard]:-0})); then
    latest[_$shard]=$folder
    latest_attempt[_$shard]=$attempt
  fi
done

if ((${#latest[@]} == 0)); then
  printf 'no folder of ci/gate.sh in %s\n' "$from" > "$out/log.txt"
  say "there is nothing to merge in $from: no shard got as far as leaving an exit code"
  finish 2 "${given[name]:-}"
fi

if [[ -n ${latest[_]:-} ]]; then
  ((${#latest[@]} == 1)) || die "$from holds shards and a whole gate; they do not belong together"
  attempt=${latest_attempt[_]} pull_request=$(first_line "$out/pull-request")
  cp -r "${latest[_]}/." "$out/"
  [[ -z $pull_request ]] || printf '%s\n' "$pull_request" > "$out/pull-request"
  code=$(first_line "$out/exit-code")
  [[ $code =~ ^[0-9]{1,3}$ ]] || die "${latest[_]}/exit-code holds no exit code"
  say "one gate, decided already: exit code $code"
  exit "$(trusted "$code")"
fi

runs=()
for shard in "${!latest[@]}"; do
  if [[ -s ${latest[$shard]}/run.json ]]; then
    runs+=("${latest[$shard]}/run.json")
  else
    # perfcheck merge sees from the others which one is missing.
    say "shard ${shard#_} left no run"
  fi
done
if ((${#runs[@]} == 0)); then
  printf 'none of %s shards left a run\n' "${#latest[@]}" > "$out/log.txt"
  finish 2 "${given[name]:-}"
fi
mapfile -t runs < <(printf '%s\n' "${runs[@]}" | sort)
say "merging ${#runs[@]} shards"
decide "${runs[@]}"
