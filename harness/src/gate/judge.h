// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules by which one case gets its verdict.
#pragma once

#include "roles.h"
#include "tails.h"

namespace perfcheck::gate {

/// All comparisons of one case.
struct Statements {
  PerMetric<Comparison> screen, confirm;
  std::optional<TailStatement> screen_tail, confirm_tail;
  bool neighbours = false;  ///< on a shared device: neighbours may disturb this case, which has no ratio to show it
  int slow_sessions = 0;    ///< confirming sessions that exceed the limit by more than the baseline's scatter explains
  Roles roles;              ///< in the screen
  Roles confirm_roles;      ///< the same, unless confirmation is compared with other sessions than the screen
};

enum class Direction { faster = -1, none, slower };

/// +1, -1 or 0.
constexpr int sign_of(Direction direction) { return static_cast<int>(direction); }

/// The share of alpha that a look spends. A glance convicts nobody; its limits are computed as for the first look.
constexpr double share_of_alpha(Look look) { return look == Look::last ? 0.8 : 0.2; }

/// The results of the tests over all cases of a check, for one case.
struct Family {
  bool rejected = false;       ///< Holm's procedure rejects "no worse than the margin" by the deciding witness
  bool seconded = false;       ///< the same by the other one of ratio and cycles, among all cases that have both
  bool dissent = false;        ///< where cycles decide: the ratio on this card exceeds its limit, among all such ratios
  bool tail_rejected = false;  ///< the same for "slow rounds are as usual", among all cases that were measured again
  double size = 1;             ///< the factor by which this case's share of alpha is smaller than alpha
  Look look = Look::last;
};

CaseDecision judge(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
                   Policy const& policy);

}  // namespace perfcheck::gate
