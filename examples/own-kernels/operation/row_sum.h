// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation row_sum as the author of a kernel sees it: sums[r] = x[r][0] + ... + x[r][columns - 1], in FP32.
// A kernel file includes this and nothing else of the operation, and ends with ROW_SUM_KERNEL(...).
#pragma once

#include <perfcheck/operation_kernel.h>

#include <cstdint>

namespace row_sum {

/// One instance. Canonical text: r4096c1000, or r4096c1000,hot.
struct Problem {
  std::int64_t rows = 0, columns = 0;
};

/// Everything one launch needs. Pointers are device memory for CUDA kernels, aligned to 256 bytes.
struct Args {
  float const* x = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_stride = 0;  ///< elements from row to row, at least `columns`; the gaps must not be read
  float* sums = nullptr;
  std::int64_t sums_stride = 1;  ///< elements from sum to sum; all `rows` must be written, the gaps not
  perfcheck::Stream stream = nullptr;
};

using Kernel = perfcheck::OperationKernel<Problem, Args>;

}  // namespace row_sum

/// Registers a kernel; its id is the set of perfcheck_add_kernels() and this name.
#define ROW_SUM_KERNEL(name, ...) PERFCHECK_KERNEL("row_sum", ::row_sum::Kernel, name, __VA_ARGS__)
