// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/undecided.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace perfcheck::results {
namespace {

/// Reasons whose texts already say what is needed.
constexpr std::array<std::string_view, 3> kOthers = {"needs_confirmation", "too_few_baseline_sessions",
                                                     "noise_unknown"};

bool is_demoted(model::Verdict verdict, gate::Policy const& policy) {
  return std::ranges::find(policy.demoted, verdict) != policy.demoted.end();
}

/// Measured as often as the policy asks for, and still not clear.
bool is_unclear(gate::CaseDecision const& decision) {
  return decision.verdict == model::Verdict::inconclusive &&
         std::ranges::find(kOthers, decision.reason_code) == kOthers.end();
}

}  // namespace

void worsen(gate::Decisions& decisions, model::Verdict verdict, gate::Policy const& policy) {
  if (!is_demoted(verdict, policy)) {
    decisions.exit_code = model::worse(decisions.exit_code, model::exit_code_of(verdict));
  }
}

void advise_undecided(gate::Decisions& decisions, gate::Policy const& policy, ComparedWith with) {
  auto const unclear = std::ranges::count_if(decisions.cases, is_unclear);
  if (!policy.shared_device || is_demoted(model::Verdict::inconclusive, policy) || unclear == 0) {
    return;
  }
  decisions.notes.push_back(
      fmt::format("undecided is not green: what others did on this device hides whether {} case{} became slower. Check "
                  "again when it "
                  "is quieter{}; --demote inconclusive lets it pass unseen",
                  unclear, unclear == 1 ? "" : "s",
                  with == ComparedWith::base_build ? ", or on a machine of its own"
                                                   : ", compare with a base build in the same minutes (perfcheck ab "
                                                     "--base-ref COMMIT), or take a machine of its "
                                                     "own"));
}

}  // namespace perfcheck::results
