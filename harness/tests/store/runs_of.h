// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs whose sessions have the same numbers as a baseline's sessions.
#pragma once

#include "perfcheck/model/baseline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::store::testing {

/// One run for each run that the baseline's sessions came from, in the same order. Each case has three rounds, whose
/// medians are the session's numbers. A `seed` other than 0 draws new sessions that differ from these by 0.02 %
/// (standard deviation). `name` is prepended to the runs' ids.
std::vector<model::Run> runs_of(model::Baseline const& baseline, std::uint64_t seed = 0, std::string const& name = "");

}  // namespace perfcheck::store::testing
