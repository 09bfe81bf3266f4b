// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Is one element of a result right? Written so that NaN never passes by accident.
#pragma once

#include "perfcheck/verify/element.h"

namespace perfcheck::verify {

/// How far a result may lie from the reference, before it is rounded to the output type.
struct Bound {
  /// The result must be the reference rounded to nearest, bit for bit apart from the sign of zero.
  bool exact = true;
  double per_scale = 0;  ///< times the scale: the sum of the absolute values of all terms
  double tiny = 0;       ///< absolute, for results near the smallest numbers

  PERFCHECK_HOST_DEVICE static constexpr Bound equal() { return {}; }
  PERFCHECK_HOST_DEVICE static constexpr Bound relative_to_scale(double per_scale, double tiny) {
    return {false, per_scale, tiny};
  }
};

struct Judgement {
  bool wrong = true;
  double error_over_bound = 0;  ///< 0 for exact bounds and where NaN or infinity is expected
};

/// `reference` and `scale` are FP64. Where the reference is NaN the result must be a NaN that was computed, not memory
/// left as it was; where it is infinite the result must be that infinity.
PERFCHECK_HOST_DEVICE inline Judgement judge(Element element, Bits bits, double reference, double scale,
                                             Bound const& bound) {
  ElementFormat const format = format_of(element);
  double const value = decode(element, bits);
  if (bits == format.poison && !format.poison_is_a_value()) return {true, detail::infinity()};
  if (is_nan(reference)) return {!is_nan(value), 0};
  // Conversions to these formats saturate.
  if (!format.has_infinity)
    reference = reference > format.largest      ? format.largest
                : reference < format.smallest() ? format.smallest()
                                                : reference;
  double const nearest = round_to(element, reference);
  if (bound.exact || is_infinite(reference)) return {!(value == nearest), 0};

  double const tolerance = bound.per_scale * scale + bound.tiny;
  if (is_infinite(nearest) || is_infinite(value)) {
    // At the edge of the type's range either neighbour of the true value may come out.
    double const further = round_to(element, reference + (reference < 0 ? -tolerance : tolerance));
    double const nearer = round_to(element, reference - (reference < 0 ? -tolerance : tolerance));
    bool const right = value == further || value == nearer || value == nearest;
    return {!right, right ? 0 : detail::infinity()};
  }
  double const distance = value < reference ? reference - value : value - reference;
  // The bounds of results as wide as the sums behind them count their last rounding already.
  double const rounding = format.bits >= 32 ? 0 : half_spacing(element, value);
  if (distance <= rounding) return {false, 0};
  double const ratio = (distance - rounding) / tolerance;
  bool const right = ratio <= 1;
  return {!right, is_nan(ratio) ? detail::infinity() : ratio};
}

}  // namespace perfcheck::verify
