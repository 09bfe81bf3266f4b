// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the kernels of a worker and the cases of a suite.
#pragma once

#include "perfcheck/measuring/workbench.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace perfcheck::measuring {

/// Kernels and cases for a person. With filters, only kernels that have a case.
std::string plan_text(Workbench const& bench, std::vector<std::string> const& filters);
/// perfcheck.list/1, see docs/cli.md.
nlohmann::json plan_json(Workbench const& bench, std::vector<std::string> const& filters);

}  // namespace perfcheck::measuring
