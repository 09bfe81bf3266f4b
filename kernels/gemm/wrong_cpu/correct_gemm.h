// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A correct GEMM on the CPU in parts. Each kernel of this folder is built from them and adds one fault, so that tests
// can prove that verification catches it. Not for use outside tests.
#pragma once

#include <perfcheck/gemm.h>

#include <algorithm>

namespace perfcheck {

/// Rows and columns of a tile of D.
inline constexpr int kTile = 16;

inline float a_element(GemmArgs const& args, int row, int k) {
  return static_cast<float const*>(args.a)[row * args.lda + k];
}

inline float b_element(GemmArgs const& args, int k, int column) {
  bool const column_major = args.b_layout == BLayout::column_major;
  return static_cast<float const*>(args.b)[column_major ? column * args.ldb + k : k * args.ldb + column];
}

/// Sum of the products of steps first to last - 1.
inline float sum_of_products(GemmArgs const& args, int row, int column, int first, int last) {
  float sum = 0.0F;
  for (int k = first; k < last; ++k) {
    sum += a_element(args, row, k) * b_element(args, k, column);
  }
  return sum;
}

inline float* d_row(GemmArgs const& args, int row) { return static_cast<float*>(args.d) + row * args.ldd; }

/// alpha * sum + beta * C.
inline float finished(GemmArgs const& args, int row, int column, float sum) {
  float const scaled = args.alpha * sum;
  return args.beta == 0.0F ? scaled : scaled + args.beta * static_cast<float const*>(args.c)[row * args.ldd + column];
}

/// Writes every element of D; `sum_of(row, column)` returns its unscaled sum.
template <class SumOf>
void write_d(GemmArgs const& args, SumOf const& sum_of) {
  for (int row = 0; row < args.m; ++row) {
    for (int column = 0; column < args.n; ++column) {
      d_row(args, row)[column] = finished(args, row, column, sum_of(row, column));
    }
  }
}

/// The whole of a correct kernel.
inline void write_correct_d(GemmArgs const& args) {
  write_d(args, [&](int row, int column) { return sum_of_products(args, row, column, 0, args.k); });
}

}  // namespace perfcheck
