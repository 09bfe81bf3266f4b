// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       one row in the middle of D is NaN.
// Caught by   every comparison that is written so that NaN fails.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) nan_row(GemmArgs args) {
  Position const at = own_position(args);
  if (at.inside && at.row == args.m / 2) {
    store_sum<float>(args, at.row, at.column, __int_as_float(0x7fffffff));
  } else {
    compute_element(args, at);
  }
}

void launch(GemmArgs const& args) { launch_over_tiles(nan_row, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(nan_row, .summary = "wrong: one row of D is NaN", .types = GemmTypes::f32, .arch = any_arch(),
                      .launch = launch);
