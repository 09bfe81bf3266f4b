// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "measuring/duel.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::cli {

using model::SessionPurpose;

std::vector<protocol::PlannedCase> to_confirm(gate::Decisions const& decisions, Plan const& plan) {
  std::set<std::string> flagged;
  for (gate::CaseDecision const& decision : decisions.cases) {
    if (decision.wants_confirmation) {
      flagged.insert(decision.id);
    }
  }
  std::vector<protocol::PlannedCase> cases;
  std::copy_if(plan.cases.begin(), plan.cases.end(), std::back_inserter(cases),
               [&](protocol::PlannedCase const& one) { return flagged.contains(one.id); });
  return cases;
}

Duel::Duel(Workbench const& bench, Options const& options, Measurement& head, BaseBuild& base,
           std::vector<std::string> const& scope)
    : bench_(bench),
      options_(options),
      head_(head),
      base_(base),
      scope_(scope.begin(), scope.end()),
      policy_(bench.backend().policy) {
  for (std::string const& id : base_.case_ids()) {
    scope_.insert(id);
  }
  // The base was measured here and now: a stored baseline needs sessions of several days or cards, this one does not.
  policy_.min_baseline_sessions = std::min(policy_.min_baseline_sessions, options.pairs);
  policy_.demoted.push_back(model::Verdict::no_baseline);
}

gate::Decisions Duel::decide() {
  std::optional<model::Baseline> const screen = base_.baseline(SessionPurpose::screen);
  std::optional<model::Baseline> const confirm = base_.baseline(SessionPurpose::confirm);
  gate::Observations seen = gate::observations_of(head_.run());
  seen.confirm_base = confirm ? &*confirm : nullptr;
  gate::Decisions decisions =
      gate::decide(screen ? &*screen : nullptr, seen, {.case_ids = {scope_.begin(), scope_.end()}}, policy_);
  for (gate::CaseDecision& decision : decisions.cases) {
    if (decision.verdict == model::Verdict::no_baseline) {
      decision.reason = "the base build has no such case, or could not measure it";
    }
  }
  return decisions;
}

gate::Decisions Duel::run() {
  base_.add_pairs(head_, bench_.plan.cases, SessionPurpose::screen, "screen", options_.pairs);
  gate::Decisions screened = decide();
  std::vector<protocol::PlannedCase> const flagged = to_confirm(screened, bench_.plan);
  if (flagged.empty() || options_.confirm == Options::Confirm::no) {
    return screened;
  }
  base_.add_pairs(head_, flagged, SessionPurpose::confirm,
                  fmt::format("confirming {} flagged case{}", flagged.size(), flagged.size() == 1 ? "" : "s"),
                  policy_.confirm_sessions);
  return decide();
}

}  // namespace perfcheck::cli
