// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of day, names made of it, and how long something took.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace perfcheck::clock {

/// Now in UTC, ISO 8601: "2026-11-21T08:15:02Z".
std::string utc_now();
/// A time, in seconds since 1970, in the same form.
std::string utc_text(std::time_t time);
/// How long ago that was.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
/// Unique enough for every machine of a fleet: "20261121T081502Z-3f2a91".
std::string new_run_id();

}  // namespace perfcheck::clock
