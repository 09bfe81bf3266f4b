// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Single elements of a product on the data of verification, and the arithmetic of kernels that round their sums.
#pragma once

#include "data.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfcheck::gemm {

inline GemmProblem problem_of(GemmTypes types, int m, int n, int k) {
  return {.types = types, .m = m, .n = n, .k = k, .lda = k, .ldb = n, .ldd = n};
}

/// a and b of one dot product.
struct Terms {
  std::vector<double> a, b;
};
inline Terms terms(GemmProblem const& problem, Data data, std::uint64_t seed, int row, int column) {
  auto const set = data_set(data, problem, seed);
  auto const quantised = [&](double value) { return verify::round_to(problem.types.a, value); };
  Terms result;
  for (int k = 0; k < problem.k; ++k) {
    result.a.push_back(quantised(verify::value_at(set.a, problem.m, problem.k, row, k)));
    result.b.push_back(quantised(verify::value_at(set.b, problem.k, problem.n, k, column)));
  }
  return result;
}

inline double dot(Terms const& terms) {
  double sum = 0;
  for (std::size_t i = 0; i < terms.a.size(); ++i) sum += terms.a[i] * terms.b[i];
  return sum;
}

/// The sum of absolute values, to which errors are related.
inline double scale_of(Terms const& terms) {
  double scale = 0;
  for (std::size_t i = 0; i < terms.a.size(); ++i) scale += std::fabs(terms.a[i] * terms.b[i]);
  return scale;
}

/// A sum that is rounded to `element` whenever another `block` products were added exactly: 1 is a chain of fused
/// multiply-adds; tensor cores add 4, 8 or 16.
inline double dot_rounding_to(verify::Element element, Terms const& terms, std::size_t block = 1) {
  double sum = 0;
  for (std::size_t i = 0; i < terms.a.size(); ++i) {
    sum += terms.a[i] * terms.b[i];
    if ((i + 1) % block == 0 || i + 1 == terms.a.size()) sum = verify::round_to(element, sum);
  }
  return sum;
}

/// A sum as the tensor cores of Hopper keep it in FP8: whenever another `block` products are added, these and the sum
/// are aligned to the largest of them, and what lies behind its first `bits` bits is cut off.
inline double dot_aligned(Terms const& terms, int bits, std::size_t block = 32) {
  double sum = 0;
  for (std::size_t first = 0; first < terms.a.size(); first += block) {
    std::size_t const end = std::min(first + block, terms.a.size());
    double largest = std::fabs(sum);
    for (std::size_t i = first; i < end; ++i) largest = std::max(largest, std::fabs(terms.a[i] * terms.b[i]));
    if (largest == 0) continue;
    double const unit = std::ldexp(1.0, std::ilogb(largest) - bits + 1);
    double units = std::trunc(sum / unit);
    for (std::size_t i = first; i < end; ++i) units += std::trunc(terms.a[i] * terms.b[i] / unit);
    sum = units * unit;
  }
  return sum;
}

}  // namespace perfcheck::gemm
