// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules: when a case is flagged, and what confirmation makes of it.
#pragma once

#include "roles.h"
#include "tails.h"

namespace perfcheck::gate {

/// Everything that was stated about one case.
struct Statements {
  PerMetric<Comparison> screen, confirm;
  std::optional<TailStatement> screen_tail, confirm_tail;
  bool neighbours = false;  ///< on a shared device: they disturbed references, of which this case has none
  int slow_sessions = 0;  ///< confirming ones that took longer, beyond the limit, than the baseline's scatter explains
  Roles roles;            ///< in the screen
  Roles confirm_roles;    ///< the same, unless confirmation is compared with other sessions than the screen
};

enum class Direction { faster = -1, none, slower };

/// +1, -1 or 0.
constexpr int sign_of(Direction direction) { return static_cast<int>(direction); }

/// The share of alpha that a look spends; a glance convicts nobody, and sees no better than the first look.
constexpr double share_of_alpha(Look look) { return look == Look::last ? 0.8 : 0.2; }

/// What the whole invocation adds to one case's confirmation.
struct Family {
  bool rejected = false;  ///< Holm's procedure rejects "no worse than the margin" for this case
  bool seconded = false;  ///< the same by the other of ratio and cycles, among all cases that have both
  bool dissent = false;   ///< where cycles decide: the ratio exceeds its limit here, among the ratios of such cases
  bool tail_rejected = false;  ///< the same of "slow rounds are as usual", among all that were measured again
  double size = 1;             ///< by how much this case's share of alpha is smaller than alpha
  Look look = Look::last;
};

CaseDecision judge(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
                   Policy const& policy);

}  // namespace perfcheck::gate
