#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/ladder.py: tables of made-up measurements, compared with figures computed by hand, and no table from wrong input.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"

# A README with two steps, a run of 2 GFLOP on a device whose peak is 2.5 TFLOP/s, and counters of the steps.
made_up() {
  mkdir -p out/counters
  printf '%s\n' '# Ladder' 'Before.' '<!-- ladder: begin -->' 'old' '<!-- ladder: end -->' 'After.' '### 1. `naive`' \
    '```' '### 9. `in_a_listing`' '```' '### 2. `blocked`: tiles' > README.md
  python3 - <<'PYTHON'
import json

def case(name, times, references, clocks, grid, block, occupancy, function):
    launch = {"function": function, "grid": grid, "block": block, "registers": 40, "shared_bytes": 0, "local_bytes": 0,
              "blocks_per_sm": 2, "occupancy": occupancy}
    return {"id": f"gemm/{name}@f32,nn,m1000n1000k1000", "status": "measured", "arithmetic": "f32", "launches": [launch],
            "reference": "gemm/library/cublas_f32@f32,nn,m1000n1000k1000", "work": {"flop": 2e9, "bytes": 12e6},
            "rounds": {"launches": 1, "reference_launches": 1, "time_ns": times, "reference_time_ns": references,
                       "clock_mhz": clocks}}

cases = [
    case("library/cublas_f32", [1.0e6, 1.0e6], [1.0e6, 1.1e6], [1980, 1980], [8, 8, 1], [256, 1, 1], 0.125, "gemm_nn<4>"),
    case("simt/blocked", [1.25e6] * 3, [1.0e6] * 3, [1980] * 3, [64, 1, 1], [128, 1, 1], 0.5,
         "blocked<(anonymous namespace)::Tiling<4, 2>, true>"),
    case("simt/naive", [4e6, 5e6, 6e6], [1e6, 1e6, 3e6], [1500, 1980, 1979], [1024, 1, 1], [32, 32, 1], 1, "naive"),
]
session = {"id": "s1", "started": "2026-01-02T03:04:05Z", "cases": cases,
           "device": {"name": "Made-up GPU", "peak_tflops": {"f32": 2.5}},
           "environment": {"driver": "580.1", "cuda_runtime": "13.0", "libraries": {"cuBLAS": "13.1.0"}}}
run = {"schema": "perfcheck.run/2", "sessions": [session], "injected": [],
       "kernels": [{"id": "gemm/library/cublas_f32", "library": "cuBLAS"}, {"id": "gemm/simt/naive"}]}
with open("out/ladder.json", "w", encoding="utf-8") as file:
    json.dump(run, file)
PYTHON
  counters blocked 'void <unnamed>::blocked<<unnamed>::Tiling<4, 2>, 1>(GemmArgs)' '(128, 1, 1)' '(64, 1, 1)' 12.34 2,000
  counters naive '<unnamed>::naive(GemmArgs)' '(32, 32, 1)' '(1024, 1, 1)' n/a 0
}
# counters KERNEL FUNCTION BLOCK GRID DRAM WAVEFRONTS: 400 of the wavefronts are conflicts, and 80 % of a million
# instructions are FFMA. With $tensor, the tensor pipe is that busy, and warps wait for barriers and global memory.
counters() {
  local peak=avg.pct_of_peak_sustained bank=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op
  local wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared
  local names=("dram__throughput.${peak}_elapsed" "lts__throughput.${peak}_elapsed" "$wavefronts.${peak}_elapsed"
    "sm__inst_issued.${peak}_active" "sm__warps_active.${peak}_active" smsp__inst_executed.sum
    smsp__sass_thread_inst_executed_op_ffma_pred_on.sum "$wavefronts.sum" "${bank}_ld.sum" "${bank}_st.sum")
  local stalled=smsp__average_warps_issue_stalled more=()
  if [[ -n ${tensor:-} ]]; then
    names+=("sm__pipe_tensor_cycles_active.${peak}_active" "${stalled}_barrier_per_issue_active.ratio"
      "${stalled}_long_scoreboard_per_issue_active.ratio")
    more=("$tensor" 2.5 0.75)
  fi
  {
    printf '==PROF== Connected to process 7 (/bin/worker)\n"ID","Kernel Name","Block Size","Grid Size"'
    printf ',"%s"' "${names[@]}"
    printf '\n"","","",""'
    printf ',"%s"' % % % % % inst inst '' '' '' ${tensor:+%} ${tensor:+''} ${tensor:+''}
    printf '\n"0","%s","%s","%s"' "$2" "$3" "$4"
    printf ',"%s"' "$5" 20 75.5 98.76 24.96 1,000,000 25,600,000 "$6" 300 100 "${more[@]}"
    printf '\n==PROF== Disconnected from process 7\n'
  } > "out/counters/$1.csv"
}
# alter STATEMENT...: changes the run; case(NAME) is one of its cases.
alter() {
  python3 - "$@" <<'PYTHON'
import json, sys
with open("out/ladder.json", encoding="utf-8") as file:
    run = json.load(file)
session = run["sessions"][0]
def case(name):
    return next(one for one in session["cases"] if f"/{name}@" in one["id"])
for statement in sys.argv[1:]:
    exec(statement)
with open("out/ladder.json", "w", encoding="utf-8") as file:
    json.dump(run, file)
PYTHON
}
ladder() { python3 "$repository/ci/ladder.py" --readme README.md "$@" out; }
# refused WHAT...: expects no table, and a message that names each WHAT.
refused() {
  cp README.md README.before
  expect 2 ladder
  local what
  for what in "$@"; do said "$what"; done
  unsaid Traceback
  cmp -s README.md README.before || fail 'a README was written'
}

test_the_tables_have_the_figures_that_the_measurements_imply() {
  made_up
  expect 0 ladder
  cat > expected <<'EXPECTED'
# Ladder
Before.
<!-- ladder: begin -->
<!-- written by ci/ladder.py -->
`f32,nn,m1000n1000k1000`, Made-up GPU, driver 580.1, CUDA 13.0, cuBLAS 13.1.0, 2026-01-02:

| step | kernel | time | TFLOP/s | of cuBLAS | times `naive` | of peak | clock |
|---:|---|---:|---:|---:|---:|---:|---:|
| 1 | `naive` | 5.000 ms | 0.4000 | 25.0 % | 1.000 | 16.0 % | 1979 MHz |
| 2 | `blocked` | 1.250 ms | 1.600 | 80.0 % | 4.000 | 64.0 % | 1980 MHz |
| | cuBLAS | 1.000 ms | 2.000 | | 5.000 | 80.0 % | 1980 MHz |

Counters of one launch, in percent of what the device can do; FFMA in percent of the instructions, bank conflicts of the
accesses to shared memory, occupancy as measured (without counters: what the launch allows).

| step | kernel | registers | occupancy | DRAM | L2 | shared memory | issue slots | FFMA | bank conflicts |
|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|
| 1 | `naive` | 40 | 25.0 % | | 20.0 % | 75.5 % | 98.8 % | 80.0 % | - |
| 2 | `blocked` | 40 | 25.0 % | 12.3 % | 20.0 % | 75.5 % | 98.8 % | 80.0 % | 20.0 % |
| | cuBLAS | 40 | 12.5 % | | | | | | |
<!-- ladder: end -->
After.
EXPECTED
  diff expected <(head -n "$(wc -l < expected)" README.md) || fail 'see above'
  has README.md '### 2. `blocked`: tiles'
}
test_check_finds_a_stale_table_and_writes_nothing() {
  made_up
  cp README.md before
  expect 1 ladder --check
  said 'the tables are not those of out'
  cmp README.md before || fail 'written'
  expect 0 ladder
  expect 0 ladder --check
  sed -i 's/| 1.250 ms |/| 1.251 ms |/' README.md
  expect 1 ladder --check
}
test_without_counters_their_columns_are_empty() {
  made_up
  rm -r out/counters
  expect 0 ladder
  has README.md 'No counters were read'
  has README.md '| 2 | `blocked` | 40 | 50.0 % | | | | | | |'
}
test_without_clocks_that_column_is_empty() {
  made_up
  alter 'del case("naive")["rounds"]["clock_mhz"]'
  expect 0 ladder
  has README.md '| 1 | `naive` | 5.000 ms | 0.4000 | 25.0 % | 1.000 | 16.0 % | |'
}
test_a_readme_without_markers_is_refused() {
  made_up
  sed -i '/ladder: end/d' README.md
  refused 'README.md: has 0 of <!-- ladder: end -->' 'on lines of their own'
  made_up
  sed -i 's/^old$/<!-- ladder: begin -->/' README.md
  refused 'has 2 of <!-- ladder: begin -->'
  made_up
  sed -i -e 's/begin -->/x/' -e 's/end -->/begin -->/' -e 's/: x$/: end -->/' README.md
  refused 'stands before'
}
test_steps_and_measurements_must_be_the_same() {
  made_up
  sed -i '/blocked/d' README.md
  refused 'blocked was measured, but is no step' '### 2. `blocked`'
  made_up
  printf '### 3. `padded`\n' >> README.md
  refused 'step 3, padded, was not measured'
  made_up
  printf '### 3. `naive`\n' >> README.md
  refused 'two headings are of naive'
  made_up
  printf '### 2. `padded`\n' >> README.md
  refused 'step 2, padded, follows step 2'
  made_up
  sed -i '/^###/d' README.md
  refused 'has no step'
}
test_what_the_suite_leaves_out_is_no_step() {
  made_up
  alter 'session["cases"].append({"id": "gemm/simt/small@f32,nn,m1000n1000k1000", "status": "skipped"})' \
    'case("small").update(skip_reason="suite_rule", message="too large")'
  expect 0 ladder
  lacks README.md small
  printf '### 3. `small`\n' >> README.md
  refused 'step 3, small, was not measured: too large'
}
test_a_case_that_is_not_measured_is_refused() {
  made_up
  alter 'case("blocked").update(status="incorrect", message="element 3 is wrong")'
  refused 'gemm/simt/blocked@f32,nn,m1000n1000k1000: incorrect, not measured (element 3 is wrong)'
  made_up
  alter 'case("blocked").update(status="skipped", skip_reason="architecture", message="needs sm_90a")'
  refused 'skipped, not measured (needs sm_90a)'
  made_up
  alter 'case("naive")["unfit"] = ["busy"]'
  refused 'gemm/simt/naive' 'not fit'
  made_up
  alter 'run["injected"] = ["*=3"]'
  refused '--inject-slowdown'
}
test_rounds_must_be_numbers_and_complete() {
  local bad
  for bad in 'float("nan")' 'float("inf")' 0 -1 '"5"' True None; do
    made_up
    alter "case('naive')['rounds']['time_ns'][1] = $bad"
    refused out/ladder.json 'measure again with ci/ladder.sh'
  done
  for bad in 'del case("naive")["rounds"]' 'del case("naive")["rounds"]["reference_time_ns"]' 'case("naive")["rounds"]["time_ns"] = []' \
    'case("naive")["rounds"]["time_ns"] = 5' 'case("naive")["rounds"]["time_ns"].pop()' 'case("naive")["rounds"]["clock_mhz"].pop()'; do
    made_up
    alter "$bad"
    refused out/ladder.json rounds
  done
}
test_a_run_that_is_no_ladder_is_refused() {
  made_up
  alter 'case("naive")["id"] = "gemm/simt/naive@f32,nt,m1000n1000k1000"'
  refused 'holds 2 problems'
  made_up
  alter 'session["cases"].append(dict(case("naive")))'
  refused 'simt/naive is there twice'
  made_up
  alter 'session["cases"].append(dict(case("naive"), id="gemm/simt/naive:2@f32,nn,m1000n1000k1000"))'
  refused 'step 1, naive, stands for simt/naive and simt/naive:2'
  made_up
  alter 'session["cases"].remove(case("cublas_f32"))'
  refused 'one reference, itself measured'
  made_up
  alter 'case("naive")["reference"] = case("naive")["id"]'
  refused 'one reference, itself measured'
  made_up
  alter 'run["sessions"].append(session)'
  refused 'one session'
  made_up
  alter 'del session["environment"]["driver"]'
  refused 'environment.driver is missing'
  made_up
  alter 'session["cases"] = []'
  refused 'holds 0 problems'
  made_up
  printf '{"schema": "perfcheck.run/1", "sess' > out/ladder.json
  refused 'is no JSON'
  printf '[]' > out/ladder.json
  refused 'is no run file of perfcheck'
  rm out/ladder.json
  refused 'out/ladder.json: No such file'
}
test_counters_of_another_launch_are_refused() {
  made_up
  counters naive 'naive(GemmArgs)' '(32, 32, 1)' '(1023, 1, 1)' 1 0
  refused out/counters/naive.csv '[1023, 1, 1]' '[1024, 1, 1]'
  made_up
  counters naive 'naive_product(GemmArgs)' '(32, 32, 1)' '(1024, 1, 1)' 1 0
  refused naive_product
  made_up
  mv out/counters/naive.csv out/counters/padded.csv
  refused 'the run measured no kernel padded'
}
test_counters_that_are_no_numbers_are_refused() {
  local bad
  for bad in nan inf -1 '' many; do
    made_up
    counters naive naive '(32, 32, 1)' '(1024, 1, 1)' "$bad" 0
    refused out/counters/naive.csv dram__throughput 'no finite number'
  done
  made_up
  sed -i 's/"inst","inst"/"Kinst","inst"/' out/counters/naive.csv
  refused out/counters/naive.csv "'Kinst'" '--print-units base'
  made_up
  sed -i 's/sm__warps_active/sm__other/' out/counters/naive.csv
  refused 'no column sm__warps_active'
  made_up
  sed -i '/^"0"/p' out/counters/naive.csv
  refused 'counters of one launch, but has 2'
  sed -i '/^"/d' out/counters/naive.csv
  refused 'counters of one launch, but has 0'
}
test_a_wrong_option_is_64() {
  expect 64 ladder --chekc
  expect 64 python3 "$repository/ci/ladder.py"
}

# A README with tables of FP16 and INT8 and three steps, and a run of both types, with cuBLAS's best for FP16. INT8 has no
# `swizzled`, and `padded` is in two folders.
made_up_of_types() {
  mkdir -p out/counters
  printf '%s\n' '# Ladder' '<!-- ladder: begin f16.f32 -->' '<!-- ladder: end f16.f32 -->' 'Between.' \
    '<!-- ladder: begin s8.s32 -->' '<!-- ladder: end s8.s32 -->' '### 1. `simt/naive`' '### 2. `padded`' '### 3. `swizzled`' \
    '### 4. `fastest`' > README.md
  python3 - <<'PYTHON'
import json

def cases_of(types, suffix, arithmetic, times):
    problem, cases = f"{types},nt,m1000n1000k1000", []
    for name, time in times.items():
        launch = {"function": name.split("/")[1], "grid": [8, 1, 1], "block": [128, 1, 1], "registers": 99, "shared_bytes": 0,
                  "local_bytes": 0, "blocks_per_sm": 2, "occupancy": 0.25}
        cases.append({"id": f"gemm/{name}@{problem}", "status": "measured", "arithmetic": arithmetic, "launches": [launch],
                      "reference": f"gemm/cublas/{suffix}@{problem}", "work": {"flop": 2e9, "bytes": 6e6},
                      "rounds": {"launches": 1, "reference_launches": 1, "time_ns": [time, time], "clock_mhz": [1980, 1980],
                                 "reference_time_ns": [times[f"cublas/{suffix}"]] * 2}})
    return cases

cases = cases_of("f16.f32", "f16", "f16", {"cublas/f16": 4000, "cublas/f16_best": 3200, "simt/naive_f16": 1e6,
                                           "wmma/padded_f16": 16000, "wmma/swizzled_f16": 10000, "fastest/f16": 8000})
cases += cases_of("s8.s32", "s8", "i8", {"cublas/s8": 2000, "simt/naive_s8": 5e5, "wmma/padded_s8": 4000})
skipped = {"id": "gemm/wmma/swizzled_s8@s8.s32,nt,m1000n1000k1000", "status": "skipped", "skip_reason": "refused",
           "message": "takes FP16 only"}
best = {"id": "gemm/cublas/s8_best@s8.s32,nt,m1000n1000k1000", "status": "skipped", "skip_reason": "refused",
        "message": "was not tuned"}
session = {"id": "s1", "started": "2026-01-02T03:04:05Z", "cases": cases + [skipped, best],
           "device": {"name": "Made-up GPU", "peak_tflops": {"f16": 1000, "i8": 2000}},
           "environment": {"driver": "580.1", "cuda_runtime": "13.0", "libraries": {"cuBLAS": "13.1.0"}}}
kernels = [{"id": f"gemm/cublas/{name}", "library": "cuBLAS"} for name in ("f16", "f16_best", "s8", "s8_best")]
with open("out/ladder.json", "w", encoding="utf-8") as file:
    json.dump({"schema": "perfcheck.run/4", "sessions": [session], "injected": [], "kernels": kernels}, file)
PYTHON
  tensor=50 counters wmma.padded_f16 padded_f16 '(128, 1, 1)' '(8, 1, 1)' 10 1000
  tensor=n/a counters cublas.f16 f16 '(128, 1, 1)' '(8, 1, 1)' 10 1000
}

test_types_have_a_table_each_and_an_idea_one_heading() {
  made_up_of_types
  expect 0 ladder
  cat > expected <<'EXPECTED'
# Ladder
<!-- ladder: begin f16.f32 -->
<!-- written by ci/ladder.py -->
`f16.f32,nt,m1000n1000k1000`, Made-up GPU, driver 580.1, CUDA 13.0, cuBLAS 13.1.0, 2026-01-02:

| step | kernel | time | TFLOP/s | of cuBLAS | of best | times `simt/naive` | of peak | clock |
|---:|---|---:|---:|---:|---:|---:|---:|---:|
| 1 | `simt/naive` | 1.000 ms | 2.000 | 0.4 % | 0.3 % | 1.000 | 0.2 % | 1980 MHz |
| 2 | `padded` | 16.00 us | 125.0 | 25.0 % | 20.0 % | 62.50 | 12.5 % | 1980 MHz |
| 3 | `swizzled` | 10.00 us | 200.0 | 40.0 % | 32.0 % | 100.0 | 20.0 % | 1980 MHz |
| 4 | `fastest` | 8.000 us | 250.0 | 50.0 % | 40.0 % | 125.0 | 25.0 % | 1980 MHz |
| | cuBLAS | 4.000 us | 500.0 | | 80.0 % | 250.0 | 50.0 % | 1980 MHz |
| | cuBLAS, best | 3.200 us | 625.0 | 125.0 % | | 312.5 | 62.5 % | 1980 MHz |

Counters of one launch, in percent of what the device can do; bank conflicts of the accesses to shared memory, occupancy
as measured (without counters: what the launch allows). The longest wait is what keeps warps from issuing most, and the
cycles that it costs per instruction.

| step | kernel | registers | occupancy | DRAM | L2 | shared memory | issue slots | tensor pipe | bank conflicts | longest wait |
|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| 1 | `simt/naive` | 99 | 25.0 % | | | | | | | |
| 2 | `padded` | 99 | 25.0 % | 10.0 % | 20.0 % | 75.5 % | 98.8 % | 50.0 % | 40.0 % | barrier 2.5 |
| 3 | `swizzled` | 99 | 25.0 % | | | | | | | |
| 4 | `fastest` | 99 | 25.0 % | | | | | | | |
| | cuBLAS | 99 | 25.0 % | 10.0 % | 20.0 % | 75.5 % | 98.8 % | | 40.0 % | barrier 2.5 |
| | cuBLAS, best | 99 | 25.0 % | | | | | | | |
<!-- ladder: end f16.f32 -->
Between.
<!-- ladder: begin s8.s32 -->
<!-- written by ci/ladder.py -->
`s8.s32,nt,m1000n1000k1000`, Made-up GPU, driver 580.1, CUDA 13.0, cuBLAS 13.1.0, 2026-01-02:

| step | kernel | time | TFLOP/s | of cuBLAS | times `simt/naive` | of peak | clock |
|---:|---|---:|---:|---:|---:|---:|---:|
| 1 | `simt/naive` | 500.0 us | 4.000 | 0.4 % | 1.000 | 0.2 % | 1980 MHz |
| 2 | `padded` | 4.000 us | 500.0 | 50.0 % | 125.0 | 25.0 % | 1980 MHz |
| | cuBLAS | 2.000 us | 1000 | | 250.0 | 50.0 % | 1980 MHz |

Left out: `swizzled` (takes FP16 only).

No counters were read; occupancy is what the launch allows.
EXPECTED
  diff expected <(head -n "$(wc -l < expected)" README.md) || fail 'see above'
  expect 0 ladder --check
}
test_a_kernel_of_two_folders_is_named_with_its_folder() {
  made_up_of_types
  alter 'session["cases"].append(dict(case("padded_f16"), id=case("padded_f16")["id"].replace("wmma", "mma")))'
  refused 'step 2, padded, stands for wmma/padded_f16 and mma/padded_f16' '### 2. `wmma/padded_f16`'
  sed -i 's/`padded`/`wmma\/padded`/' README.md
  refused 'padded_f16 was measured, but is no step'
  printf '### 5. `mma/padded`\n' >> README.md
  expect 0 ladder
  has README.md '| 5 | `mma/padded` | 16.00 us |'
}
test_a_heading_stands_for_its_types_alone() {
  made_up_of_types
  alter 'case("swizzled_f16").update(id=case("swizzled_f16")["id"].replace("swizzled_f16", "swizzled_twice_f16"))'
  refused 'step 3, swizzled, was not measured: takes FP16 only'
  sed -i 's/`swizzled`/`swizzled_twice`/' README.md
  expect 0 ladder
}
test_a_heading_with_types_takes_its_kernel_from_the_idea() {
  made_up_of_types
  printf '### 5. `padded_s8`\n' >> README.md
  expect 0 ladder
  has README.md '| 5 | `padded_s8` | 4.000 us |'
  has README.md '| 2 | `padded` | 16.00 us |'
  ! grep -q '| 2 | `padded` | 4.000 us' README.md || fail 'padded has it as well'
}
test_folders_of_other_types_are_taken_together() {
  made_up_of_types
  mkdir other
  cp out/ladder.json other
  alter 'session["cases"] = [one for one in session["cases"] if "@f16" in one["id"]]'
  mv out first
  mv other out
  alter 'session["cases"] = [one for one in session["cases"] if "@s8" in one["id"]]'
  expect 0 python3 "$repository/ci/ladder.py" --readme README.md first out
  has README.md '| 3 | `swizzled` | 10.00 us |'
  has README.md '| 2 | `padded` | 4.000 us |'
  expect 2 python3 "$repository/ci/ladder.py" --readme README.md first out first
  said 'first: measured f16.f32, as another folder did'
}
test_a_heading_may_name_a_point_of_a_space() {
  made_up
  alter 'session["cases"].append(dict(case("blocked"), id="gemm/simt/blocked:3-stages@f32,nn,m1000n1000k1000"))' \
    'case("blocked")["id"] = "gemm/simt/blocked:as-it-is@f32,nn,m1000n1000k1000"'
  mv out/counters/blocked.csv out/counters/simt.blocked:3-stages.csv
  sed -i 's/^### 2.*/### 2. `blocked:as-it-is`\n### 3. `blocked:3-stages`/' README.md
  expect 0 ladder
  has README.md '| 2 | `blocked:as-it-is` | 1.250 ms |'
  has README.md '| 2 | `blocked:as-it-is` | 40 | 50.0 % |'
  has README.md '| 3 | `blocked:3-stages` | 40 | 25.0 % |'
  sed -i '/^### 3/d' README.md
  refused 'blocked:3-stages was measured, but is no step'
}
test_tables_and_types_must_be_the_same() {
  made_up_of_types
  sed -i '/s8.s32/d' README.md
  refused 'has 0 of <!-- ladder: begin s8.s32 -->'
  made_up_of_types
  sed -i 's/s8.s32/bf16.f32/' README.md
  refused 'has a table of bf16.f32, which was not measured; measured were f16.f32, s8.s32'
  made_up_of_types
  sed -i -e 's/ f16.f32 -->/ -->/' -e '/s8.s32/d' README.md
  refused 'has 0 of <!-- ladder: begin f16.f32 -->'
}
test_two_bests_or_counters_of_two_kernels_are_refused() {
  made_up_of_types
  alter 'session["cases"].append(dict(case("f16_best"), id=case("f16_best")["id"].replace("f16_best", "all_best")))' \
    'run["kernels"].append({"id": "gemm/cublas/all_best", "library": "cuBLAS"})'
  refused 'both claim to be the best of cuBLAS'
  made_up_of_types
  mv out/counters/cublas.f16.csv out/counters/f16.csv
  refused 'out/counters/f16.csv: may be of'
}
run_wanted
