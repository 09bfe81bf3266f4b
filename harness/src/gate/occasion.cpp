// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "occasion.h"

#include <chrono>
#include <cstdio>
#include <optional>

namespace perfcheck::gate {
namespace {

using Seconds = std::chrono::seconds;

std::optional<Seconds> parsed(std::string const& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day, &hour, &minute, &second) != 6) {
    return std::nullopt;
  }
  std::chrono::year_month_day const date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         Seconds(second);
}

}  // namespace

int occasion_of(std::string const& started, std::string const& reference) {
  std::optional<Seconds> const session = parsed(started), now = parsed(reference);
  if (!session || !now) {
    return 0;
  }
  constexpr Seconds kLength = std::chrono::hours(kOccasionHours);
  Seconds const apart = *session - *now;
  return static_cast<int>(apart / kLength);  // rounds towards zero, so anything closer than one length is 0
}

}  // namespace perfcheck::gate
