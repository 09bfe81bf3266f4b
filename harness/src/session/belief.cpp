// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "belief.h"

#include "perfcheck/model/defences.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::session {
namespace {

using model::CaseStatus;
using model::Disbelief;

/// How far reported times may exceed the wait: two processes' clocks differ by less; the slack is for very short waits.
constexpr double kClockShare = 0.02;
constexpr double kClockSlackS = 0.01;
/// At least one replay in this many is compared; the slack is for few replays, which tell too little.
constexpr int64_t kComparedOneIn = 4;
constexpr int64_t kComparedSlack = 3;

double sum_s(std::vector<double> const& time_ns, int launches) {
  double sum = 0;
  for (double const time : time_ns) {
    sum += time * launches;
  }
  return sum * 1e-9;
}

model::KernelEntry const* entry_of(std::vector<model::KernelEntry> const& kernels, std::string const& case_id) {
  std::string const kernel = model::split_case_id(case_id).kernel;
  auto const found =
      std::find_if(kernels.begin(), kernels.end(), [&](auto const& entry) { return entry.id == kernel; });
  return found == kernels.end() ? nullptr : &*found;
}

std::optional<Disbelief> disbelief(model::CaseResult const& result, model::DeviceInfo const& device,
                                   std::vector<model::KernelEntry> const& kernels, double waited_s) {
  std::optional<Disbelief> reason;
  if (model::applies(model::Defence::physics)) {
    reason = model::implausible_time(result, device, entry_of(kernels, result.id), entry_of(kernels, result.reference));
  }
  if (!reason) reason = longer_than_waited(result, waited_s);
  if (!reason) reason = proves_too_little(result);
  return reason;
}

}  // namespace

std::optional<Disbelief> longer_than_waited(model::CaseResult const& result, double waited_s) {
  if (!result.rounds) return std::nullopt;
  model::Rounds const& rounds = *result.rounds;
  double const told_s =
      sum_s(rounds.time_ns, rounds.launches) + sum_s(rounds.reference_time_ns, rounds.reference_launches);
  if (told_s <= waited_s * (1 + kClockShare) + kClockSlackS) return std::nullopt;
  return Disbelief{CaseStatus::invalid,
                   fmt::format("its clock says {:.3g} s of launches, perfcheck waited {:.3g} s", told_s, waited_s)};
}

std::optional<Disbelief> proves_too_little(model::CaseResult const& result) {
  if (!result.rounds || !result.proof) return std::nullopt;
  model::Proof const& proof = *result.proof;
  std::size_t const timed = result.rounds->time_ns.size() + result.rounds->reference_time_ns.size();
  if (proof.replays < 0 || static_cast<std::size_t>(proof.replays) < timed) {
    return Disbelief{CaseStatus::invalid,
                     fmt::format("its proof is of {} replays, and it tells the times of {}", proof.replays, timed)};
  }
  if (proof.compared < 1 || proof.compared * kComparedOneIn < proof.replays - kComparedSlack) {
    return Disbelief{CaseStatus::invalid, fmt::format("compared {} of {} replays; at least one in four must be",
                                                      proof.compared, proof.replays)};
  }
  return std::nullopt;
}

void withhold(model::CaseResult& result, model::CaseStatus status, std::string message) {
  result.status = status;
  result.message = std::move(message);
  result.rounds.reset();
  result.proof.reset();
  result.stop_reason.clear();
}

void withhold_unbelievable(model::CaseResult& result, model::DeviceInfo const& device,
                           std::vector<model::KernelEntry> const& kernels, double waited_s) {
  if (result.status != CaseStatus::measured) return;
  std::optional<Disbelief> reason = disbelief(result, device, kernels, waited_s);
  if (reason) withhold(result, reason->status, std::move(reason->message));
}

}  // namespace perfcheck::session
