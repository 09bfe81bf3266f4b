// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Occasional slow rounds. The median over the rounds does not see them, so they have a test of their own.
#pragma once

#include "evidence.h"

namespace perfcheck::gate {

/// The new sessions of one stage in which slow rounds cost more than the policy's tail margin.
struct TailStatement {
  int slow = 0;      ///< number of these
  int sessions = 0;  ///< number of all new sessions of the stage
  double cost = 0;   ///< median, over the slow sessions, of (mean over median of the rounds) - 1
  /// Chance of at least as many slow sessions if they are as frequent as in the baseline: binomial, with the baseline's
  /// rate shrunk towards the one that the policy assumes.
  double p = 1;
};

/// Tests one stage. `allowance` is added to the tail margin, because rounds may scatter differently on another card; it
/// is 0 on a card that the baseline knows. Empty where the stage has no sessions.
std::optional<TailStatement> tail_of(Tails const& tails, Stage stage, double allowance, Policy const& policy);

}  // namespace perfcheck::gate
