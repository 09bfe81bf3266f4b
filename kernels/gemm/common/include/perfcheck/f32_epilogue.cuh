// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a tiled GEMM whose threads hold quads of neighbouring FP32 sums in registers.
#pragma once

#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>

namespace perfcheck {

/// Writes alpha * sum + beta * C to columns `column` to `column + 3` of a row, leaving out columns past the last one.
/// `row` must lie inside D and `column` must be a multiple of 4. Where the leading dimension keeps quads aligned to
/// their size, a whole quad is one store.
template <class T = float>
__device__ __forceinline__ void store_quad(GemmArgs const& args, int row, int column, float const* sum) {
  int const columns_left = args.n - column;
  if (columns_left >= 4 && args.ldd % 4 == 0) {
    store_elements<T, 4>(args, row, column, sum);
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i < columns_left) store_elements<T, 1>(args, row, column + i, sum + i);
  }
}

}  // namespace perfcheck
