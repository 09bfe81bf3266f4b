// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operation softmax as the author of a kernel sees it: y[r][c] = exp(x[r][c]) / (exp(x[r][0]) + ...), row by row.
// A kernel file includes this and nothing else of the operation, and ends with SOFTMAX_KERNEL(...).
#pragma once

#include <perfcheck/operation_kernel.h>

#include <cstdint>

namespace softmax {

/// One instance. Canonical text: f16,r4096c1000, or f16,r4096c1000,hot.
struct Problem {
  perfcheck::Element element = perfcheck::Element::f32;  ///< of x and y: f32 or f16; sums are FP32
  std::int64_t rows = 0, columns = 0;
};

/// Everything one launch needs. Strides are elements from row to row; the gaps between rows must not be touched.
struct Args {
  void const* x = nullptr;
  void* y = nullptr;
  std::int64_t rows = 0, columns = 0, x_stride = 0, y_stride = 0;
  perfcheck::Stream stream = nullptr;
};

using Kernel = perfcheck::OperationKernel<Problem, Args>;

}  // namespace softmax

#define SOFTMAX_KERNEL(name, ...) PERFCHECK_KERNEL("softmax", ::softmax::Kernel, name, __VA_ARGS__)
