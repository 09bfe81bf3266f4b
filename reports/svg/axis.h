// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps numbers to places in a picture.
#pragma once

#include <string>
#include <vector>

namespace perfcheck::report {

/// A linear axis; `from` and `to` are the places of low and high.
struct Axis {
  double low = 0, high = 1;
  double from = 0, to = 1;

  double place(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// Round numbers within [low, high], about `count` of them: steps of 1, 2 or 5 times a power of ten. At least one
/// number lies inside unless the range is empty or not finite.
struct Ticks {
  std::vector<double> values;
  int digits = 0;  ///< digits after the point that tell them apart

  std::string text(double value) const;
};
Ticks ticks_of(double low, double high, int count);

}  // namespace perfcheck::report
