// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text and JSON about findings of the audit and about levels that moved.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/audit.h"
#include "perfcheck/store/levels.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace perfcheck::baselines {

/// One indented line per finding, only a few unless `detail` is verbose. A finding that somebody accepted shows the
/// reason. Empty if there are no findings.
std::string findings_text(model::Baseline const& baseline, std::vector<store::Finding> const& findings, Detail detail);
nlohmann::json findings_json(model::Baseline const& baseline, std::vector<store::Finding> const& findings);

/// A table of what became slower, largest change first: a few lines, or all levels if `detail` is verbose. Then one
/// line about all levels. Empty if there are no earlier levels to compare with.
std::string levels_text(std::vector<store::LevelMove> const& moves, Detail detail);
nlohmann::json levels_json(std::vector<store::LevelMove> const& moves);

}  // namespace perfcheck::baselines
