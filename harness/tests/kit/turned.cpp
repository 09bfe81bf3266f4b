// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "turned.h"

#include <perfcheck/kit/lines.h>

namespace turned {
namespace {

namespace kit = perfcheck::kit;
using perfcheck::Element;

struct Turned {
  using Kernel = turned::Kernel;
  static constexpr char const* name = "turned";
  static constexpr std::array elements{Element::f32, Element::s8};
  static constexpr std::array sizes{kit::size('r', "rows", &Problem::rows, 1 << 20),
                                    kit::size('c', "columns", &Problem::columns, 1 << 20)};

  static std::vector<kit::Operand> inputs(Problem const& p) {
    return {kit::matrix(0, "x", p.element, p.columns, p.rows), kit::matrix(1, "w", p.element, 1, p.columns)};
  }
  static kit::Operand output(Problem const& p) {
    return kit::matrix("y", p.element == Element::s8 ? Element::s32 : p.element, p.rows, p.columns);
  }
  static double flop(Problem const& p) { return static_cast<double>(p.rows) * static_cast<double>(p.columns); }
  static Args arguments(Problem const& p, kit::Buffers const& buffers) {
    return {.problem = p,
            .x = buffers.inputs[0].data,
            .w = buffers.inputs[1].data,
            .y = buffers.output.data,
            .x_stride = buffers.inputs[0].row_stride,
            .y_stride = buffers.output.row_stride,
            .workspace = buffers.workspace,
            .stream = buffers.stream};
  }
  static kit::LineChecks checks(Problem const&) { return {.exact_integers = 99}; }
  static perfcheck::verify::Bound bound(Problem const& p) {
    if (p.element == Element::s8) return perfcheck::verify::Bound::equal();
    return perfcheck::verify::Bound::relative_to_scale(std::exp2(-24), std::exp2(-149));
  }

  template <class Line>
  PERFCHECK_HOST_DEVICE static void reference(Problem const&, Line& line) {
    line.results([&](std::int64_t i) {
      double const y = line.at(0, i, line.row()) * line.in(1, i);
      return kit::LineResult{y, std::fabs(y)};
    });
  }
};

}  // namespace
}  // namespace turned

PERFCHECK_OPERATION(turned::Turned);
