// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs as something to compare with.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::results {

/// The sessions of a run as a baseline: what they measured, injected slowdowns and broken cases aside. `why` says where
/// they come from. Empty when they measured nothing.
std::optional<model::Baseline> baseline_of(model::Run run, std::string const& why);
/// The same of the sessions of one purpose.
std::optional<model::Baseline> baseline_of(model::Run run, model::SessionPurpose purpose, std::string const& why);
/// The same of several runs together, as of several cards of one model.
std::optional<model::Baseline> baseline_of(std::vector<model::Run> runs, std::string const& why);

}  // namespace perfcheck::results
