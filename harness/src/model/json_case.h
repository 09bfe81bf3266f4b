// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading a case of a run that another program measured.
#pragma once

#include "perfcheck/model/run.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace perfcheck::model {

/// As case_result_from_json(), for a run with `imported_from`: nobody verified its results, so a measured case needs no
/// verification, and one that is its own control needs no times of a reference. Workers are held to the strict form.
CaseResult imported_case_from_json(nlohmann::json const& json, std::string_view origin, std::string_view place);

}  // namespace perfcheck::model
