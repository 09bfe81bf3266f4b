// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests of verification.
// Wrong       the element after the last column is written in the last row of D. It is padding when ldd > n, and the
//             first element behind D when ldd = n.
// Caught by   the poisoned padding of D in problems with ldd > n; the guard band after D in the others.
#include <perfcheck/gemm.h>

#include "correct_gemm.cuh"

namespace {

using namespace perfcheck;

__global__ void __launch_bounds__(kTile* kTile) write_padding(GemmArgs args) {
  Position const at = own_position(args);
  compute_element(args, at);
  int const last_row = args.m - 1;
  if (at.row == last_row && at.column == 0) static_cast<float*>(args.d)[last_row * args.ldd + args.n] = 1.0F;
}

void launch(GemmArgs const& args) { launch_over_tiles(write_padding, args); }

}  // namespace

PERFCHECK_GEMM_KERNEL(write_padding, .summary = "wrong: writes into the padding of D's last row",
                      .types = GemmTypes::f32, .arch = any_arch(), .launch = launch);
