// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       one thread sleeps for ever once D is computed.
// Caught by   the time limit of a case; the worker is lost.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) never_returns(GemmArgs args) {
  Position const at = own_position(args);
  compute_element(args, at);
  if (at.row == 0 && at.column == 0) {
    for (;;) __nanosleep(1'000'000);  // the compiler sees a side effect, so it keeps the loop
  }
}

void launch(GemmArgs const& args) { launch_over_tiles(never_returns, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(never_returns, .summary = "wrong: never returns", .types = GemmTypes::f32, .arch = any_arch(),
                      .launch = launch);
