// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/row_sum.h"

#include <perfcheck/kit/lines.h>

namespace row_sum {
namespace {

namespace kit = perfcheck::kit;
using perfcheck::Element;

struct RowSum {
  using Kernel = row_sum::Kernel;
  static constexpr char const* name = "row_sum";
  static constexpr std::array sizes{kit::size('r', "rows", &Problem::rows, 1 << 24),
                                    kit::size('c', "columns", &Problem::columns, 1 << 22)};

  static std::vector<kit::Operand> inputs(Problem const& p) {
    return {kit::matrix(0, "x", Element::f32, p.rows, p.columns)};
  }
  static kit::Operand output(Problem const& p) { return kit::matrix("sums", Element::f32, p.rows, 1); }
  static double flop(Problem const& p) { return static_cast<double>(p.rows) * static_cast<double>(p.columns); }

  static Args arguments(Problem const& p, kit::Buffers const& buffers) {
    return {.x = static_cast<float const*>(buffers.inputs[0].data),
            .rows = p.rows,
            .columns = p.columns,
            .row_stride = buffers.inputs[0].row_stride,
            .sums = static_cast<float*>(buffers.output.data),
            .sums_stride = buffers.output.row_stride,
            .stream = buffers.stream};
  }

  /// Sums of integers are exact in any order as long as none can exceed 2^24.
  static kit::LineChecks checks(Problem const& p) {
    return {.exact_integers = static_cast<std::uint32_t>(std::clamp<std::int64_t>((1 << 24) / p.columns, 1, 99))};
  }
  static perfcheck::verify::Bound bound(Problem const& p) {
    return perfcheck::verify::Bound::relative_to_scale(kit::error_of_sum(p.columns, 24), std::exp2(-126));
  }

  template <class Line>
  PERFCHECK_HOST_DEVICE static void reference(Problem const& p, Line& line) {
    double const sum = line.sum(p.columns, [&](std::int64_t i) { return line.in(0, i); });
    double const magnitudes = line.sum(p.columns, [&](std::int64_t i) { return std::fabs(line.in(0, i)); });
    line.results([&](std::int64_t) { return kit::LineResult{sum, magnitudes}; });
  }
};

}  // namespace
}  // namespace row_sum

PERFCHECK_OPERATION(row_sum::RowSum);
