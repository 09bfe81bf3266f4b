#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The gate: the one step of a job on a GPU machine. Asks whether the machine can be measured on, checks every kernel,
# compares with the baseline, and leaves one exit code and the result in every format that a CI service reads.
#
# Usage: ci/gate.sh --programs DIR --out DIR [OPTION VALUE...] [-- ARGUMENT OF perfcheck check...]
#
#   --programs DIR      programs to measure: what ci/pack_gate.sh made, or a build's (build/dev/bin)
#   --out DIR           where the results go; those of an earlier gate there are removed
#   --base-worker CMD   worker of the commit to compare with: what looks slower is confirmed against it, side by side on
#                       this device (default: the only one in DIR/base of --programs, if there is one)
#   --worker CMD        worker to measure (default: as perfcheck chooses, see [workers] in perfcheck.toml)
#   --config FILE       perfcheck.toml (default: the pack's of the target branch, else the pack's, else this checkout's)
#   --baselines DIR     baselines (default: likewise)
#   --suite NAME        suite of perfcheck.toml
#   --name NAME         what the result is called where several are shown together: one per GPU model
#   --shard I/N         measure the I-th of N parts, for ci/merge.sh to decide about all of them
#   --fan-out ID        what the N parts have in common: the id of the CI run and the GPU
#   --history PLACE     keep the run in this history, too (default: PERFCHECK_HISTORY)
#   --retry-budget S    wait up to S seconds for a machine that is busy, hot or throttled (default: as perfcheck.toml
#                       says)
#   --report-url URL    page with the trends, for the results to link to
#   --device N          index of the device
#
# By hand, in a checkout, after ci/build.sh:
#
#   ci/gate.sh --programs build/dev/bin --out out
#   ci/gate.sh --programs build/dev/bin --out out -- --filter 'gemm/mma/*'
#   ci/gate.sh --programs build/dev/bin --out out -- --inject-slowdown 'gemm/mma/*=3'      does it catch 3 %?
#
# In --out: run.json (every round), summary.md, comment.md, annotations.txt, junit.xml, perfcheck.sarif, check.json,
# cases.csv, metrics.txt, benchmark-time.json, benchmark-rate.json, bencher.json, doctor.txt, log.txt, exit-code.
#
# Exit code: that of perfcheck check (0 passed, 1 regressed, 2 broken, 3 undecided, 64 usage, 74 files, 130
# interrupted); 2 as well when perfcheck died, or passed without writing all of its results. A shard's own verdict
# decides nothing: with --shard it is 0 once the run is written, and out/exit-code keeps the verdict; 3 where the machine
# was not fit, so that this shard is the one to start again.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
cd "$caller"

read_options "programs out base-worker worker config baselines suite name shard fan-out history retry-budget report-url device" "$@"
required programs out
[[ -z ${given[name]:-} || ${given[name]} =~ $name_pattern ]] || wrong_usage "--name takes letters, digits, '.', '_', '-'"
[[ -z ${given[shard]:-} || -n ${given[fan-out]:-} ]] || wrong_usage "--shard needs --fan-out"
[[ -z ${given[shard]:-} || ${given[shard]} =~ ^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$ ]] || wrong_usage "--shard takes I/N, as 2/4"

open_out "${given[out]}"
# Set at the start, so that a shard that ends early can be told from a whole gate.
[[ -z ${given[shard]:-} ]] || printf '%s\n' "${given[shard]}" > "$out/shard"
open_programs "${given[programs]}"
choose_policy
history=${given[history]:-${PERFCHECK_HISTORY:-}}

# perfcheck itself chooses the worker beside the program; the base's worker has to be found here.
if [[ -z ${given[base-worker]:-} && -d $programs/base ]]; then
  workers=("$programs/base"/*)
  ((${#workers[@]} == 1)) || die "$programs/base holds ${#workers[@]} workers; name one with --base-worker"
  [[ ! -f ${workers[0]} ]] || given[base-worker]=$(quoted "${workers[0]}")
fi

device=()
for option in worker device; do [[ -z ${given[$option]:-} ]] || device+=("--$option" "${given[$option]}"); done
arguments=()
for option in suite shard fan-out retry-budget report-url; do
  [[ -z ${given[$option]:-} ]] || arguments+=("--$option" "${given[$option]}")
done
[[ -z ${given[base-worker]:-} ]] || arguments+=(--base "${given[base-worker]}")
[[ -z $history ]] || arguments+=(--history "$history")
want_results "${given[name]:-}"

say "is this machine fit to be measured on?"
logged "$perfcheck" doctor --fit "${policy[@]}" "${device[@]}"
sed -n '/doctor --fit/,$p' "$out/log.txt" > "$out/doctor.txt"
case $code in
  0) ;;
  # check tests the machine again, waits as long as --retry-budget allows, and names the problems that remain.
  3) say "not fit at the moment, see above" ;;
  *)
    say "perfcheck doctor ended with $code: this machine cannot measure; see above and ci/gate.sh --help"
    finish "$code" "${given[name]:-}"
    ;;
esac

say "checking"
logged "$perfcheck" check "${policy[@]}" "${change[@]}" "${device[@]}" "${arguments[@]}" "${result_options[@]}" "${further[@]}"
[[ -n ${given[shard]:-} ]] || finish "$code" "${given[name]:-}"

# Only a part of the cases: whatever its verdict, ci/merge.sh decides. Here it only matters that there is a run.
printf '%s\n' "$code" > "$out/exit-code"
if [[ $code != [0123] || ! -s $out/run.json ]]; then
  say "shard ${given[shard]} has no run to merge: perfcheck ended with $code; look at $out/log.txt"
  printf '2\n' > "$out/exit-code"
  exit 2
fi
if [[ $code == 3 ]] && grep -q '"reason_code": "machine_unfit"' "$out/check.json"; then
  say "shard ${given[shard]} met a machine that is not fit, see above: start this job again"
  exit 3
fi
say "shard ${given[shard]} is measured; its own verdict is $code, and ci/merge.sh decides; results in $out"
