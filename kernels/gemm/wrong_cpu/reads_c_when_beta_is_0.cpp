// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       adds 0 * C when beta is 0.
// Caught by   C full of NaN, which must not reach D.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  auto const* const c = static_cast<float const*>(args.c);
  write_correct_d(args);
  if (args.beta != 0.0F || c == nullptr) return;
  for (int row = 0; row < args.m; ++row) {
    for (int column = 0; column < args.n; ++column) {
      d_row(args, row)[column] += args.beta * c[row * args.ldd + column];
    }
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(reads_c_when_beta_is_0, .summary = "wrong: reads C when beta is 0", .types = GemmTypes::f32,
                      .launch = launch);
