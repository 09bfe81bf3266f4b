// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose, for tests.
// Wrong       FP64 inputs are rounded to FP32.
// Caught by   real data; integers of up to 20 bits are FP32 numbers.
#include <perfcheck/cpu_plain_gemm.h>

namespace {

using namespace perfcheck;

void launch(GemmFullArgs const& args) {
  cpu::PlainGemm const gemm{args, GemmTypes::f64};
  gemm.write_d([&](int matrix, int row, int column) {
    double sum = 0;
    for (int k = 0; k < args.k; ++k) {
      sum += cpu::rounded(Element::f32, gemm.a(matrix, row, k)) * cpu::rounded(Element::f32, gemm.b(matrix, k, column));
    }
    return sum;
  });
}

}  // namespace

PERFCHECK_GEMM_KERNEL(f64_inputs_in_single, .summary = "wrong: rounds inputs to FP32", .types = GemmTypes::f64,
                      .launch_full = launch);
