// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "blocks.h"

#include <perfcheck/model/median.h>

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::energy {
namespace {

/// Of the times that launches were added, in how many the device may have had nothing left to do. Each costs it
/// microseconds of ten milliseconds.
constexpr double kDryShare = 0.02;

double median_of(std::vector<Pair> const& pairs, double (*value)(Pair const&)) {
  std::vector<double> values;
  for (Pair const& pair : pairs) values.push_back(value(pair));
  auto const median = model::median(values);
  if (!median) throw BlockError("no pair of blocks was measured, or one of them is no number: measure again");
  return *median;
}

}  // namespace

bool Steps::take(double now, std::uint64_t millijoules) {
  if (begun_ && millijoules < last_) {
    throw BlockError(
        fmt::format("the energy counter went back from {} to {} mJ: it wrapped around, or the driver was loaded again; "
                    "measure again",
                    last_, millijoules));
  }
  if (begun_ && millijoules == last_) {
    if (!(now - since_ <= kPatience)) {
      throw BlockError(
          fmt::format("the energy counter stood at {} mJ for {:.1f} s although the device was busy: this driver does "
                      "not advance it",
                      millijoules, now - since_));
    }
    return false;
  }
  bool const step = begun_;
  begun_ = true;
  last_ = millijoules;
  since_ = now;
  return step;
}

Figures figures_of(Block const& block) {
  if (!(block.seconds >= kLeastSeconds)) {
    throw BlockError(
        fmt::format("a block of {:.3f} s is too short for a counter that advances every 0.1 s: it takes {} s",
                    block.seconds, kLeastSeconds));
  }
  if (block.end_mj < block.begin_mj) {
    throw BlockError(fmt::format("the energy counter went back from {} to {} mJ within a block: measure again",
                                 block.begin_mj, block.end_mj));
  }
  if (block.end_mj == block.begin_mj) {
    throw BlockError(fmt::format("the energy counter stood at {} mJ for a block of {:.1f} s: it does not advance",
                                 block.begin_mj, block.seconds));
  }
  if (block.steps < kFewestSteps) {
    throw BlockError(
        fmt::format("the energy counter made {} steps in a block of {:.1f} s, fewer than {}: use longer blocks",
                    block.steps, block.seconds, kFewestSteps));
  }
  if (block.launches <= 0 || !(block.device_seconds > 0)) {
    throw BlockError("no launch ended in a block: use longer blocks, or a smaller problem");
  }
  if (block.ran_dry > std::max(1.0, kDryShare * block.queued)) {
    throw BlockError(
        fmt::format("the device ran out of launches {} times of {}: its power is not that of the kernel; use "
                    "a less busy machine, or a larger problem",
                    block.ran_dry, block.queued));
  }
  Figures figures;
  figures.watts = static_cast<double>(block.end_mj - block.begin_mj) / 1e3 / block.seconds;
  double const launch_seconds = block.device_seconds / static_cast<double>(block.launches);
  figures.time_ns = launch_seconds * 1e9;
  figures.joules = figures.watts * launch_seconds;
  figures.clock_mhz = block.clock_mhz;
  return figures;
}

Summary summary_of(std::vector<Pair> const& pairs) {
  return {
      .kernel = {.joules = median_of(pairs, [](Pair const& pair) { return pair.kernel.joules; }),
                 .watts = median_of(pairs, [](Pair const& pair) { return pair.kernel.watts; }),
                 .time_ns = median_of(pairs, [](Pair const& pair) { return pair.kernel.time_ns; }),
                 .clock_mhz = median_of(pairs, [](Pair const& pair) { return pair.kernel.clock_mhz; })},
      .reference = {.joules = median_of(pairs, [](Pair const& pair) { return pair.reference.joules; }),
                    .watts = median_of(pairs, [](Pair const& pair) { return pair.reference.watts; }),
                    .time_ns = median_of(pairs, [](Pair const& pair) { return pair.reference.time_ns; }),
                    .clock_mhz = median_of(pairs, [](Pair const& pair) { return pair.reference.clock_mhz; })},
      .of_reference = median_of(pairs, [](Pair const& pair) { return pair.kernel.joules / pair.reference.joules; })};
}

}  // namespace perfcheck::energy
