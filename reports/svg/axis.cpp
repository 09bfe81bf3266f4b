// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "svg/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfcheck::report {

std::string Ticks::text(double value) const { return fmt::format("{:.{}f}", value, digits); }

Ticks ticks_of(double low, double high, int count) {
  Ticks result;
  if (!(std::isfinite(low) && std::isfinite(high) && high > low) || count < 1) return result;
  double const rough = (high - low) / count;
  double const power = std::pow(10.0, std::floor(std::log10(rough)));
  double const leading = rough / power;
  double const step = power * (leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 5 ? 5 : 10);
  result.digits = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
  // Multiples of the step, because repeated addition would drift away from round numbers. A range near the largest
  // double has no ticks.
  double const first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= 2 * count + 1; ++i) {
    double const value = (first + i) * step;
    if (value > high + 1e-9 * step) break;
    result.values.push_back(value == 0 ? 0 : value);
  }
  return result;
}

}  // namespace perfcheck::report
