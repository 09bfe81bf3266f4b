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

/// Entry i is about evidence[i]; empty where the stage has no sessions.
std::vector<std::optional<TailStatement>> tails_of(std::vector<Evidence> const& evidence, Stage stage,
                                                   Policy const& policy);

}  // namespace perfcheck::gate
