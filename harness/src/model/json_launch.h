// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON forms that results and baselines share: what was launched, and the work that it did.
#pragma once

#include "perfcheck/model/run.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace perfcheck::model {

nlohmann::json launch_to_json(LaunchAttributes const& launch);
LaunchAttributes launch_from_json(nlohmann::json const& source, std::string_view origin, std::string_view place);

}  // namespace perfcheck::model
