// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Do two clocks tell the same time over a batch of replays?
#pragma once

#include <string>
#include <vector>

namespace perfcheck::worker {

/// One replay by two clocks, in nanoseconds.
struct ClockPair {
  double timed_ns = 0;  ///< by the clock whose time is reported
  double other_ns = 0;  ///< by the other one, less what only that one sees
};

/// How far apart two honest clocks may be on one replay, and in which share of the replays they may be further apart.
struct ClockTolerance {
  double absolute_ns = 0;
  double relative = 0;
  double share_beyond = 0;
};

/// The device's own timer, read by kernels that have the device to themselves: within 0.1 % and 3 us where no work
/// escapes the clock. A process that shares the device may take a slice of time in between.
inline constexpr ClockTolerance kDeviceClock{.absolute_ns = 10e3, .relative = 0.005, .share_beyond = 0.2};
/// The host's clock, which also sees its scheduler.
inline constexpr ClockTolerance kHostClock{.absolute_ns = 150e3, .relative = 0.02, .share_beyond = 0.5};

/// From written inputs to the first gate, and from the last gate to the kernel that takes the outputs: a few
/// microseconds where nobody uses the device in between. Compared with zero.
inline constexpr ClockTolerance kHandOver{.absolute_ns = 30e3, .relative = 0, .share_beyond = 0.34};

/// Why the two do not agree, as a sentence; empty when they do. NaN never agrees.
std::string clocks_disagree(std::vector<ClockPair> const& pairs, ClockTolerance const& tolerance,
                            std::string const& other);

/// Which of the launches that are replayed one by one count: some may be disturbed.
enum class StepsThatCount { middle_half, lower_quartile };

/// How much longer a launch on its own may take than one of many.
struct StepTolerance {
  double share = 0, absolute_ns = 0;
  StepsThatCount counts = StepsThatCount::middle_half;
};
/// On its own, a launch does not find its code and the data that it keeps in the caches, and cannot begin while the one
/// before it ends. Of 851 cases of 3.6 us to 1 ms on two H100, the median is 0.1 us shorter, and 99.5 in 100 are longer
/// by at most 1 us + 2 %. But honest launches of 90 us were longer, time after time, by 4.1 to 6.8 us on hosts with
/// several busy H100: cuBLAS with a split k, and kernels with two blocks per multiprocessor.
inline constexpr StepTolerance kCudaSteps{.share = 1.07, .absolute_ns = 1e3};
/// A core has neighbours and a scheduler, and threads of the kernel may have gone to sleep: most launches may be too
/// long. Few are too short: the scheduler may give the core away between the writing of the inputs and the clock's
/// start, and a thread of the kernel does the work meanwhile. Where two launches in 24 only copy and take 8 us, the
/// mean of the fastest is 616 us where it should be 738 us.
inline constexpr StepTolerance kCpuSteps{.share = 1.25, .absolute_ns = 3e3, .counts = StepsThatCount::lower_quartile};

/// Why launches that were replayed one by one do not support the time per launch of whole replays, as a sentence; empty
/// when they do. The latter count by their median. NaN supports nothing.
std::string steps_disagree(std::vector<double> const& alone_ns, std::vector<double> const& among_many_ns,
                           StepTolerance const& tolerance);

/// Why launches may not have had their inputs, or the outputs, to themselves; empty when they had. `what` names the two
/// moments, and `gaps` holds the time between them in each replay, in nanoseconds.
std::string gaps_too_long(std::vector<double> const& gaps, ClockTolerance const& tolerance, std::string const& what);

/// The median of the relative differences; 0 without pairs.
double median_deviation(std::vector<ClockPair> const& pairs);

}  // namespace perfcheck::worker
