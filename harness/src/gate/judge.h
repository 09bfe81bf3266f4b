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
  Roles roles;          ///< in the screen
  Roles confirm_roles;  ///< the same, unless confirmation is compared with other sessions than the screen
};

enum class Direction { none, slower, faster };

/// +1, -1 or 0.
int sign_of(Direction direction);

/// The screen: whether the case deserves fresh sessions. Slower: unless the screen shows, at `screen_alpha`, that the
/// change is within the limit (margin and card allowance), so that noise never makes a case pass. Faster: when its
/// estimate exceeds the limit, or differs from no change and may exceed it.
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
