// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       in the first tile each sum begins at a step of k that the clock chooses, so the order of its roundings,
//             and with it the last bits of the result, change from run to run. Every result is within the error bound,
//             and exact data give equal results.
// Caught by   the comparison of repeated runs bit by bit, on real data.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) unstable_result(GemmArgs args) {
  Position const at = own_position(args);
  if (!at.inside) return;
  int const first_k = at.in_tile(0, 0) ? static_cast<int>(clock64() % args.k) : 0;
  float const to_end = add_products<float>(0.0F, args, at.row, at.column, first_k, args.k);
  float const sum = add_products<float>(to_end, args, at.row, at.column, 0, first_k);
  store_sum<float>(args, at.row, at.column, sum);
}

void launch(GemmArgs const& args) { launch_over_tiles(unstable_result, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(unstable_result, .summary = "wrong: last bits change from run to run", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
