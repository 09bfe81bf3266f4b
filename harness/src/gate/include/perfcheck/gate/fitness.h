// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a machine is fit to be measured on. An unfit machine is never turned into a verdict on the code.
#pragma once

#include "perfcheck/model/run.h"

#include <string>
#include <vector>

namespace perfcheck::gate {

/// What a machine must be like.
struct FitnessPolicy {
  std::string driver;           ///< glob that the driver's version must match; empty: any
  int max_other_processes = 0;  ///< that may use the device beside the worker
  /// Reasons for a low clock that make a measurement unfit. A power cap is none: large kernels run at it on every card.
  std::vector<std::string> throttle = {"hardware slowdown", "hardware thermal slowdown", "software thermal slowdown",
                                       "power brake", "thermal violation"};
  double retry_s = 600;  ///< time for waiting and measuring again before the machine is given up
};

/// Why the machine is not fit, each as "cause: what was seen"; empty when it is. Causes: busy, throttled, faulty,
/// wrong driver. What the worker could not tell makes nothing unfit.
std::vector<std::string> unfit_reasons(FitnessPolicy const& policy, model::Environment const& environment,
                                       model::DeviceState const& state);

/// Those of `reasons` that take away what a result of this status says about the code: another process does not make a
/// result wrong, but a memory error does.
std::vector<std::string> unfit_for(model::CaseStatus status, std::vector<std::string> const& reasons);

/// Why a stored result says nothing: those of its reasons (model::CaseResult::unfit) that take away what its status
/// says, and that the state of the device bears out where it was read.
std::vector<std::string> believed_unfit(model::CaseResult const& result);

}  // namespace perfcheck::gate
