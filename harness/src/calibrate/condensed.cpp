// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "condensed.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::calibrate {

model::Rounds rounds_of(model::SessionSummary const& summary) {
  // Two rounds at the median and a third elsewhere: their median is the summary's, and the third gives them the mean
  // that the tail states. A small tail could make the third 0 or less, so it has a lower limit.
  double const off = std::max(0.01, 1 + 3 * (summary.tail - 1));
  model::Rounds rounds{.launches = 1,
                       .reference_launches = 1,
                       .time_ns = {summary.time_ns, summary.time_ns, summary.time_ns * off},
                       .reference_time_ns = {},
                       .clock_mhz = {},
                       .reference_clock_mhz = {}};
  rounds.reference_time_ns.assign(3, summary.time_ns / summary.ratio.value_or(1));
  if (summary.cycles) {
    rounds.clock_mhz.assign(3, *summary.cycles / summary.time_ns * 1e3);
    rounds.reference_clock_mhz = rounds.clock_mhz;
  }
  return rounds;
}

model::CaseResult condensed(model::CaseResult const& result) {
  std::string why;
  std::optional<model::SessionSummary> const summary = model::summarize(result, &why);
  if (!summary) {
    throw std::invalid_argument(fmt::format("{}: {}", result.id, why));
  }
  model::CaseResult copy;
  copy.id = result.id;
  copy.reference = result.reference;
  copy.status = result.status;
  copy.launches = result.launches;
  copy.injected_percent = result.injected_percent;
  copy.rounds = rounds_of(*summary);
  return copy;
}

}  // namespace perfcheck::calibrate
