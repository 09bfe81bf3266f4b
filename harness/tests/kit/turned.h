// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// An operation with two inputs, one transposed and one of a single row, exact for integers:
// y[r][c] = x[c][r] * w[0][c], FP32 from FP32, or s32 from s8.
#pragma once

#include <perfcheck/operation_kernel.h>

#include <cstdint>

namespace turned {

struct Problem {
  perfcheck::Element element = perfcheck::Element::f32;
  std::int64_t rows = 0, columns = 0;
};

struct Args {
  Problem problem;
  void const* x = nullptr;
  void const* w = nullptr;
  void* y = nullptr;
  std::int64_t x_stride = 0, y_stride = 0;
  void* workspace = nullptr;  ///< as much as the kernel asked for
  perfcheck::Stream stream = nullptr;
};

using Kernel = perfcheck::OperationKernel<Problem, Args>;

}  // namespace turned

#define TURNED_KERNEL(name, ...) PERFCHECK_KERNEL("turned", ::turned::Kernel, name, __VA_ARGS__)
