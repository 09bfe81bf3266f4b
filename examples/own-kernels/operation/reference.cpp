// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace row_sum {

using perfcheck::verify::Bound;
using perfcheck::verify::Element;
using perfcheck::verify::Fill;
using perfcheck::verify::MatrixView;
using perfcheck::verify::Pattern;

Fill fill_of(Data data, RowSumProblem const& problem, std::uint64_t seed) {
  Fill fill;
  fill.seed = perfcheck::verify::mix(seed, static_cast<std::uint64_t>(data), 0);
  switch (data) {
    case Data::exact:
      fill.pattern = Pattern::integers;
      // Even if all had one sign, no partial sum in any order would exceed 2^24.
      fill.limit =
          static_cast<std::uint32_t>(std::clamp<std::int64_t>((std::int64_t{1} << 24) / problem.columns, 1, 99));
      break;
    case Data::signed_values: fill.pattern = Pattern::normal; break;
    case Data::positive: fill.pattern = Pattern::uniform; break;
  }
  return fill;
}

Bound bound_for(Data data, RowSumProblem const& problem) {
  if (data == Data::exact) return Bound::equal();
  // n - 1 roundings can never cost more than n units in the last place of the sum of absolute values. Roundings of a
  // right kernel are as good as random, so that in practice the error grows like the root; a kernel that leaves out one
  // element in a thousand, or sums in less than FP32, is far beyond.
  double const n = static_cast<double>(problem.columns);
  double const unit = std::ldexp(1.0, -24);
  return Bound::relative_to_scale(std::min(n, 2 * std::sqrt(n) + 4) * unit, std::ldexp(1.0, -126));
}

MatrixView shape_of_x(RowSumProblem const& problem, std::int64_t row_stride) {
  return {.data = nullptr,
          .element = Element::f32,
          .rows = problem.rows,
          .columns = problem.columns,
          .row_stride = row_stride,
          .column_stride = 1};
}

MatrixView shape_of_sums(RowSumProblem const& problem) {
  return {.data = nullptr,
          .element = Element::f32,
          .rows = problem.rows,
          .columns = 1,
          .row_stride = 1,
          .column_stride = 1};
}

Reference::Reference(perfcheck::device::Backend& backend, MatrixView const& x) {
  std::vector<float> stored(static_cast<std::size_t>(x.index(x.rows - 1, x.columns - 1) + 1));
  backend.copy_to_host(stored.data(), x.data, stored.size() * sizeof(float));
  std::vector<double> sums;
  std::vector<float> scales;
  for (std::int64_t row = 0; row < x.rows; ++row) {
    // Four chains of additions, so that a large problem does not wait for one.
    double sum[4] = {}, scale[4] = {};
    for (std::int64_t column = 0; column < x.columns; ++column) {
      auto const value = static_cast<double>(stored[static_cast<std::size_t>(x.index(row, column))]);
      sum[column % 4] += value;
      scale[column % 4] += std::fabs(value);
    }
    sums.push_back(sum[0] + sum[1] + (sum[2] + sum[3]));
    scales.push_back(static_cast<float>(scale[0] + scale[1] + (scale[2] + scale[3])));
  }
  sums_ = backend.allocate(sums.size() * sizeof(double));
  scales_ = backend.allocate(scales.size() * sizeof(float));
  backend.copy_to_device(sums_.data(), sums.data(), sums.size() * sizeof(double));
  backend.copy_to_device(scales_.data(), scales.data(), scales.size() * sizeof(float));
}

perfcheck::verify::Expectation Reference::expectation(Bound const& bound) const {
  perfcheck::verify::Expectation expectation;
  expectation.product = static_cast<double const*>(sums_.data());
  expectation.scale = bound.exact ? nullptr : static_cast<float const*>(scales_.data());
  expectation.bound = bound;
  return expectation;
}

}  // namespace row_sum
