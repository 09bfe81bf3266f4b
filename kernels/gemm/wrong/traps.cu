// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       one thread executes a trap, which ends the kernel and makes the context unusable.
// Caught by   the error of the next synchronising call; the worker is lost.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) traps(GemmArgs args) {
  Position const at = own_position(args);
  compute_element(args, at);
  if (at.row == 0 && at.column == 0) __trap();
}

void launch(GemmArgs const& args) { launch_over_tiles(traps, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(traps, .summary = "wrong: executes a trap", .types = GemmTypes::f32, .arch = any_arch(),
                      .launch = launch);
