// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/softmax.h"

#include <perfcheck/kit/lines.h>

namespace softmax {
namespace {

namespace kit = perfcheck::kit;
using perfcheck::Element;

struct Softmax {
  using Kernel = softmax::Kernel;
  static constexpr char const* name = "softmax";
  static constexpr std::array elements{Element::f32, Element::f16};
  static constexpr std::array sizes{kit::size('r', "rows", &Problem::rows, 1 << 24),
                                    kit::size('c', "columns", &Problem::columns, 1 << 22)};

  static std::vector<kit::Operand> inputs(Problem const& p) {
    return {kit::matrix(0, "x", p.element, p.rows, p.columns)};
  }
  static kit::Operand output(Problem const& p) { return kit::matrix("y", p.element, p.rows, p.columns); }
  /// A difference, an exponential, an addition and a division for each element, and a comparison.
  static double flop(Problem const& p) { return 5.0 * static_cast<double>(p.rows) * static_cast<double>(p.columns); }

  static Args arguments(Problem const& p, kit::Buffers const& buffers) {
    return {.x = buffers.inputs[0].data,
            .y = buffers.output.data,
            .rows = p.rows,
            .columns = p.columns,
            .x_stride = buffers.inputs[0].row_stride,
            .y_stride = buffers.output.row_stride,
            .stream = buffers.stream};
  }

  /// Relative to the scale that the reference gives; results below the smallest normal number may be 0.
  static perfcheck::verify::Bound bound(Problem const&) {
    return perfcheck::verify::Bound::relative_to_scale(std::exp2(-24), std::exp2(-126));
  }

  /// Errors in units of 2^-24: the exponential of d = x - max has at most |d| from the rounding of d, and 4 + 2.4 |d|
  /// of its own (CUDA's __expf). The sum has the average error of its terms, and that of its additions. The division
  /// has 4.
  template <class Line>
  PERFCHECK_HOST_DEVICE static void reference(Problem const& p, Line& line) {
    double const most = line.max(p.columns, [&](std::int64_t i) { return line.in(0, i); });
    auto const below = [&](std::int64_t i) { return line.in(0, i) - most; };
    double const sum = line.sum(p.columns, [&](std::int64_t i) { return std::exp(below(i)); });
    double const distances = line.sum(p.columns, [&](std::int64_t i) {
      double const term = std::exp(below(i));
      return term == 0 ? 0 : -below(i) * term;
    });
    double const of_sum = 4 + 3.4 * distances / sum + kit::error_of_sum(p.columns, 0);
    line.results([&](std::int64_t i) {
      double const y = std::exp(below(i)) / sum;
      return kit::LineResult{y, y == 0 ? 0 : y * (4 - 3.4 * below(i) + of_sum + 4)};
    });
  }
};

}  // namespace
}  // namespace softmax

PERFCHECK_OPERATION(softmax::Softmax);
