// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What kernels are given, and what must come out.
#pragma once

#include "operation/row_sum.h"

#include <perfcheck/verify/engine.h>

namespace row_sum {

enum class Data {
  exact,          ///< integers so small that every sum is exact in FP32: results must be equal
  signed_values,  ///< like N(0, 1), as is what is timed
  positive,       ///< U[0, 1): rounding errors of one sign do not cancel
};

/// Pure function of its arguments: all kernels, the CPU and every GPU get the same numbers.
perfcheck::verify::Fill fill_of(Data data, RowSumProblem const& problem, std::uint64_t seed);

/// How far a sum may lie from the reference, as a share of the sum of absolute values.
perfcheck::verify::Bound bound_for(Data data, RowSumProblem const& problem);

/// Shapes of input and output, without memory.
perfcheck::verify::MatrixView shape_of_x(RowSumProblem const& problem, std::int64_t row_stride);
perfcheck::verify::MatrixView shape_of_sums(RowSumProblem const& problem);

/// Sums of the rows of x and of their absolute values, in FP64 on the host, from the elements as they are stored.
class Reference {
 public:
  /// Throws perfcheck::device::DeviceError.
  Reference(perfcheck::device::Backend& backend, perfcheck::verify::MatrixView const& x);
  /// Valid as long as this object.
  perfcheck::verify::Expectation expectation(perfcheck::verify::Bound const& bound) const;

 private:
  perfcheck::device::Memory sums_;    // double
  perfcheck::device::Memory scales_;  // float
};

}  // namespace row_sum
