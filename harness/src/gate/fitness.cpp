// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/fitness.h"

#include "perfcheck/gate/glob.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfcheck::gate {
namespace {

constexpr char const* kBusy = "busy";
constexpr char const* kThrottled = "throttled";
constexpr char const* kFaulty = "faulty";
constexpr char const* kDriver = "wrong driver";

bool is_cause(std::string const& reason, char const* cause) { return reason.starts_with(std::string(cause) + ":"); }

/// Causes that can bring about a status even if the code is not to blame.
std::vector<char const*> causes_of(model::CaseStatus status) {
  switch (status) {
    case model::CaseStatus::measured: return {kBusy, kThrottled, kFaulty, kDriver};
    case model::CaseStatus::incorrect:
    case model::CaseStatus::crashed: return {kFaulty};
    // Another process takes turns with the kernels, so that the clocks of host and device may disagree.
    case model::CaseStatus::invalid: return {kBusy, kFaulty};
    // Whatever is wrong with a machine makes it slower, never impossibly fast.
    case model::CaseStatus::implausible: return {};
    case model::CaseStatus::timed_out:
    case model::CaseStatus::failed: return {kBusy, kThrottled, kFaulty};
    case model::CaseStatus::skipped: return {};
  }
  return {};
}

/// Whether the state of the device confirms a reason. Without a recorded state the reason is believed.
bool is_borne_out(std::string const& reason, std::optional<model::DeviceState> const& state) {
  if (!state) return true;
  if (is_cause(reason, kBusy)) return state->other_processes.value_or(0) > 0;
  if (is_cause(reason, kThrottled)) return !state->throttle_reasons.empty();
  return !is_cause(reason, kFaulty) || !state->faults.empty();
}

}  // namespace

std::vector<std::string> unfit_reasons(FitnessPolicy const& policy, model::Environment const& environment,
                                       model::DeviceState const& state) {
  std::vector<std::string> reasons;
  if (!policy.driver.empty() && !glob_matches(policy.driver, environment.driver)) {
    reasons.push_back(fmt::format("{}: {}, and [fitness] asks for {}", kDriver,
                                  environment.driver.empty() ? "unknown" : environment.driver, policy.driver));
  }
  if (int const others = state.other_processes.value_or(0); others > policy.max_other_processes) {
    std::string const who = state.processes.empty() ? fmt::format("{} other process{}", others, others == 1 ? "" : "es")
                                                    : fmt::format("{}", fmt::join(state.processes, ", "));
    reasons.push_back(fmt::format("{}: {} on the device", kBusy, who));
  }
  for (std::string const& reason : state.throttle_reasons) {
    if (std::ranges::find(policy.throttle, reason) != policy.throttle.end()) {
      reasons.push_back(fmt::format("{}: {}", kThrottled, reason));
    }
  }
  for (std::string const& fault : state.faults) {
    reasons.push_back(fmt::format("{}: {}", kFaulty, fault));
  }
  return reasons;
}

std::vector<std::string> unfit_for(model::CaseStatus status, std::vector<std::string> const& reasons) {
  std::vector<char const*> const causes = causes_of(status);
  std::vector<std::string> telling;
  std::ranges::copy_if(reasons, std::back_inserter(telling), [&](std::string const& reason) {
    return std::ranges::any_of(causes, [&](char const* cause) { return is_cause(reason, cause); });
  });
  return telling;
}

std::vector<std::string> believed_unfit(model::CaseResult const& result) {
  // A recording may reject a session that is far off the others. That reason concerns times only, so it excuses no
  // other status.
  std::vector<std::string> reasons =
      result.status == model::CaseStatus::measured ? result.unfit : unfit_for(result.status, result.unfit);
  std::erase_if(reasons, [&](std::string const& reason) { return !is_borne_out(reason, result.state); });
  return reasons;
}

}  // namespace perfcheck::gate
