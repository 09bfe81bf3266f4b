// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a launch costs in joules, from the energy counter of a device that launched one kernel for seconds. Pure: the
// counter is read elsewhere.
//
// The counter is that of the whole board, in millijoules since the driver was loaded, and it advances in steps, about
// every 100 ms on data-centre GPUs. A reading is therefore up to a step old. So a block begins and ends at a step that
// was just seen, while the same kernel keeps running before, between and after: the power between the two steps is
// that of the kernel, to one interval of polling in five seconds. The energy of a launch is this power times the time
// of a launch, which the device's own events measure.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfcheck::energy {

/// A block that gives no energy. The text says why, and what to do.
class BlockError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The shortest block, in seconds, and the fewest steps of the counter in one: an error of a tenth of a step is then
/// below 1 %.
inline constexpr double kLeastSeconds = 2;
inline constexpr int kFewestSteps = 15;
/// How long a busy device's counter may stand still, in seconds: twenty times its usual step.
inline constexpr double kPatience = 2;

/// Finds the counter's steps in readings that are taken more often than it advances.
class Steps {
 public:
  /// Takes a reading, `now` in seconds; returns whether the counter has advanced since the one before. The first
  /// reading is no step. Throws BlockError if the counter went back, or has stood still for kPatience.
  bool take(double now, std::uint64_t millijoules);

 private:
  bool begun_ = false;
  std::uint64_t last_ = 0;
  double since_ = 0;  // when the counter was first seen as it is
};

/// Launches of one kernel, one right after the other, between two steps of the counter.
struct Block {
  std::uint64_t begin_mj = 0, end_mj = 0;  ///< the counter at the two steps
  double seconds = 0;                      ///< between them, by the host's clock
  int steps = 0;                           ///< of the counter, behind the first and up to the last
  std::int64_t launches = 0;               ///< between two events of the device
  double device_seconds = 0;               ///< between these events
  int queued = 0;                          ///< how often launches were added to the device's queue
  int ran_dry = 0;                         ///< how often nothing was left in it then
  double clock_mhz = 0;                    ///< mean of the SM clock at the steps; 0 where it cannot be read
};

/// What a block says of one launch.
struct Figures {
  double joules = 0;  ///< of the whole board, during one launch
  double watts = 0;
  double time_ns = 0;
  double clock_mhz = 0;  ///< 0: not known
};

/// Throws BlockError where a block is too short or has too few steps, where the counter did not advance, or the device
/// was not kept busy.
Figures figures_of(Block const& block);

/// A block of a kernel, and one of its reference right before or after it.
struct Pair {
  Figures kernel, reference;
};

/// A kernel's pairs on one problem.
struct Measured {
  std::string kernel, reference, problem;
  std::vector<Pair> pairs;
};

struct Summary {
  Figures kernel, reference;  ///< medians, each of its own
  double of_reference = 0;    ///< median of each pair's joules of the kernel over those of the reference
};
/// Throws BlockError if there is no pair.
Summary summary_of(std::vector<Pair> const& pairs);

/// Whether the reference goes first in a pair: in turns, so that a card that warms up favours neither.
constexpr bool reference_first(int pair) { return pair % 2 == 0; }

}  // namespace perfcheck::energy
