// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Activation functions that fused kernels apply to each element. To add one, add a row to kActivations and a case to
// activated().
#pragma once

#include <perfcheck/element.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace perfcheck {

enum class Activation : std::uint8_t {
  none,
  relu,
  gelu,      ///< the tanh form (Hendrycks and Gimpel 2016), which is cuBLASLt's
  gelu_erf,  ///< x times the standard normal distribution function at x
  silu,      ///< x / (1 + exp(-x))
};

struct ActivationRow {
  Activation activation;
  std::string_view text;  ///< its name in a problem's text
  double steepest;        ///< largest slope: by how much an error of x can grow at most
  bool exact;             ///< the result is exact if x is
};
inline constexpr std::array kActivations{
    ActivationRow{Activation::relu, "relu", 1, true}, ActivationRow{Activation::gelu, "gelu", 1.13, false},
    ActivationRow{Activation::gelu_erf, "gelu_erf", 1.13, false}, ActivationRow{Activation::silu, "silu", 1.1, false}};

/// The exact result, in FP64.
PERFCHECK_HOST_DEVICE inline double activated(Activation activation, double x) {
  switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return x < 0 ? 0 : x;  // NaN stays
    case Activation::gelu: return 0.5 * x * (1 + ::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    case Activation::gelu_erf: return 0.5 * x * ::erfc(-x * 0.7071067811865476);
    case Activation::silu: return x / (1 + ::exp(-x));
  }
  return x;
}

constexpr ActivationRow row_of(Activation activation) {
  for (ActivationRow const& row : kActivations) {
    if (row.activation == activation) return row;
  }
  return {activation, "", 1, true};
}

}  // namespace perfcheck
