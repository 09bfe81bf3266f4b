// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Rejects times that the device cannot possibly reach. A kernel may fool the worker that runs it, but the limits of the
// device are known beforehand, so perfcheck checks them itself, outside of the worker.
#pragma once

#include "perfcheck/model/run.h"

#include <optional>
#include <string>

namespace perfcheck::model {

/// Why the times of a measured case are not believed: `implausible`, or `invalid` if what the kernel declares makes no
/// sense.
struct Disbelief {
  CaseStatus status = CaseStatus::implausible;
  std::string message;
};

/// Times below this share of the least possible time are rejected: clocks and peak rates are good to a percent.
inline constexpr double kPlausibleShare = 0.98;
/// The share of the operation's FLOP that a kernel without a declaration is assumed to execute, on the fastest units.
/// Strassen-like recursions that pay off save less than half, and structured sparsity saves half.
inline constexpr double kLeastWorkShare = 0.5;
/// The least share of an empty launch's time that a launch takes: launches partly overlap.
inline constexpr double kLeastLaunchShare = 0.5;

/// Compares every round of a measured case and of its reference with the least time that a launch can take on the
/// device: for its arithmetic, for its memory traffic, for the launch itself. `kernel` and `reference` hold what the
/// two kernels declare to execute; null means that nothing is declared. Empty if every time is possible, as far as the
/// device's limits are known, and for results without rounds.
std::optional<Disbelief> implausible_time(CaseResult const& result, DeviceInfo const& device, KernelEntry const* kernel,
                                          KernelEntry const* reference);

/// Prefix of the sentence from unknown_limits().
inline constexpr char const* kPhysicsNote = "physics: ";
/// Names the device limits that are unknown, so that times cannot be checked against them; empty if all are known.
std::optional<std::string> unknown_limits(DeviceInfo const& device);

}  // namespace perfcheck::model
