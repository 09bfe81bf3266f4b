// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs whose sessions have the numbers of a baseline's.
#pragma once

#include "perfcheck/model/baseline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::store::testing {

/// One run for each that the baseline's sessions came from, in their order. Each case has three rounds whose medians
/// are the session's numbers. Another `seed` draws other sessions like them, 0.02 % apart, for runs named `name`.
std::vector<model::Run> runs_of(model::Baseline const& baseline, std::uint64_t seed = 0, std::string const& name = "");

}  // namespace perfcheck::store::testing
