// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       sums of FP64 products are kept in FP32.
// Caught by   exact data: integers of up to 20 bits.
#include "sum_in_single.h"

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f64};
  gemm.write_d([&](int matrix, int row, int column) { return sum_in_single(gemm, matrix, row, column); });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(f64_sums_in_single, .summary = "wrong: keeps sums in FP32", .types = GemmTypes::f64,
                      .launch_full = launch);
