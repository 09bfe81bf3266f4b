// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       sums of INT8 products are kept in FP32, which rounds them above 2^24.
// Caught by   large integers of one sign. Other sums stay below 2^24, since their terms cancel.
#include "sum_in_single.h"

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::s8_s32};
  gemm.write_d([&](int matrix, int row, int column) { return sum_in_single(gemm, matrix, row, column); });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(s8_sum_in_single, .summary = "wrong: keeps sums in FP32", .types = GemmTypes::s8_s32,
                      .launch_full = launch);
