// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How measured numbers and values that may be absent become JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::model {

/// Clocks and timers are good to five digits at best; more would only make diffs longer.
inline constexpr int kMeasurementDigits = 6;
/// Ratios repeat to 2e-4, and their differences are what the gate looks at.
inline constexpr int kRatioDigits = 7;

/// The double nearest to `value` rounded to so many significant digits. Idempotent; never -0.
double rounded(double value, int digits);
nlohmann::json measurement(double value);
nlohmann::json measurements(std::vector<double> const& values, int digits = kMeasurementDigits);
/// Counts (operations, bytes) that a double holds: all digits when it is a whole number.
nlohmann::json count_json(double value);

/// Absent and not finite values leave no key: JSON has no NaN, and the reader must not meet a null.
void put_optional(nlohmann::json& object, char const* key, std::optional<double> const& value);
/// Texts that may be unknown leave no key when empty.
void put_nonempty(nlohmann::json& object, char const* key, std::string const& value);

}  // namespace perfcheck::model
