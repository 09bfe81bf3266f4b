// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the middle row of D is NaN.
// Caught by   any data.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

#include <cmath>

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  write_correct_d(args);
  std::fill_n(d_row(args, args.m / 2), args.n, NAN);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(nan_row, .summary = "wrong: fills a row with NaN", .types = GemmTypes::f32, .launch = launch);
