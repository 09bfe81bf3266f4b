// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       every other launch adds up the products from the last step of k to the first. Each result is within
//             the error bound, and exact data give equal results.
// Caught by   the comparison of repeated runs bit by bit, on real data.
#include <perfcheck/gemm.h>

#include "correct_gemm.h"

namespace {

using namespace perfcheck;

float sum_backwards(GemmArgs const& args, int row, int column) {
  float sum = 0.0F;
  for (int k = args.k - 1; k >= 0; --k) {
    sum += a_element(args, row, k) * b_element(args, k, column);
  }
  return sum;
}

void launch(GemmArgs const& args) {
  static int launches = 0;
  bool const backwards = ++launches % 2 == 0;
  write_d(args, [&](int row, int column) {
    return backwards ? sum_backwards(args, row, column) : sum_of_products(args, row, column, 0, args.k);
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(unstable_result, .summary = "wrong: last bits change from run to run", .types = GemmTypes::f32,
                      .launch = launch);
