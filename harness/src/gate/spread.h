// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How uncertain a change is: a sum of variances, each with its own degrees of freedom.
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

  /// Distance of the confidence limit at `alpha` from the estimate.
  double reach(double alpha) const;
  /// P-value of "the excess is not positive", given its estimate.
  double p_above(double excess) const;
};

/// The sum of the components, by Satterthwaite's approximation (1946, Biometrics Bull. 2:110). Components of variance 0
/// are ignored; at least one must be positive.
Spread together(std::vector<Component> const& components);

}  // namespace perfcheck::gate
