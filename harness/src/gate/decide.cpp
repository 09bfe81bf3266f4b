// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "anchor.h"
#include "evidence.h"
#include "explain.h"
#include "fastest.h"
#include "judge_all.h"
#include "notes.h"
#include "outcome.h"
#include "perfcheck/gate/glob.h"
#include "roles.h"

#include "perfcheck/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfcheck::gate {
namespace {

using model::Verdict;

// If a run is not tiny and more than this share of its cases moved, the machine is more likely the cause than the code.
constexpr double kSuspiciousShare = 0.2;
constexpr std::size_t kSuspiciousFrom = 10;

/// The decision about a case whose evidence cannot be judged; empty when it can.
std::optional<CaseDecision> unjudgeable(Evidence const& evidence, Policy const& policy) {
  if (evidence.needs_sessions) {
    return verdict_of(evidence.id, Verdict::inconclusive, "too_few_baseline_sessions",
                      fmt::format("the baseline holds {} of the {} sessions that a decision needs; measure more with "
                                  "perfcheck run --sessions and accept them with perfcheck baseline accept",
                                  evidence.baseline_sessions, policy.min_baseline_sessions));
  }
  if (evidence.basis == Basis::incomparable) {
    return verdict_of(
        evidence.id, Verdict::incomparable, evidence.obstacle_code,
        fmt::format("{}; accept a new baseline for it with perfcheck baseline accept", evidence.obstacle));
  }
  return std::nullopt;
}

template <typename Map>
auto find_or_null(Map const& map, std::string const& key) -> typename Map::mapped_type const* {
  auto const found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// Decisions about every id, in no particular order.
Judged decide_cases(model::Baseline const* baseline, Observations const& observations, Scope const& scope,
                    Policy const& policy) {
  std::map<std::string, Observation> seen;
  std::set<std::string> ids(scope.case_ids.begin(), scope.case_ids.end());
  for (Observation const& observation : observations.cases) {
    seen[observation.id] = observation;
    ids.insert(observation.id);
  }
  std::vector<CaseDecision> decisions;
  std::vector<Evidence> evidence;
  for (std::string const& id : ids) {
    Observation const* observation = find_or_null(seen, id);
    model::BaselineCase const* stored = baseline == nullptr ? nullptr : find_or_null(baseline->cases, id);
    if (auto outcome = outcome_without_numbers(id, observation, stored, baseline != nullptr)) {
      decisions.push_back(std::move(*outcome));
      continue;
    }
    std::string why_not;
    model::BaselineSession const& measured_on = observations.places.at(observation->place);
    std::optional<Evidence> gathered =
        gather({*baseline, observations.confirm_base, measured_on, policy}, *stored, *observation, why_not);
    if (!gathered) {
      decisions.push_back(verdict_of(id, Verdict::invalid, "unusable_numbers", why_not));
    } else if (auto decision = unjudgeable(*gathered, policy)) {
      decisions.push_back(std::move(*decision));
    } else {
      evidence.push_back(std::move(*gathered));
    }
  }
  Judged judged = judge_all(evidence, observations.look, policy);
  ask_fastest_rounds(evidence, observations, policy, judged.cases);
  std::move(decisions.begin(), decisions.end(), std::back_inserter(judged.cases));
  return judged;
}

/// The cases that are slower than in the accepted baseline, where the verdicts compare the new sessions with another
/// build.
std::map<std::string, double> behind(model::Baseline const* baseline, Observations const& observations,
                                     Policy const& policy) {
  bool const builds = observations.confirm_base != nullptr || observations.anchor != nullptr;
  model::Baseline const* const anchor = observations.anchor != nullptr ? observations.anchor : baseline;
  std::vector<Evidence> evidence;
  for (Observation const& seen : observations.cases) {
    model::BaselineCase const* stored = anchor == nullptr ? nullptr : find_or_null(anchor->cases, seen.id);
    if (!builds || stored == nullptr || outcome_without_numbers(seen.id, &seen, stored, true)) {
      continue;
    }
    std::string why_not;
    std::optional<Evidence> gathered =
        gather({*anchor, nullptr, observations.places.at(seen.place), policy}, *stored, seen, why_not);
    if (gathered && !unjudgeable(*gathered, policy)) {
      evidence.push_back(std::move(*gathered));
    }
  }
  return behind_anchor(evidence, policy);
}

void tell_behind(Decisions& decisions, std::map<std::string, double> const& behind) {
  std::map<std::string, double> passed;  // a case that fails anyway needs no note that blames the base
  for (CaseDecision& decision : decisions.cases) {
    auto const found = behind.find(decision.id);
    if (found != behind.end()) {
      decision.behind = found->second;
      decision.reason += fmt::format("; {:+.2f} % against the accepted baseline", 100 * found->second);
      if (decision.verdict == Verdict::pass || decision.verdict == Verdict::improved) {
        passed.insert(*found);
      }
    }
  }
  if (std::string note = behind_note(passed); !note.empty()) {
    decisions.notes.push_back(std::move(note));
  }
}

bool was_measured(CaseDecision const& decision) {
  return decision.verdict != Verdict::skipped && decision.verdict != Verdict::missing;
}

/// Adds notes, without repeating those that several cards of a fan-out have in common.
void add_notes(Decisions& decisions, std::vector<std::string> const& notes) {
  for (std::string const& note : notes) {
    if (std::ranges::find(decisions.notes, note) == decisions.notes.end()) {
      decisions.notes.push_back(note);
    }
  }
}

void add_run_notes(Decisions& decisions) {
  std::size_t const measured =
      static_cast<std::size_t>(std::count_if(decisions.cases.begin(), decisions.cases.end(), was_measured));
  std::size_t const moved = static_cast<std::size_t>(
      std::count_if(decisions.cases.begin(), decisions.cases.end(), [](CaseDecision const& decision) {
        std::optional<Witness> const witness = decision.deciding();
        return !decision.decided_by.empty() && witness &&
               std::abs(std::log1p(witness->change)) > std::log1p(decision.margin);
      }));
  if (decisions.cases.empty()) {
    decisions.notes.push_back("no case matched; `perfcheck list` shows what there is");
  } else if (measured == 0) {
    decisions.notes.push_back("no case was measured; `perfcheck list` shows why");
  } else if (measured >= kSuspiciousFrom &&
             static_cast<double>(moved) > kSuspiciousShare * static_cast<double>(measured)) {
    decisions.notes.push_back(
        fmt::format("{} of {} cases moved beyond their limits: unless the change touches all of them, suspect the "
                    "machine (perfcheck doctor)",
                    moved, measured));
  }
}

model::ExitCode exit_code_of(Decisions const& decisions, Policy const& policy) {
  if (std::none_of(decisions.cases.begin(), decisions.cases.end(), was_measured)) {
    return model::ExitCode::broken;
  }
  model::ExitCode code = model::ExitCode::ok;
  for (std::vector<CaseDecision> const* list : {&decisions.cases, &decisions.kernels}) {
    for (CaseDecision const& decision : *list) {
      if (std::find(policy.demoted.begin(), policy.demoted.end(), decision.verdict) == policy.demoted.end()) {
        code = model::worse(code, model::exit_code_of(decision.verdict));
      }
    }
  }
  return code;
}

}  // namespace

std::optional<Witness> CaseDecision::deciding() const {
  return decided_by == name_of(Metric::ratio) ? ratio : decided_by == name_of(Metric::cycles) ? cycles : time;
}

std::vector<PlannedLook> Policy::looks(bool beside_base) const {
  int const few = std::max(2, confirm_sessions / 3);
  std::vector<PlannedLook> looks;
  if (confirm_sessions > 1 && !beside_base && !shared_device) looks.push_back({Look::glance, 1});
  if (confirm_sessions > few) looks.push_back({Look::first, few});
  if (confirm_sessions > 0) looks.push_back({Look::last, confirm_sessions});
  return looks;
}

double margin_of(Policy const& policy, std::string const& case_id) {
  std::vector<std::string> ids = policy.renamed.all(case_id);
  double margin = policy.margin;
  for (auto const& [pattern, own] : policy.margins) {
    if (std::ranges::any_of(ids, [&](std::string const& id) { return glob_matches_case(pattern, id); })) {
      margin = own;
    }
  }
  return margin;
}

Decisions decide(model::Baseline const* baseline, Observations const& observations, Scope const& scope,
                 Policy const& policy) {
  Judged judged = decide_cases(baseline, observations, scope, policy);
  Decisions decisions;
  decisions.cases = std::move(judged.cases);
  decisions.kernels = std::move(judged.kernels);
  std::sort(decisions.cases.begin(), decisions.cases.end(),
            [](CaseDecision const& a, CaseDecision const& b) { return a.id < b.id; });
  explain(decisions.cases, baseline, observations);
  tell_behind(decisions, behind(baseline, observations, policy));
  for (model::BaselineSession const& place : observations.places) {
    add_notes(decisions, baseline == nullptr ? std::vector<std::string>()
                                             : environment_notes(*baseline, place, policy.min_baseline_sessions));
  }
  add_notes(decisions, unfit_notes(observations));
  for (auto const& [card, moved] : judged.environment) {
    add_notes(decisions, {observations.places.size() == 1 ? moved : fmt::format("{}: {}", card, moved)});
  }
  add_run_notes(decisions);
  decisions.exit_code = exit_code_of(decisions, policy);
  return decisions;
}

}  // namespace perfcheck::gate
