// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operands.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::gemm {
namespace {

using verify::MatrixView;

constexpr std::int64_t kAll = std::int64_t{1} << 40U;

/// Standard deviation that results of eight-bit integers would have with scale factors of 1 and elements of variance 1.
/// The factors of either side reach 2, and six standard deviations must still not saturate.
constexpr double kSmallResult = 4;

std::int64_t blocks(std::int64_t size) { return (size + kScaledElements - 1) / kScaledElements; }

MatrixView matrix(Element element, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                  std::int64_t column_stride = 1) {
  return {.data = nullptr,
          .element = element,
          .rows = rows,
          .columns = columns,
          .row_stride = row_stride,
          .column_stride = column_stride};
}

/// Exponent of scale factors that bring an integer format to a standard deviation near 1.
int unit_exponent(Element element) {
  return format_of(element).integer ? -static_cast<int>(std::lround(std::log2(typical_size(element)))) : 0;
}

void add_scales(GemmProblem const& p, std::vector<Operand>& operands) {
  GemmTypes const& types = p.types;
  if (types.scaling == GemmScaling::none) return;
  Element const element = scale_element(types);
  int a_exponent = unit_exponent(types.a);
  if (format_of(types.d).integer) a_exponent -= static_cast<int>(std::lround(std::log2(std::sqrt(p.k) / kSmallResult)));
  Operand a{.number = number_of(Input::a_scales), .name = "the scales of A", .scales = true, .exponent = a_exponent};
  Operand b{.number = number_of(Input::b_scales),
            .name = "the scales of B",
            .scales = true,
            .exponent = unit_exponent(types.b)};
  switch (types.scaling) {
    case GemmScaling::none: return;
    case GemmScaling::tensor:
      a.shape = matrix(element, 1, 1, 1);
      b.shape = matrix(element, 1, 1, 1);
      break;
    case GemmScaling::rows:
      a.shape = matrix(element, p.m, 1, 1);
      b.shape = matrix(element, 1, p.n, p.n);
      break;
    case GemmScaling::blocks:
      a.shape = matrix(element, p.m, blocks(p.k), 1, p.m);
      b.shape = matrix(element, blocks(p.k), blocks(p.n), 1, blocks(p.k));
      break;
    case GemmScaling::groups: b.shape = matrix(element, blocks(p.k), p.n, p.n); break;
  }
  if (a.shape.size() != 0) operands.push_back(a);
  operands.push_back(b);
}

}  // namespace

double typical_size(Element element) {
  return format_of(element).integer ? std::ldexp(1.0, format_of(element).bits) / std::sqrt(12.0) : 1.0;
}

verify::MatrixView shape_of_d(GemmProblem const& p) {
  return matrix(p.types.d, std::int64_t{p.batch} * p.m, p.n, p.ldd);
}

Operand output_of(GemmProblem const& problem) { return {.name = "D", .shape = shape_of_d(problem)}; }

std::vector<Operand> inputs_of(GemmProblem const& p) {
  GemmTypes const& types = p.types;
  std::int64_t const batch = p.batch, matrices = p.groups.empty() ? batch : static_cast<std::int64_t>(p.groups.size());
  bool const stacked = batch > 1, stacked_b = matrices > 1;
  std::vector<Operand> operands;
  operands.push_back({.number = number_of(Input::a),
                      .name = "A",
                      .shape = matrix(types.a, batch * p.m, p.sparse24 ? p.k / 2 : p.k, p.lda),
                      .stacked_rows = stacked ? p.m : 0});
  if (p.b_layout == BLayout::row_major) {
    operands.push_back({.number = number_of(Input::b),
                        .name = "B",
                        .shape = matrix(types.b, matrices * p.k, p.n, p.ldb),
                        .stacked_rows = stacked_b ? p.k : 0});
  } else {
    operands.push_back({.number = number_of(Input::b),
                        .name = "B",
                        .shape = matrix(types.b, p.k, matrices * p.n, 1, p.ldb),
                        .stacked_columns = stacked_b ? p.n : 0});
  }
  MatrixView like_d = shape_of_d(p);
  MatrixView c = like_d;
  c.element = types.c;
  operands.push_back({.number = number_of(Input::c), .name = "C", .shape = c, .stacked_rows = stacked ? p.m : 0});
  add_scales(p, operands);
  if (p.bias)
    operands.push_back({.number = number_of(Input::bias), .name = "the bias", .shape = matrix(types.d, 1, p.n, p.n)});
  if (p.residual) {
    operands.push_back({.number = number_of(Input::residual),
                        .name = "the residual",
                        .shape = like_d,
                        .stacked_rows = stacked ? p.m : 0});
  }
  return operands;
}

std::vector<Operand> read_inputs_of(GemmProblem const& problem) {
  auto operands = inputs_of(problem);
  if (problem.beta == 0)
    std::erase_if(operands, [](Operand const& operand) { return operand.number == number_of(Input::c); });
  return operands;
}

ScaleBlock scale_block(GemmTypes const& types, Input of) {
  bool const is_a = of == Input::a;
  switch (types.scaling) {
    case GemmScaling::none:
    case GemmScaling::tensor: return {kAll, kAll};
    case GemmScaling::rows: return is_a ? ScaleBlock{1, kAll} : ScaleBlock{kAll, 1};
    case GemmScaling::blocks:
      return is_a ? ScaleBlock{1, kScaledElements} : ScaleBlock{kScaledElements, kScaledElements};
    case GemmScaling::groups: return is_a ? ScaleBlock{kAll, kAll} : ScaleBlock{kScaledElements, 1};
  }
  return {};
}

Factor Factor::part(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) const {
  Factor part = *this;
  part.elements = elements.block(row, column, rows, columns);
  part.row0 += row;
  part.column0 += column;
  return part;
}

}  // namespace perfcheck::gemm
