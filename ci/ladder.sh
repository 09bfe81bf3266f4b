#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures a ladder of kernels on a machine with a GPU: the cases of a suite, and hardware counters of one launch of each
# kernel. Builds nothing. ci/ladder.py makes tables of what it writes, on any machine.
#
# Usage: ci/ladder.sh --out DIR [--suite NAME] [--perfcheck PROGRAM] [--worker CMD] [--config FILE] [--energy PROGRAM]
#                     [-- ARGUMENT OF perfcheck run...]
#
#   --out DIR             where ladder.json, counters/FOLDER.KERNEL.csv and energy.json go
#   --suite NAME          of one problem for each row of types: ladder (FP32, the default), ladder-fp16, ladder-wmma,
#                         ladder-mma, ladder-wgmma
#   --perfcheck PROGRAM   default: build/dev/bin/perfcheck
#   --worker CMD          default: that of [workers] for cuda, in build/dev/bin
#   --config FILE         with the suite; default: the perfcheck.toml of this tree
#   --energy PROGRAM      perfcheck_energy: joules per launch of each kernel as well, 39 s for each; without, none
#
#   ci/ladder.sh --out out/ladder                                   all of FP32
#   ci/ladder.sh --out out/mma --suite ladder-mma                   mma.sync, by types
#   ci/ladder.sh --out out/some -- --filter 'gemm/cublas/f32' --filter '*/naive'     some, to look at
#
# Joules take a device that counts them; where it does not, it says so and writes none. ci/build.sh -p dev
# perfcheck_energy builds the program, and perfcheck_energy_tuning the one that goes with a worker for tuning.
#
# Counters take ncu (Nsight Compute) and a driver that lets this user read them. Where either is lacking, it says so and
# writes no counters; a kernel without a time is a failure.
# Exit code: 0 measured, 2 a program is not there or named no kernel, else as of perfcheck run.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
tree=$PWD
cd "$caller"

metrics=(
  dram__throughput.avg.pct_of_peak_sustained_elapsed
  lts__throughput.avg.pct_of_peak_sustained_elapsed
  l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed
  sm__inst_issued.avg.pct_of_peak_sustained_active
  sm__warps_active.avg.pct_of_peak_sustained_active
  smsp__inst_executed.sum
  smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
  l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
  # The longest wait is in the tables of tensor cores, the rest in none; they show what a kernel waits for:
  dram__bytes.sum
  lts__t_bytes.sum
  launch__registers_per_thread
  smsp__average_warps_issue_stalled_{long,short}_scoreboard_per_issue_active.ratio
  smsp__average_warps_issue_stalled_{barrier,not_selected,wait}_per_issue_active.ratio
  smsp__average_warps_issue_stalled_{mio,lg,math_pipe}_throttle_per_issue_active.ratio
)
# Collected where this GPU and this version of Nsight Compute have them.
if_known=(
  sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active
  sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active
)

# Id and function of each case that launches anything, from a run file: perfcheck sorts its keys and gives each a
# line, so a case's id stands above its launches.
launched() {
  awk -F '"' '
    $2 == "id" { id = index($4, "@") ? $4 : "" }
    $2 == "function" && id != "" { print id, $4; id = "" }' "$1"
}

# Joules of what was launched, into energy.json; none on a device without a counter (3).
measure_energy() {
  local ids problems code=0
  ids=$(printf '%s\n' "${launched[@]%%@*}" | sort -u | paste -sd ,)
  mapfile -t problems < <(printf '%s\n' "${launched[@]#*@}" | sed 's/ .*//' | sort -u)
  say "joules per launch"
  "$energy" --out "$out/energy.json" "$ids" "${problems[@]}" || code=$?
  ((code == 0 || code == 3)) || { say "$energy ended with code $code: joules are lacking"; exit "$code"; }
}

# ncu writes when the worker has ended. perfcheck gives a worker two seconds to end and then kills its process group, so
# ncu has a session of its own, and is waited for here; a minute at most.
wait_for_ncu() {
  local pid tries
  pid=$(cat "$scratch/ncu-pid" 2> /dev/null) || return 0
  rm -f "$scratch/ncu-pid"
  for ((tries = 0; tries < 600; ++tries)); do
    kill -0 "$pid" 2> /dev/null || return 0
    sleep 0.1
  done
  kill -KILL -- "-$pid" 2> /dev/null || true
}

# A function's name in the form of ncu's filter: without scope, template arguments and parameters.
base_name() {
  local name=${1//'(anonymous namespace)::'/}
  name=${name%%['<(']*}
  printf '%s' "${name##*[: ]}"
}

# Adds those of $if_known that ncu knows to the metrics. It lists them without what follows the first dot.
add_known_metrics() {
  local known metric
  known=$("$ncu" --query-metrics 2> /dev/null) || true
  for metric in "${if_known[@]}"; do
    ! grep -qE "^${metric%%.*}([[:space:]]|\$)" <<< "$known" || metrics+=("$metric")
  done
}

# count KERNEL FUNCTION: leaves counters/FOLDER.KERNEL.csv, or none and the reason in $why. ncu's messages stand in the same
# file. Clocks are left as the measurement had them: at a lower one, memory would look faster.
count() {
  local name=${1#*/} word watched=''
  local file=$out/counters/${name//\//.}.csv log=$out/counters/${name//\//.}.log
  # shellcheck disable=SC2016  # for the other bash
  local command=(setsid --wait bash -c 'echo $$ > "$0"; exec "$@"' "$scratch/ncu-pid"
    "$ncu" --csv --page raw --print-units base --target-processes all --clock-control none
    --kernel-name-base function --kernel-name "regex:^$(base_name "$2")\$" --launch-count 1
    --log-file "$file" --metrics "$(IFS=,; printf '%s' "${metrics[*]}")")
  for word in "${command[@]}"; do watched+="$(quoted "$word") "; done
  why=
  "$perfcheck" run --quiet --verify-only "${arguments[@]}" --filter "$1" --worker "$watched$worker" > "$log" 2>&1 ||
    why="perfcheck ended with code $?"
  wait_for_ncu
  if grep -q '^"ID",' "$file" 2> /dev/null && [[ -z $why ]]; then
    rm -f "$log"
    return
  fi
  # ncu's message is nearer to the cause than perfcheck's.
  [[ ! -e $file ]] || { grep '^==' "$file" >> "$log" || true; rm -f "$file"; }
  why=$({ grep -m 1 -e 'ERR_NVGPUCTRPERM' "$log" || grep -m 1 -E '^==(ERROR|WARNING)==' "$log" ||
    printf '%s\n' "${why:-ncu wrote no counters}"; } | sed -E 's/^==[A-Z]+== *//')
  why+="; see $log"
}

# there OPTION PROGRAM [TARGET]
there() { [[ -x $2 ]] || die "$2 is not there; build it with ci/build.sh -p dev ${3:-programs}, or name it with --$1"; }

read_options "out suite perfcheck worker config energy" "$@"
required out
[[ " ${further[*]} " != *" --out"* ]] || wrong_usage "--out stands before --, for ladder.json and the counters"
out=$(absolute "${given[out]}")
perfcheck=${given[perfcheck]:-$tree/build/dev/bin/perfcheck}
there perfcheck "$perfcheck"
worker=${given[worker]:-}
if [[ -z $worker ]]; then
  worker=$tree/build/dev/bin/$(worker_of cuda)
  there worker "$worker"
  worker=$(quoted "$worker")
fi
energy=${given[energy]:-}
[[ -z $energy ]] || there energy "$energy" perfcheck_energy
arguments=(--config "$(absolute "${given[config]:-$tree/perfcheck.toml}")" --backend cuda
  --suite "${given[suite]:-ladder}")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Removes old files, so that they are not taken for this measurement's.
mkdir -p "$out/counters"
rm -f "$out/ladder.json" "$out"/energy*.json "$out"/counters/*.{csv,log}
code=0
"$perfcheck" run "${arguments[@]}" --worker "$worker" --out "$out/ladder.json" "${further[@]}" || code=$?
((code == 0)) || { say "perfcheck run ended with code $code: no ladder"; exit "$code"; }
mapfile -t launched < <(launched "$out/ladder.json")
((${#launched[@]})) || die "$out/ladder.json names no function that was launched; was it measured on a GPU?"

if ! ncu=$(PATH=$PATH:/usr/local/cuda/bin command -v ncu); then
  say "no counters: ncu is not there; it comes with NVIDIA's CUDA toolkit (its package cuda-nsight-compute-13-0)"
else
  add_known_metrics
  for one in "${launched[@]}"; do
    kernel=${one%%@*}
    say "counters of $kernel"
    count "$kernel" "${one#* }"
    [[ -n $why ]] || continue
    say "no counters of $kernel: $why"
    if [[ $why == *ERR_NVGPUCTRPERM* ]]; then
      say "no counters of any: the driver keeps them from this user. root may read them, and everybody does after" \
        "'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in /etc/modprobe.d and a restart"
      break
    fi
  done
fi
[[ -z $energy ]] || measure_energy
say "in $out; make the tables of it with ci/ladder.py $out"
