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

/// Fresh sessions for a screening one: the `wanted` behind it, the first following the last. Throws
/// std::invalid_argument where there are not as many.
std::vector<std::size_t> confirming(std::size_t screen, std::size_t sessions, int wanted);

/// A screen, and confirmation of what it flags, in two looks. `results[i]` are those of frame.cases[i] by session; an
/// empty list leaves the case out. `screen` is the session that screens.
Check check(model::Baseline const& baseline, gate::Observations const& frame, std::vector<Results> const& results,
            std::size_t screen, gate::Policy const& policy);

}  // namespace perfcheck::calibrate
