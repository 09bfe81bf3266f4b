#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/ladder.sh with the real perfcheck, a scripted worker and a fake Nsight Compute.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"

# ci/ladder.sh with a worker that reports the launches of the ladder's kernels, on a backend named cuda.
measured_by() {
  printf '%s\n' "[suites.${suite:-ladder}.cuda]" 'problems = ["f32,nn,m64n64k64"]' > perfcheck.toml
  local kernel launch launches=''
  for kernel in cublas_f32 naive; do
    launch='{"function": "'$kernel'<(anonymous namespace)::T>", "grid": [4, 1, 1], "block": [32, 1, 1], "registers": 40,'
    launch+=' "shared_bytes": 0, "local_bytes": 0, "blocks_per_sm": 1, "occupancy": 1}'
    launches+=" --fault 'result:*/$kernel@*=patch:[{\"op\": \"add\", \"path\": \"/result/launches\", \"value\": [$launch]}]'"
  done
  PATH=$scratch/bin:$PATH expect "$1" bash "$repository/ci/ladder.sh" --out "it's out" --config perfcheck.toml ${suite:+--suite "$suite"} \
    ${energy:+--energy "$energy"} \
    --perfcheck "$TEST_PERFCHECK" --worker "$TEST_WORKER --backend cuda --kernels gemm/library/cublas_f32,gemm/simt/naive \
      --reference gemm/library/cublas_f32${more:-}$launches"
}
# fake_ncu COMMAND...: makes an ncu that runs the worker and then these commands, with the values of its options in
# $file, $kernel and $metrics. The only optional metric that it knows is how busy the tensor pipe is.
fake_ncu() {
  mkdir -p bin
  cat > bin/ncu <<SCRIPT
#!/usr/bin/env bash
[[ \$1 != --query-metrics ]] || { printf '%s  Counter\n' sm__pipe_tensor_cycles_active dram__bytes; exit; }
while [[ \$1 == --* ]]; do
  case \$1 in
    --log-file) file=\$2; shift ;;
    --kernel-name) kernel=\$2; shift ;;
    --metrics) metrics=\$2; shift ;;
    --page | --print-units | --target-processes | --clock-control | --kernel-name-base | --launch-count) shift ;;
  esac
  shift
done
"\$@"
$1
SCRIPT
  chmod +x bin/ncu
}

test_measuring_leaves_a_run_and_counters_of_each_kernel() {
  fake_ncu 'printf "\"ID\",\"x\"\n\"0\",\"%s\"\n" "$kernel" > "$file"'
  measured_by 0
  there "it's out/ladder.json"
  has "it's out/counters/simt.naive.csv" 'regex:^naive$'
  has "it's out/counters/library.cublas_f32.csv" 'regex:^cublas_f32$'
  absent "it's out/counters/simt.naive.log"
}
test_another_suite_is_measured_when_it_is_named() {
  fake_ncu 'printf "\"ID\",\"x\"\n\"0\",\"%s\"\n" "$kernel" > "$file"'
  suite=ladder-mma measured_by 0
  has "it's out/ladder.json" '"suite": "ladder-mma"'
  has "it's out/counters/simt.naive.csv" 'regex:^naive$'
}
test_counters_that_this_ncu_lacks_are_not_asked_for() {
  fake_ncu 'printf "\"ID\",\"x\"\n\"0\",\"%s\"\n" "$metrics" > "$file"'
  measured_by 0
  has "it's out/counters/simt.naive.csv" 'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active'
  has "it's out/counters/simt.naive.csv" 'smsp__average_warps_issue_stalled_wait_per_issue_active.ratio'
  lacks "it's out/counters/simt.naive.csv" sm__inst_executed_pipe_tensor
}
test_an_ncu_that_takes_its_time_is_waited_for() {
  fake_ncu 'sleep 3; printf "\"ID\",\"x\"\n\"0\",\"%s\"\n" "$kernel" > "$file"'
  measured_by 0
  has "it's out/counters/simt.naive.csv" 'regex:^naive$'
  has "it's out/counters/library.cublas_f32.csv" 'regex:^cublas_f32$'
}
test_a_driver_that_refuses_counters_is_named_and_no_failure() {
  mkdir -p "it's out/counters"
  printf 'old\n' > "it's out/counters/simt.naive.csv"
  fake_ncu 'printf "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n" > "$file"; exit 1'
  measured_by 0
  said 'no counters of gemm/library/cublas_f32: ERR_NVGPUCTRPERM'
  said 'no counters of any'
  unsaid 'counters of gemm/simt/naive'
  absent "it's out/counters/simt.naive.csv"
  there "it's out/ladder.json"
}
test_other_reasons_for_no_counters_are_named_kernel_by_kernel() {
  fake_ncu 'printf "==PROF== Connected\n==WARNING== No kernels were profiled.\n" > "$file"'
  measured_by 0
  said 'no counters of gemm/library/cublas_f32: No kernels were profiled.'
  said 'no counters of gemm/simt/naive: No kernels were profiled.'
  absent "it's out/counters/simt.naive.csv"
  fake_ncu ':'
  measured_by 0
  said 'no counters of gemm/simt/naive: ncu wrote no counters'
}
test_a_kernel_that_is_wrong_leaves_no_ladder() {
  fake_ncu ':'
  more=" --fault 'result:*/naive@*=incorrect'" measured_by 2
  said 'no ladder'
}
# A perfcheck_energy that keeps what it was asked in $scratch/asked, and ends with a code.
fake_energy() {
  mkdir -p bin
  printf '#!/usr/bin/env bash\nprintf "%%s\\n" "$@" > "%s/asked"\nprintf "{}\\n" > "$2"\nexit %s\n' "$scratch" "$1" > bin/energy
  chmod +x bin/energy
}
test_joules_are_measured_of_what_was_launched_when_asked_for() {
  fake_ncu ':'
  measured_by 0
  absent "it's out/energy.json"
  fake_energy 0
  energy=$scratch/bin/energy measured_by 0
  there "it's out/energy.json"
  printf '%s\n' --out "$scratch/it's out/energy.json" gemm/library/cublas_f32,gemm/simt/naive f32,nn,m64n64k64 > expected
  diff expected asked || fail 'see above'
}
test_a_device_that_counts_no_joules_is_no_failure_and_a_block_that_failed_is() {
  fake_ncu ':'
  fake_energy 3
  energy=$scratch/bin/energy measured_by 0
  fake_energy 2
  energy=$scratch/bin/energy measured_by 2
  said 'joules are lacking'
  energy=./nowhere measured_by 2
  said 'build it with ci/build.sh -p dev perfcheck_energy'
}
test_joules_of_an_earlier_ladder_are_removed() {
  fake_ncu ':'
  mkdir -p "it's out"
  printf 'old\n' > "it's out/energy.json"
  measured_by 0
  absent "it's out/energy.json"
}
test_programs_that_are_not_there_are_named() {
  expect 2 bash "$repository/ci/ladder.sh" --out out --perfcheck ./nowhere
  said './nowhere is not there'
  expect 64 bash "$repository/ci/ladder.sh" --perfcheck ./nowhere
  expect 64 bash "$repository/ci/ladder.sh" --out out -- --out other
}
run_wanted
