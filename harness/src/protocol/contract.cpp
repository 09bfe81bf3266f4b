// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/protocol/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfcheck::protocol {
namespace {

/// Numbers in a result are rounded to six significant digits.
constexpr double kSameNumber = 1e-5;

/// False for NaN.
bool same_number(double a, double b) { return std::abs(a - b) <= kSameNumber * std::max(std::abs(a), std::abs(b)); }

Breach measured_breach(MeasureOptions const& options, model::CaseResult const& result) {
  if (options.verify_only) return "a case that was only to be verified came back measured";
  if (!result.proof) return "a measured case came back without \"proof\" of what was timed";
  if (!same_number(result.injected_percent, options.inject_percent)) {
    return fmt::format("asked to inject {} percent, injected {}", options.inject_percent, result.injected_percent);
  }
  return {};
}

Breach skipped_breach(MeasureOptions const& options, model::CaseResult const& result) {
  if (!options.verify_only) {
    return "a case that was planned to run came back skipped; a worker says in its plan what it skips";
  }
  if (result.skip_reason != model::SkipReason::verify_only) {
    return fmt::format("a case that was only to be verified is skipped for another reason than {}",
                       model::to_text(model::SkipReason::verify_only));
  }
  return {};
}

}  // namespace

Breach hello_breach(HelloRequest const& request, HelloAnswer const& answer) {
  if (answer.device.index != request.device) {
    return fmt::format("asked for device {}, the worker uses device {}", request.device, answer.device.index);
  }
  if (answer.device.backend != answer.worker.backend) {
    return fmt::format("a worker of backend \"{}\" with a device of backend \"{}\"", answer.worker.backend,
                       answer.device.backend);
  }
  std::set<std::string_view> ids;
  for (model::KernelEntry const& kernel : answer.kernels) {
    if (!ids.insert(kernel.id).second) return fmt::format("kernel {} is listed twice", kernel.id);
    if (!kernel.library.empty() && !answer.environment.libraries.contains(kernel.library)) {
      return fmt::format("kernel {} is of library \"{}\", whose version environment.libraries does not tell", kernel.id,
                         kernel.library);
    }
  }
  return {};
}

Breach plan_breach(PlanAnswer const& answer) {
  std::set<std::string_view> ids;
  for (PlannedCase const& planned : answer.cases) {
    if (!ids.insert(planned.id).second) {
      return fmt::format("case {} is planned twice; name each problem once", planned.id);
    }
  }
  return {};
}

Breach result_breach(MeasureRequest const& request, model::CaseResult const& result) {
  if (result.id != request.case_id) {
    return fmt::format("asked for {}, the result is of {}", request.case_id, result.id);
  }
  switch (result.status) {
    case model::CaseStatus::measured: return measured_breach(request.options, result);
    case model::CaseStatus::skipped: return skipped_breach(request.options, result);
    case model::CaseStatus::incorrect:
    case model::CaseStatus::implausible:
    case model::CaseStatus::invalid:
    case model::CaseStatus::crashed:
    case model::CaseStatus::timed_out:
    case model::CaseStatus::failed: return {};
  }
  return "a status that has no meaning";
}

Breach launches_breach(LaunchesRequest const& request, LaunchesAnswer const& answer) {
  if (answer.case_id != request.case_id) {
    return fmt::format("asked for the launches of {}, the answer is about {}", request.case_id, answer.case_id);
  }
  if (!answer.message.empty() && !answer.launches.empty()) {
    return fmt::format("it tells launches of {} and says that it could not launch it", request.case_id);
  }
  if (answer.context_lost && answer.message.empty()) {
    return fmt::format("the context was lost with {}, and it does not say why", request.case_id);
  }
  return {};
}

}  // namespace perfcheck::protocol
