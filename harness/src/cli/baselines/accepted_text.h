// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What `baseline accept` says of one file: what was accepted into it, and by how much that moves levels.
#pragma once

#include "command_line/options.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/levels.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace perfcheck::cli {

nlohmann::json accepted_json(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                             std::string const& file);
std::string accepted_text(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                          std::string const& file, Detail detail);

}  // namespace perfcheck::cli
