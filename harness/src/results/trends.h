// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Small trends for people who read a pull request: the baseline's sessions, then those of the run.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/model/baseline.h"

#include <map>
#include <string>
#include <vector>

namespace perfcheck::results {

/// How many sessions a trend shows at most; the oldest give way.
inline constexpr std::size_t kTrendLength = 24;

/// For the cases that regressed, improved or are inconclusive, by id: session medians of the witness that decided, over
/// the baseline's median, oldest first.
std::map<std::string, std::vector<double>> trends_of(model::Baseline const& baseline, model::Run const& run,
                                                     gate::Decisions const& decisions);

}  // namespace perfcheck::results
