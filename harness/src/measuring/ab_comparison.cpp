// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/ab_comparison.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/gate/confirm.h"
#include "perfcheck/results/as_baseline.h"
#include "perfcheck/results/without_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace perfcheck::measuring {

using model::SessionPurpose;

namespace {

/// With fewer pairs, the fastest rounds can convict nobody among ten or twenty cases, whatever they show
/// (perfcheck/stats/precedence.h).
constexpr int kPairsOfSharedDevice = 8;

}  // namespace

gate::Decisions confirm(
    gate::Decisions const& decisions, Plan const& plan, std::vector<gate::PlannedLook> const& looks,
    std::function<void(std::vector<protocol::PlannedCase> const&, std::string const&, int)> const& measure,
    std::function<gate::Decisions(gate::Look)> const& decide) {
  return gate::confirm(
      decisions, looks,
      [&](std::set<std::string> const& ids, int from, int to) {
        std::vector<protocol::PlannedCase> const cases = with_ids(plan.cases, ids);
        measure(cases,
                fmt::format("{} {} case{}", from == 0 ? "confirming" : "looking again at", cases.size(),
                            cases.size() == 1 ? "" : "s"),
                to - from);
      },
      decide);
}

std::vector<std::string> scope_of_builds(Workbench const& bench, std::optional<model::Baseline> const& baseline) {
  if (!baseline) {
    return scope_of(bench.plan, nullptr);
  }
  model::Renames const& proposed = bench.config.names.proposed;
  auto const as_proposed = baselines::renamed(baseline, proposed, bench.baselines);
  std::vector<std::string> const ids = scope_of(bench.plan, &*as_proposed);
  std::set<std::string> const asked(ids.begin(), ids.end());
  std::set<std::string> scope;
  for (auto const& [id, entry] : baseline->cases) {
    if (asked.contains(proposed.now(id))) {
      scope.insert(id);
    }
  }
  std::ranges::transform(bench.plan.cases, std::inserter(scope, scope.end()), &protocol::PlannedCase::id);
  return {scope.begin(), scope.end()};
}

AbComparison::AbComparison(Workbench const& bench, Options const& options, Measurement& head, BaseBuild& base,
                           std::vector<std::string> const& scope, model::Baseline const* anchor)
    : bench_(bench),
      options_(options),
      head_(head),
      base_(base),
      scope_(scope.begin(), scope.end()),
      anchor_(anchor),
      policy_(bench.backend().policy) {
  for (std::string const& id : base_.case_ids()) {
    scope_.insert(id);
  }
  for (protocol::PlannedCase const& planned : bench.plan.cases) {
    planned_.insert(planned.id);
  }
  // A stored baseline needs sessions of several days or cards; the base, which is measured here and now, does not.
  policy_.min_baseline_sessions = std::min(policy_.min_baseline_sessions, options.pairs);
  policy_.demoted.push_back(model::Verdict::no_baseline);
  if (policy_.shared_device) {
    policy_.confirm_sessions = std::max(policy_.confirm_sessions, kPairsOfSharedDevice);
  }
}

gate::Decisions AbComparison::decide(gate::Look look) {
  gate::Names const& names = bench_.config.names;
  model::Renames const renames = gate::counted(names, base_.run().sessions, head_.run().sessions);
  model::Run const base = base_.run(renames);
  std::optional<model::Baseline> const screen = results::baseline_of(base, SessionPurpose::screen, kTheBaseBuild);
  std::optional<model::Baseline> const confirm = results::baseline_of(base, SessionPurpose::confirm, kTheBaseBuild);
  std::optional<model::Baseline> const anchor =
      anchor_ == nullptr ? std::nullopt : std::optional(model::renamed(*anchor_, renames, "the stored baseline"));
  gate::Observations seen = gate::observations_of(head_.run());
  seen.confirm_base = confirm ? &*confirm : nullptr;
  seen.base_fastest = gate::fastest_rounds(base.sessions, SessionPurpose::confirm);
  seen.anchor = anchor ? &*anchor : nullptr;
  seen.look = look;
  std::set<std::string> scope;
  std::ranges::transform(scope_, std::inserter(scope, scope.end()),
                         [&](std::string const& id) { return renames.now(id); });
  std::vector<std::string> const retired = gate::leave_out_retired(scope, names.retired, planned_);
  policy_.renamed = renames;
  gate::Decisions decisions =
      gate::decide(screen ? &*screen : nullptr, seen, {.case_ids = {scope.begin(), scope.end()}}, policy_);
  results::tell_without_base(decisions, base.sessions, seen.anchor, policy_);
  gate::tell_names(decisions, names, gate::old_ids(base_.run().sessions, renames));
  decisions.notes.insert(decisions.notes.end(), retired.begin(), retired.end());
  return decisions;
}

gate::Decisions AbComparison::run() {
  base_.add_pairs(head_, bench_.plan.cases, SessionPurpose::screen, "screen", options_.pairs);
  gate::Decisions screened = decide(gate::Look::last);
  if (options_.confirm == Options::Confirm::no) {
    return screened;
  }
  return confirm(
      screened, bench_.plan, policy_.looks(true),
      [&](std::vector<protocol::PlannedCase> const& cases, std::string const& label, int pairs) {
        base_.add_pairs(head_, cases, SessionPurpose::confirm, label, pairs);
      },
      [&](gate::Look look) { return decide(look); });
}

}  // namespace perfcheck::measuring
