// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers for everything that writes JSON: optional members, rounding, one-line text.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace perfcheck::model {

/// Clocks and timers are good to five digits at best; more would only make diffs longer.
inline constexpr int kMeasurementDigits = 6;
/// Ratios repeat to 2e-4, and their differences are what the gate looks at.
inline constexpr int kRatioDigits = 7;

/// The double nearest to `value` rounded to so many significant digits. Idempotent; never -0.
double rounded(double value, int digits);

/// A count (operations, bytes) held in a double: all digits if it is a whole number, else six.
nlohmann::json count_json(double value);

/// Writes a number unrounded. Absent and non-finite values are left out: JSON has no NaN, and readers reject null.
void put_number(nlohmann::json& object, char const* key, std::optional<double> const& value);
/// Leaves the key out if the value is empty.
void put_nonempty(nlohmann::json& object, char const* key, std::string const& value);
void put_nonempty(nlohmann::json& object, char const* key, std::vector<std::string> const& values);

/// Compact JSON on one line. Text from outside (a commit's subject, a driver's message) need not be UTF-8, but JSON
/// must be: invalid bytes become U+FFFD.
std::string one_line_text(nlohmann::json const& value);
/// A JSON document for other programs: two-space indent and a newline at the end.
std::string document_text(nlohmann::json const& value);

}  // namespace perfcheck::model
