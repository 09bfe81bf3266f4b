// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a machine is fit for measuring. The state of an unfit machine never turns into a verdict on the code.
#pragma once

#include "perfcheck/model/run.h"

#include <string>
#include <vector>

namespace perfcheck::gate {

/// What a machine must be like.
struct FitnessPolicy {
  std::string driver;           ///< glob that the driver's version must match; empty: any
  int max_other_processes = 0;  ///< how many processes besides the worker may use the device
  /// Reasons for a low clock that make a measurement unfit. The power cap is not one of them: large kernels reach it on
  /// every card.
  std::vector<std::string> throttle = {"hardware slowdown", "hardware thermal slowdown", "software thermal slowdown",
                                       "power brake", "thermal violation"};
  double retry_s = 600;  ///< how long to wait and measure again before giving up on the machine
};

/// Why the machine is not fit, each reason as "cause: what was seen"; empty when it is fit. Causes: busy, throttled,
/// faulty, wrong driver. State that the worker could not read never makes a machine unfit.
std::vector<std::string> unfit_reasons(FitnessPolicy const& policy, model::Environment const& environment,
                                       model::DeviceState const& state);

/// Those of `reasons` that can explain a result of this status, so that it says nothing about the code: another process
/// cannot make outputs wrong, but a memory error can.
std::vector<std::string> unfit_for(model::CaseStatus status, std::vector<std::string> const& reasons);

/// Why a stored result says nothing about the code: those of its reasons (model::CaseResult::unfit) that can explain
/// its status and that the recorded state of the device, if there is one, confirms.
std::vector<std::string> believed_unfit(model::CaseResult const& result);

}  // namespace perfcheck::gate
