// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the audit found, and by how much levels move, for people and machines.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/audit.h"
#include "perfcheck/store/levels.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace perfcheck::baselines {

/// A line for each finding, indented; not more than a few unless `detail` is verbose. Those that somebody accepted say
/// why. Empty where nothing is odd.
std::string findings_text(model::Baseline const& baseline, std::vector<store::Finding> const& findings, Detail detail);
nlohmann::json findings_json(model::Baseline const& baseline, std::vector<store::Finding> const& findings);

/// What became slower, the largest first, as a table of a few lines, or with `detail` verbose of all levels; and all of
/// them in one line. Empty where no level moved because none was there before.
std::string levels_text(std::vector<store::LevelMove> const& moves, Detail detail);
nlohmann::json levels_json(std::vector<store::LevelMove> const& moves);

}  // namespace perfcheck::baselines
