// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       eight steps of k, in the middle, are left out of the sums of one tile in the middle of D. With k < 8 the
//             sums of that tile are 0.
// Caught by   exact data, and the bound on the error of every element; a norm over the whole of D can miss it.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

constexpr int kSkipped = 8;

__global__ void __launch_bounds__(kTile* kTile) k_step_skipped(GemmArgs args) {
  Position const at = own_position(args);
  if (!at.inside) return;
  bool const in_middle_tile = at.in_tile((args.m - 1) / kTile / 2, (args.n - 1) / kTile / 2);
  int const skip_begin = args.k / kSkipped / 2 * kSkipped;
  int const skip_end = min(skip_begin + (in_middle_tile ? kSkipped : 0), args.k);
  float const before = add_products<float>(0.0F, args, at.row, at.column, 0, skip_begin);
  float const sum = add_products<float>(before, args, at.row, at.column, skip_end, args.k);
  store_sum<float>(args, at.row, at.column, sum);
}

void launch(GemmArgs const& args) { launch_over_tiles(k_step_skipped, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(k_step_skipped, .summary = "wrong: one tile leaves out a step of eight k",
                      .types = GemmTypes::f32, .arch = any_arch(), .launch = launch);
