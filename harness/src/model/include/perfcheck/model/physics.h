// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times that no device can reach. Whoever holds the kernels may be fooled by them; what a device can do at most is
// known beforehand, so perfcheck checks it itself, from outside.
#pragma once

#include "perfcheck/model/run.h"

#include <optional>
#include <string>

namespace perfcheck::model {

/// Why the times of a measured case are not believed: `implausible`, or `invalid` where the claim itself makes no
/// sense.
struct Disbelief {
  CaseStatus status = CaseStatus::implausible;
  std::string message;
};

/// What is less than this share of the least possible time is not believed: clocks and peaks are good to a percent.
inline constexpr double kPlausibleShare = 0.98;
/// Of the operation's FLOP, what a kernel that declares nothing is taken to execute on the fastest units. Recursions in
/// the manner of Strassen that pay off save less, and structured sparsity saves half.
inline constexpr double kLeastWorkShare = 0.5;
/// Of an empty launch's time, what a launch takes at least: launches overlap in part.
inline constexpr double kLeastLaunchShare = 0.5;

/// Holds every round of a measured result, of the case and of its reference, against the least time that a launch
/// takes on the device: for its arithmetic, for the memory that it moves, for being launched. `kernel` and `reference`
/// tell what they declare to execute; null declares nothing. Empty when every time is possible, as far as the device's
/// limits are known, and for results without rounds.
std::optional<Disbelief> implausible_time(CaseResult const& result, DeviceInfo const& device, KernelEntry const* kernel,
                                          KernelEntry const* reference);

/// Begins the sentence of unknown_limits().
inline constexpr char const* kPhysicsNote = "physics: ";
/// A sentence about limits of the device that are not known, so that no time is held against them; empty when all are.
std::optional<std::string> unknown_limits(DeviceInfo const& device);

}  // namespace perfcheck::model
