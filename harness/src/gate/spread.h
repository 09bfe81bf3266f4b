// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How uncertain a change is: a sum of variances, each known with degrees of freedom of its own.
#pragma once

#include <vector>

namespace perfcheck::gate {

struct Component {
  double variance = 0;
  double df = 0;
};

/// Standard error of a change and its degrees of freedom.
struct Spread {
  double se = 0;
  double df = 0;

  /// How far the confidence limit at `alpha` lies from the estimate.
  double reach(double alpha) const;
  /// P-value of "the excess is not positive", for an estimated one.
  double p_above(double excess) const;
};

/// The components together, by Satterthwaite's approximation (1946, Biometrics Bull. 2:110). Those of variance 0 take
/// no part; at least one must be positive.
Spread together(std::vector<Component> const& components);

}  // namespace perfcheck::gate
