// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds that are slow now and then. A median of rounds does not see them, so they have a test of their own.
#pragma once

#include "evidence.h"

namespace perfcheck::gate {

/// New sessions of one stage whose slow rounds cost more than the policy's tail margin.
struct TailStatement {
  int slow = 0;
  int sessions = 0;
  double cost = 0;  ///< mean over median of the rounds, less 1: median over the slow sessions
  /// Chance of at least as many, if sessions of unchanged code have a tail as often as those of the baseline: binomial,
  /// with the baseline's rate drawn towards the one that the policy assumes.
  double p = 1;
};

/// `allowance` is what another card may differ by, 0 on one that the baseline knows: its rounds may scatter in another
/// way. Empty where the stage has no sessions.
std::optional<TailStatement> tail_of(Tails const& tails, Stage stage, double allowance, Policy const& policy);

}  // namespace perfcheck::gate
