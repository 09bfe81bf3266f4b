// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules: when a case is flagged, and what confirmation makes of it.
#pragma once

#include "roles.h"

namespace perfcheck::gate {

/// Everything that was stated about one case.
struct Statements {
  PerMetric<Comparison> screen, confirm;
  Roles roles;
};

enum class Direction { none, slower, faster };

/// +1, -1 or 0.
int sign_of(Direction direction);

/// The screen: whether the case deserves fresh sessions. It does when its estimate exceeds the limit (margin and card
/// allowance), or when it differs from no change at `screen_alpha` and may exceed the limit at that confidence.
Direction flagged(Comparison const& screen, double limit, Policy const& policy);

/// What the whole invocation adds to one case's confirmation.
struct Family {
  bool rejected = false;  ///< Holm's procedure rejects "no worse than the limit" for this case
  bool dissent = false;   ///< where cycles decide: the same about the ratio, among the ratios of such cases
  std::size_t size = 1;   ///< confirmed cases flagged in the same direction
};

CaseDecision judge(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
                   Policy const& policy);

}  // namespace perfcheck::gate
