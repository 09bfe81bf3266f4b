// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// GEMM of any types with any features on the CPU, one element at a time. It is split into parts so that a kernel that
// is wrong on purpose can replace one of them.
#pragma once

#include <perfcheck/cpu_elements.h>
#include <perfcheck/gemm.h>

#include <cmath>
#include <cstdint>

namespace perfcheck::cpu {

/// One launch and its types. With groups, `matrix` is the index of a group, and rows are counted from the first group
/// on.
struct PlainGemm {
  GemmFullArgs const& args;
  GemmTypes types;

  /// Which of the two kept elements of a sparse A stands for step k: 0, 1, or -1 for none.
  int kept(int row, int k) const {
    int const pair = args.a_indices[row * std::int64_t{args.k / 8} + k / 8] >> (k / 4 % 2 * 4) & 15;
    return k % 4 == (pair & 3) ? 0 : k % 4 == pair >> 2 ? 1 : -1;
  }
  double a_kept(int row, int k, int place) const {
    return place < 0 ? 0 : load(types.a, args.a, row * args.lda + k / 4 * 2 + place);
  }
  double a(int matrix, int row, int k) const {
    if (args.a_indices != nullptr) return a_kept(row, k, kept(row, k));
    void const* const memory = args.a_pointers == nullptr ? args.a : args.a_pointers[matrix];
    return load(types.a, memory, matrix * args.a_stride + row * args.lda + k);
  }
  double b(int matrix, int k, int column) const {
    bool const column_major = args.b_layout == BLayout::column_major;
    void const* const memory = args.b_pointers == nullptr ? args.b : args.b_pointers[matrix];
    return load(types.b, memory,
                matrix * args.b_stride + (column_major ? column * args.ldb + k : k * args.ldb + column));
  }
  std::int64_t d_index(int matrix, int row, int column) const {
    return matrix * args.d_stride + row * args.ldd + column;
  }

  /// Scale factors, by the row or column of an element and its block of k.
  double a_scale(int row, int k_block) const {
    std::int64_t const index = types.scaling == GemmScaling::tensor ? 0
                               : types.scaling == GemmScaling::rows ? row
                                                                    : std::int64_t{k_block} * args.m + row;
    return args.a_scales == nullptr ? 1 : load(scale_element(types), args.a_scales, index);
  }
  double b_scale(int k_block, int column) const {
    std::int64_t const k_blocks = (args.k + kScaledElements - 1) / kScaledElements;
    std::int64_t const index = types.scaling == GemmScaling::tensor   ? 0
                               : types.scaling == GemmScaling::rows   ? column
                               : types.scaling == GemmScaling::groups ? std::int64_t{k_block} * args.n + column
                                                                      : column / kScaledElements * k_blocks + k_block;
    return args.b_scales == nullptr ? 1 : load(scale_element(types), args.b_scales, index);
  }

  /// Sum of the products of steps first to last - 1, rounded after each step as an accumulator of the type would be.
  double sum(int matrix, int row, int column, int first, int last) const {
    double sum = 0;
    for (int k = first; k < last; ++k) {
      sum = rounded(types.accumulate, sum + a(matrix, row, k) * b(matrix, k, column));
    }
    return sum;
  }

  /// The sum over all k, with scale factors: those that change along k are applied to each block's sum.
  double scaled_sum(int matrix, int row, int column) const {
    bool const by_blocks = types.scaling == GemmScaling::blocks || types.scaling == GemmScaling::groups;
    if (!by_blocks) return sum(matrix, row, column, 0, args.k) * a_scale(row, 0) * b_scale(0, column);
    double total = 0;
    for (int block = 0; block * kScaledElements < args.k; ++block) {
      int const first = block * kScaledElements, last = std::min(first + kScaledElements, args.k);
      total += sum(matrix, row, column, first, last) * a_scale(row, block) * b_scale(block, column);
    }
    return total;
  }

  static double activated(Activation activation, double x) {
    switch (activation) {
      case Activation::none: return x;
      case Activation::relu: return x > 0 ? x : x * 0;
      case Activation::gelu: return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      case Activation::gelu_erf: return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
      case Activation::silu: return x / (1 + std::exp(-x));
    }
    return x;
  }

  /// The value of an element of D, from its sum.
  double finished(int matrix, int row, int column, double sum) const {
    std::int64_t const at = d_index(matrix, row, column);
    double x = static_cast<double>(args.alpha) * sum;
    if (args.beta != 0.0F) {
      void const* const c = args.c_pointers == nullptr ? args.c : args.c_pointers[matrix];
      x += static_cast<double>(args.beta) * load(types.c, c, at);
    }
    if (args.bias != nullptr) x += load(types.d, args.bias, column);
    x = activated(args.activation, x);
    void const* const residual = args.residual_pointers == nullptr ? args.residual : args.residual_pointers[matrix];
    return residual == nullptr ? x : x + load(types.d, residual, at);
  }

  void store_d(int matrix, int row, int column, double value) const {
    void* const d = args.d_pointers == nullptr ? args.d : args.d_pointers[matrix];
    store(types.d, d, d_index(matrix, row, column), value);
  }

  int matrices() const { return args.groups != 0 ? args.groups : args.batch; }
  /// The first row of a matrix, and the one after its last.
  int first_row(int matrix) const { return args.groups != 0 ? args.group_offsets[matrix] : 0; }
  int end_row(int matrix) const { return args.groups != 0 ? args.group_offsets[matrix + 1] : args.m; }

  /// Stores finished(sum_of(matrix, row, column)) for every element of D.
  template <class SumOf>
  void write_d(SumOf const& sum_of) const {
    for (int matrix = 0; matrix < matrices(); ++matrix) {
      for (int row = first_row(matrix); row < end_row(matrix); ++row) {
        for (int column = 0; column < args.n; ++column) {
          store_d(matrix, row, column, finished(matrix, row, column, sum_of(matrix, row, column)));
        }
      }
    }
  }
};

/// Every feature that PlainGemm has.
inline constexpr GemmFeature kPlainFeatures =
    GemmFeature::batch | GemmFeature::pointers | GemmFeature::groups | GemmFeature::sparse24 | GemmFeature::bias |
    GemmFeature::residual | Activation::relu | Activation::gelu | Activation::gelu_erf | Activation::silu;

}  // namespace perfcheck::cpu
