// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A fault that kernels of several types share: sums are kept in FP32 although the types promise more precision.
#pragma once

#include <perfcheck/cpu_plain_gemm.h>

namespace perfcheck {

inline double sum_in_single(cpu::PlainGemm const& gemm, int matrix, int row, int column) {
  float sum = 0;
  for (int k = 0; k < gemm.args.k; ++k) {
    sum += static_cast<float>(gemm.a(matrix, row, k) * gemm.b(matrix, k, column));
  }
  return static_cast<double>(sum);
}

}  // namespace perfcheck
