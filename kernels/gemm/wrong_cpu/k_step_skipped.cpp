// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       the last step of k is left out.
// Caught by   exact data, where a missing product gives another integer.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

void launch(GemmArgs const& args) {
  write_d(args, [&](int row, int column) { return sum_of_products(args, row, column, 0, args.k - 1); });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(k_step_skipped, .summary = "wrong: leaves out the last step of k", .types = GemmTypes::f32,
                      .launch = launch);
