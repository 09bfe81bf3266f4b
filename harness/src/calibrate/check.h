// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One check of recorded or simulated sessions, as `perfcheck check` does it.
#pragma once

#include "condensed.h"
#include "perfcheck/gate/gate.h"

#include <set>
#include <string>
#include <vector>

namespace perfcheck::calibrate {

struct Check {
  gate::Decisions decisions;
  std::set<std::string> flagged;  ///< cases that the screen sent to confirmation
};

/// Indices of the sessions that confirm a screening one: the `wanted` sessions after it, wrapping around at the end.
/// Throws std::invalid_argument if there are too few.
std::vector<std::size_t> confirming(std::size_t screen, std::size_t sessions, int wanted);

/// Screens with session `screen` and confirms what that flags, in two looks. `results[i]` holds the results of
/// frame.cases[i] by session; an empty list leaves the case out.
Check check(model::Baseline const& baseline, gate::Observations const& frame, std::vector<Results> const& results,
            std::size_t screen, gate::Policy const& policy);

}  // namespace perfcheck::calibrate
