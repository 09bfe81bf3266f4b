// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       sums of FP64 products are kept in FP32.
// Caught by   exact data: integers of up to 20 bits.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f64};
  gemm.write_d([&](int matrix, int row, int column) {
    float sum = 0;
    for (int k = 0; k < args.k; ++k) {
      sum += static_cast<float>(gemm.a(matrix, row, k) * gemm.b(matrix, k, column));
    }
    return static_cast<double>(sum);
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(f64_sums_in_single, .summary = "wrong: keeps sums in FP32", .types = GemmTypes::f64,
                      .launch_full = launch);
