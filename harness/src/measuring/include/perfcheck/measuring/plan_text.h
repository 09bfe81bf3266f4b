// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a worker, and the cases that a suite comes to.
#pragma once

#include "perfcheck/measuring/workbench.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace perfcheck::measuring {

/// Kernels and cases for a person; of the kernels those that have a case, where there are filters.
std::string plan_text(Workbench const& bench, std::vector<std::string> const& filters);
/// perfcheck.list/1, see docs/cli.md.
nlohmann::json plan_json(Workbench const& bench, std::vector<std::string> const& filters);

}  // namespace perfcheck::measuring
