// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What every writer of JSON needs: members that may be absent, digits, one line of text.
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

/// Counts (operations, bytes) that a double holds: all digits when it is a whole number, else six.
nlohmann::json count_json(double value);

/// A number as it is. Absent and not finite values leave no key: JSON has no NaN, and the reader must not meet a null.
void put_number(nlohmann::json& object, char const* key, std::optional<double> const& value);
/// Texts that may be unknown leave no key when empty.
void put_nonempty(nlohmann::json& object, char const* key, std::string const& value);
void put_nonempty(nlohmann::json& object, char const* key, std::vector<std::string> const& values);

/// Without blanks and line ends. Text from outside (a commit's subject, a driver's message) need not be UTF-8, JSON
/// must be: other bytes become U+FFFD.
std::string one_line_text(nlohmann::json const& value);
/// A document for other programs: two-space indent and a newline at the end.
std::string document_text(nlohmann::json const& value);

}  // namespace perfcheck::model
