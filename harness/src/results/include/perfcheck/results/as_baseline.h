// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes baselines of runs, to compare other runs with.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::results {

/// The sessions of a run as a baseline: what they measured, without broken or unfit cases, and as if no slowdown had
/// been injected. `why` says where they come from. Empty if they measured nothing.
std::optional<model::Baseline> baseline_of(model::Run run, std::string const& why);
/// The same for the sessions of one purpose.
std::optional<model::Baseline> baseline_of(model::Run run, model::SessionPurpose purpose, std::string const& why);
/// The same for several runs together, as from several cards of one model.
std::optional<model::Baseline> baseline_of(std::vector<model::Run> runs, std::string const& why);

}  // namespace perfcheck::results
