// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sessions within hours of each other share a boot, a driver load, neighbours and the weather.
#pragma once

#include <string>

namespace perfcheck::gate {

/// The occasion on which a session was measured, as a number: 0 for sessions less than kOccasionHours before or after
/// `reference`, then one number for each further stretch of that length, negative before and positive after. Times are
/// UTC, "2026-11-21T08:15:02Z"; a time that cannot be parsed belongs to occasion 0.
int occasion_of(std::string const& started, std::string const& reference);

inline constexpr int kOccasionHours = 3;

}  // namespace perfcheck::gate
