// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How measured numbers and values that may be absent become JSON.
#pragma once

#include "perfcheck/model/json_members.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::model {

nlohmann::json measurement(double value);
nlohmann::json measurements(std::vector<double> const& values, int digits = kMeasurementDigits);

/// put_number() of a measurement.
void put_optional(nlohmann::json& object, char const* key, std::optional<double> const& value);

}  // namespace perfcheck::model
