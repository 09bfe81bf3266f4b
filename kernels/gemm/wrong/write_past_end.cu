// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       one element is written beyond the last row of D, where a further row would begin.
// Caught by   the guard band after D.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) write_past_end(GemmArgs args) {
  Position const at = own_position(args);
  compute_element(args, at);
  if (at.row == 0 && at.column == 0) static_cast<float*>(args.d)[args.m * args.ldd] = 1.0F;
}

void launch(GemmArgs const& args) { launch_over_tiles(write_past_end, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(write_past_end, .summary = "wrong: writes one element beyond the end of D",
                      .types = GemmTypes::f32, .arch = any_arch(), .launch = launch);
