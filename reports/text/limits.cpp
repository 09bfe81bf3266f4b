// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "text/limits.h"

#include "perfcheck/stats/proportion.h"

#include <fmt/format.h>

namespace perfcheck::report {

std::string percent_of(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string upper_limit(int events, int trials) {
  auto const limit = stats::proportion_upper_limit(events, trials, kConfidence);
  if (!limit) {
    return "-";
  }
  // "fewer than 0.0 %" would claim more than any number of trials can show.
  return *limit < 0.001 ? fmt::format("{:.2g} %", 100 * *limit) : percent_of(*limit);
}

}  // namespace perfcheck::report
