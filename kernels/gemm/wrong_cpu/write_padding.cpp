// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       writes into the gaps between the rows of D.
// Caught by   the poison in the gaps.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  write_correct_d(args);
  if (args.ldd == args.n) return;
  for (int row = 0; row + 1 < args.m; ++row) {
    d_row(args, row)[args.n] = 0.0F;
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(write_padding, .summary = "wrong: writes between the rows of D", .types = GemmTypes::f32,
                      .launch = launch);
