#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The gate on a Slurm cluster: an array job measures the shards, a job behind it merges them and decides. Waits for both
# and ends with the decision's exit code, so that it can be the step of a CI job.
#
# Usage: ci/slurm/submit.sh --programs DIR --shards N --out DIR [OPTION VALUE...] [-- ARGUMENT OF perfcheck check...]
#
#   --programs DIR      programs to measure, as for ci/gate.sh, on a file system that the nodes see
#   --shards N          tasks of the array: N parts of the cases, on as many GPUs as the cluster gives at once
#   --out DIR           where the results go, on a file system that the nodes see: DIR/shards/I and DIR/whole
#   --history PLACE     PostgreSQL that all nodes reach: shards wait there, and the whole is kept there
#   --fan-out ID        name of this fan-out (default: one that is not used yet)
#   --gres TEXT         what each task needs (default: gpu:1; none: nothing)
#   --sbatch TEXT       more options of sbatch for the shards: '--partition=h100 --exclusive --time=30'
#   --worker, --config, --baselines, --suite, --name, --retry-budget, --report-url: as for ci/gate.sh
#
#   ci/slurm/submit.sh --programs build/portable/bin --shards 4 --out /shared/perfcheck/$CI_JOB_ID
#
# Exit code: that of ci/merge.sh: 0 passed, 1 regressed, 2 broken or a shard is missing, 3 undecided; 2 as well when
# Slurm took no job. Ctrl-C cancels what was submitted.
caller=$PWD
# shellcheck source=ci/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
source ci/gate_steps.sh
root=$PWD
cd "$caller" || exit

read_options "programs shards out history fan-out gres sbatch worker config baselines suite name retry-budget report-url" "$@"
required programs shards out
[[ ${given[shards]} =~ ^[1-9][0-9]{0,3}$ ]] || wrong_usage "--shards takes a number from 1 to 9999"
command -v sbatch > /dev/null || die "sbatch is not here; run this where Slurm's commands are"
shards=${given[shards]}
out=$(absolute "${given[out]}")
fan_out=${given[fan-out]:-slurm-$(date -u +%Y%m%dT%H%M%SZ)-$$}
mkdir -p "$out/shards" "$out/whole"

# What both kinds of jobs take.
common=(--programs "$(absolute "${given[programs]}")")
for option in config baselines; do
  [[ -z ${given[$option]:-} ]] || common+=("--$option" "$(absolute "${given[$option]}")")
done
for option in name report-url; do
  [[ -z ${given[$option]:-} ]] || common+=("--$option" "${given[$option]}")
done
# The expected cases must not come from the run files.
deciding=()
[[ -z ${given[suite]:-} ]] || deciding+=(--suite "${given[suite]}")
filters_in ${further[0]+"${further[@]}"}
((${#filters[@]} == 0)) || deciding+=(-- "${filters[@]}")
# Its address may contain a password, and everybody can read command lines, so jobs get it in their environment.
export PERFCHECK_HISTORY=${given[history]:-${PERFCHECK_HISTORY:-}}
measuring=()
for option in worker suite retry-budget; do
  [[ -z ${given[$option]:-} ]] || measuring+=("--$option" "${given[$option]}")
done

needs=()
[[ ${given[gres]:-gpu:1} == none ]] || needs+=("--gres=${given[gres]:-gpu:1}")
read -ra more <<< "${given[sbatch]:-}"
# --signal: the time limit ends a gate as Ctrl-C does.
array=$(sbatch --parsable --job-name=perfcheck --array="1-$shards" --signal=INT@30 "${needs[@]}" "${more[@]}" \
  --output="$out/shards/%a.log" "$root/ci/slurm/shard.sh" "$root" "$shards" "$fan_out" "$out/shards" "${common[@]}" \
  "${measuring[@]}" ${further[0]+-- "${further[@]}"}) || die "Slurm took no array of shards; see above"
array=${array%%;*}
trap 'scancel --quiet --me --name=perfcheck,perfcheck-merge ${array:+"$array"} 2> /dev/null || true; exit 130' INT TERM
say "array $array measures $shards shards of $fan_out; logs: $out/shards/*.log"

# afterany, so that the merge also runs, and reports it, if a shard failed.
code=0
sbatch --wait --job-name=perfcheck-merge --dependency="afterany:$array" --output="$out/whole/log" \
  "$root/ci/slurm/merge.sh" "$root" "$fan_out" "$out" "${common[@]}" "${deciding[@]}" > "$out/whole/job" &
wait $! || code=$?
[[ -f $out/whole/exit-code ]] || die "the merge left no exit code; see $out/whole/log and $out/shards/*.log"
cat "$out/whole/log"
decided=$(< "$out/whole/exit-code")
((code == decided)) || die "the merge decided $decided, but its job ended with $code; see $out/whole/log"
exit "$decided"
