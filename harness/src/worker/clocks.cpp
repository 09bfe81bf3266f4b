// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "clocks.h"

#include "perfcheck/model/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfcheck::worker {
namespace {

/// False for NaN.
bool agree(ClockPair const& pair, ClockTolerance const& tolerance) {
  return std::abs(pair.other_ns - pair.timed_ns) <= tolerance.absolute_ns + tolerance.relative * pair.timed_ns;
}

}  // namespace

std::string clocks_disagree(std::vector<ClockPair> const& pairs, ClockTolerance const& tolerance,
                            std::string const& other) {
  std::vector<ClockPair> beyond;
  for (auto const& pair : pairs) {
    if (!agree(pair, tolerance)) beyond.push_back(pair);
  }
  if (beyond.empty() ||
      static_cast<double>(beyond.size()) <= tolerance.share_beyond * static_cast<double>(pairs.size())) {
    return "";
  }
  ClockPair const& example = beyond[beyond.size() / 2];
  return fmt::format(
      "the clocks do not agree: in {} of {} replays, {} tells another time than the events around the "
      "launches, such as {:.1f} us instead of {:.1f} us: work outside of them, or a clock that was "
      "tampered with",
      beyond.size(), pairs.size(), other, example.other_ns / 1e3, example.timed_ns / 1e3);
}

std::string steps_disagree(std::vector<double> const& alone_ns, std::vector<double> const& among_many_ns,
                           StepTolerance const& tolerance) {
  auto const usual = model::median(among_many_ns);
  double const alone = (tolerance.counts == StepsThatCount::lower_quartile ? model::lower_quartile(alone_ns)
                                                                           : model::middle_mean(alone_ns))
                           .value_or(NAN);
  if (usual && alone <= tolerance.share * *usual + tolerance.absolute_ns) return "";
  return fmt::format(
      "a launch that was replayed on its own, on inputs written right before it, takes {:.2f} us; as one of many it "
      "was timed at {:.2f} us: launches share their work, fetch each other's inputs, or had not ended when the clock "
      "stopped",
      alone / 1e3, usual.value_or(NAN) / 1e3);
}

std::string gaps_too_long(std::vector<double> const& gaps, ClockTolerance const& tolerance, std::string const& what) {
  std::vector<double> beyond;
  for (double const gap : gaps) {
    if (!(gap >= 0 && gap <= tolerance.absolute_ns)) beyond.push_back(gap);  // true for NaN
  }
  if (static_cast<double>(beyond.size()) <= tolerance.share_beyond * static_cast<double>(gaps.size())) return "";
  return fmt::format(
      "something ran on the device {}: in {} of {} replays more than {:.0f} us lay in between, such as {:.1f} "
      "us",
      what, beyond.size(), gaps.size(), tolerance.absolute_ns / 1e3, beyond[beyond.size() / 2] / 1e3);
}

double median_deviation(std::vector<ClockPair> const& pairs) {
  std::vector<double> deviations;
  for (auto const& pair : pairs) deviations.push_back(std::abs(pair.other_ns / pair.timed_ns - 1));
  return model::median(deviations).value_or(0);
}

}  // namespace perfcheck::worker
