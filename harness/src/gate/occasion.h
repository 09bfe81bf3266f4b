// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sessions within hours of each other share a boot, a loaded driver, neighbours and the weather.
#pragma once

#include <string>

namespace perfcheck::gate {

/// The occasion on which a session was measured, as a number: sessions less than kOccasionHours before or after
/// `reference` are of occasion 0, others of one per stretch of as many hours. Times are UTC, "2026-11-21T08:15:02Z";
/// one that cannot be read is of occasion 0.
int occasion_of(std::string const& started, std::string const& reference);

inline constexpr int kOccasionHours = 3;

}  // namespace perfcheck::gate
