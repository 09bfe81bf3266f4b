#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/ladder.py with the joules of perfcheck_energy: columns of made-up blocks, and no table from wrong ones.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"

# A README with two steps, their run beside cuBLAS, and two pairs of blocks of each.
made_up() {
  mkdir -p out
  rm -f out/energy*.json
  printf '%s\n' '# Ladder' '<!-- ladder: begin -->' '<!-- ladder: end -->' '### 1. `naive`' '### 2. `ring`' > README.md
  python3 - <<'PYTHON'
import json

problem = "f16.f32,nt,m64n64k64"

def case(name, time):
    return {"id": f"gemm/{name}@{problem}", "status": "measured", "arithmetic": "f16", "work": {"flop": 2e9, "bytes": 6e6},
            "reference": f"gemm/cublas/f16@{problem}",
            "rounds": {"launches": 1, "reference_launches": 1, "time_ns": [time], "reference_time_ns": [4000]}}

session = {"id": "s1", "started": "2026-01-02T03:04:05Z", "device": {"name": "Made-up GPU", "peak_tflops": {"f16": 1000}},
           "environment": {"driver": "580.1", "cuda_runtime": "13.0", "libraries": {"cuBLAS": "13.1.0"}},
           "cases": [case("cublas/f16", 4000), case("cublas/f16_best", 3200), case("simt/naive_f16", 1e6),
                     case("wgmma/ring_f16", 5000)]}
run = {"schema": "perfcheck.run/4", "sessions": [session], "injected": [],
       "kernels": [{"id": "gemm/cublas/f16", "library": "cuBLAS"}, {"id": "gemm/cublas/f16_best", "library": "cuBLAS"}]}
with open("out/ladder.json", "w", encoding="utf-8") as file:
    json.dump(run, file)

def blocks(joules):
    return {"joules": joules, "watts": [700] * len(joules), "time_ns": [4000] * len(joules)}

def energy(kernel, own, reference):
    return {"kernel": f"gemm/{kernel}", "reference": "gemm/cublas/f16", "problem": problem, "of_kernel": blocks(own),
            "of_reference": blocks(reference)}

cases = [energy("wgmma/ring_f16", [0.9, 1.1, 2.5], [1, 1, 5]), energy("simt/naive_f16", [30, 30, 30], [1.5, 2, 2])]
with open("out/energy.json", "w", encoding="utf-8") as file:
    json.dump({"schema": "perfcheck.energy/1", "started": "2026-01-02T03:04:05Z", "device": "Made-up GPU",
               "block_seconds": 5, "cases": cases}, file)
PYTHON
}
# alter STATEMENT...: changes the blocks.
alter() {
  python3 - "$@" <<'PYTHON'
import json, sys
with open("out/energy.json", encoding="utf-8") as file:
    energy = json.load(file)
ring, naive = energy["cases"]
for statement in sys.argv[1:]:
    exec(statement)
with open("out/energy.json", "w", encoding="utf-8") as file:
    json.dump(energy, file)
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

test_joules_and_their_share_of_the_reference_are_columns() {
  made_up
  expect 0 ladder
  # ring: median 1.1 J; of pairs 90, 110 and 50 %. naive: 20, 15 and 15 times. cuBLAS: the median of six blocks.
  cat > expected <<'EXPECTED'
| step | kernel | time | TFLOP/s | of cuBLAS | of best | times `naive` | of peak | clock | joules | of cuBLAS's |
|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| 1 | `naive` | 1.000 ms | 2.000 | 0.4 % | 0.3 % | 1.000 | 0.2 % | | 30.00 | 1500.0 % |
| 2 | `ring` | 5.000 us | 400.0 | 80.0 % | 64.0 % | 200.0 | 40.0 % | | 1.100 | 90.0 % |
| | cuBLAS | 4.000 us | 500.0 | | 80.0 % | 250.0 | 50.0 % | | 1.750 | |
| | cuBLAS, best | 3.200 us | 625.0 | 125.0 % | | 312.5 | 62.5 % | | | |

Joules of the whole board per launch, back to back, in turns with cuBLAS: percent of what that takes, so less is better.
They depend on the data, here random numbers; times are of launches that rest.
EXPECTED
  diff expected <(sed -n '/^| step | kernel | time/,/rest\.$/p' README.md) || fail 'see above'
  expect 0 ladder --check
}
test_without_a_file_tables_are_as_before() {
  made_up
  expect 0 ladder
  has README.md 'joules'
  rm out/energy.json
  expect 0 ladder
  lacks README.md 'oules'
  has README.md '| 2 | `ring` | 5.000 us | 400.0 | 80.0 % | 64.0 % | 200.0 | 40.0 % | |'
}
test_a_kernel_without_blocks_has_empty_cells() {
  made_up
  alter 'energy["cases"].remove(naive)'
  expect 0 ladder
  has README.md '| 1 | `naive` | 1.000 ms | 2.000 | 0.4 % | 0.3 % | 1.000 | 0.2 % | | | |'
  has README.md '| 2 | `ring` | 5.000 us | 400.0 | 80.0 % | 64.0 % | 200.0 | 40.0 % | | 1.100 | 90.0 % |'
}
test_several_files_are_taken_together() {
  made_up
  cp out/energy.json out/energy-2.json
  refused 'is there twice'
  alter 'energy["cases"].remove(naive)'
  mv out/energy.json out/energy-1.json
  cp out/energy-2.json out/energy.json
  alter 'energy["cases"].remove(ring)'
  rm out/energy-2.json
  expect 0 ladder
  has README.md '30.00 | 1500.0 %'
  has README.md '1.100 | 90.0 %'
}
test_joules_of_something_else_are_refused() {
  made_up
  alter 'energy["device"] = "Another GPU"'
  refused out/energy.json 'is of Another GPU, the run of Made-up GPU'
  made_up
  alter 'ring["problem"] = "f16.f32,nt,m128n64k64"'
  refused 'gemm/wgmma/ring_f16@f16.f32,nt,m128n64k64' 'measured no such case'
  made_up
  alter 'ring["kernel"] = "gemm/wgmma/ring"'
  refused 'measured no such case'
  made_up
  alter 'ring["reference"] = "gemm/cublas/f16_best"'
  refused "beside gemm/cublas/f16_best, not beside the run's reference"
}
test_joules_must_be_numbers_and_pairs() {
  local bad
  for bad in 'float("nan")' 'float("inf")' 0 -1 '"5"' True None; do
    made_up
    alter "ring['of_kernel']['joules'][1] = $bad"
    refused out/energy.json 'measure again'
  done
  for bad in 'ring["of_kernel"]["joules"] = []' 'del ring["of_reference"]' 'del ring["of_kernel"]["joules"]'; do
    made_up
    alter "$bad"
    refused gemm/wgmma/ring_f16 of_
  done
  made_up
  alter 'ring["of_kernel"]["joules"].pop()'
  refused 'has 2 blocks and 3 of the reference'
}
test_a_file_of_another_kind_is_refused() {
  made_up
  alter 'energy["schema"] = "perfcheck.energy/2"'
  refused 'is no energy file of perfcheck (schema perfcheck.energy/1)'
  printf '{"schema": "perfcheck.energy/1", ' > out/energy.json
  refused out/energy.json 'is no JSON'
  printf '{"schema": "perfcheck.energy/1"}' > out/energy.json
  refused 'device is missing'
}
run_wanted
