// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What is applied to each element of a product to make it a result, in FP64.
#pragma once

#include <perfcheck/activation.h>

#include "perfcheck/verify/judge.h"

namespace perfcheck::verify {

/// What is done to each element of a product: f(alpha * product + beta * addend + bias) + residual.
struct Epilogue {
  double alpha = 1, beta = 0;
  MatrixView addend{};    ///< read only when beta is not 0
  MatrixView bias{};      ///< one row; none when its data is null
  MatrixView residual{};  ///< none when its data is null
  Activation activation = Activation::none;
  double steepest = 1;          ///< largest slope of the activation
  double activation_error = 0;  ///< of the activation itself, relative to its argument
};

/// A reference, the sum of the absolute values of its terms, and the error that is allowed besides the bound.
struct ExpectedElement {
  double reference = 0, scale = 0, slack = 0;
};

namespace detail {

PERFCHECK_HOST_DEVICE inline double element_at(MatrixView const& matrix, std::int64_t row, std::int64_t column) {
  return decode(matrix.element, load_bits(matrix.element, matrix.data, matrix.index(row, column)));
}
PERFCHECK_HOST_DEVICE inline double magnitude(double x) { return x < 0 ? -x : x; }

}  // namespace detail

/// The result that is expected for a product. `addend`, `bias` and `residual` are 0 where there is none; `scale` is
/// that of the product.
PERFCHECK_HOST_DEVICE inline ExpectedElement finished(Epilogue const& e, double product, double scale, double addend,
                                                      double bias, double residual) {
  double const term = e.beta * addend;
  double x = e.alpha * product;
  double terms = detail::magnitude(e.alpha) * scale;
  if (e.beta != 0) {
    x += term;
    terms += detail::magnitude(term);
  }
  x += bias;
  terms += detail::magnitude(bias);
  return {.reference = (e.activation == Activation::none ? x : activated(e.activation, x)) + residual,
          .scale = e.steepest * terms + detail::magnitude(residual),
          .slack = e.activation_error * detail::magnitude(x)};
}

PERFCHECK_HOST_DEVICE inline Judgement judge(Element element, Bits bits, ExpectedElement const& expected, Bound bound) {
  bound.tiny += expected.slack;
  return judge(element, bits, expected.reference, expected.scale, bound);
}

}  // namespace perfcheck::verify
