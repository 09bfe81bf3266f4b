// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       sums of INT8 products saturate at 16 bits, as those of some instructions do.
// Caught by   exact data: any integers.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::s8_s32};
  gemm.write_d([&](int matrix, int row, int column) {
    double sum = 0;
    for (int k = 0; k < args.k; ++k) {
      sum = std::clamp(sum + gemm.a(matrix, row, k) * gemm.b(matrix, k, column), -32768.0, 32767.0);
    }
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(s8_sum_saturates, .summary = "wrong: sums saturate at 16 bits", .types = GemmTypes::s8_s32,
                      .launch_full = launch);
