// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "compare.h"
#include "evidence.h"
#include "gate/glob.h"
#include "judge.h"
#include "notes.h"
#include "outcome.h"

#include "stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfcheck::gate {
namespace {

using model::Verdict;

// More flagged cases than this share of a run that is not tiny point to the machine, not to the code.
constexpr double kSuspiciousShare = 0.2;
constexpr std::size_t kSuspiciousFrom = 10;

/// Statements about every case of `evidence`, all metrics and stages.
std::vector<Statements> state(std::vector<Evidence> const& evidence, std::string const& card, Policy const& policy) {
  std::vector<Statements> statements(evidence.size());
  for (Metric const metric : kMetrics) {
    auto const screen = compare(evidence, metric, Stage::screen, card, policy);
    auto const confirm = compare(evidence, metric, Stage::confirm, card, policy);
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      statements[i].screen[metric] = screen[i];
      statements[i].confirm[metric] = confirm[i];
    }
  }
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    statements[i].roles = roles_of(evidence[i], statements[i].screen, policy);
  }
  return statements;
}

/// Marks the cases of one direction for which Holm's procedure over all of them rejects "no worse than the limit", by
/// the metric that `metric_of` names; a case for which it names none is left out. Returns how many took part.
template <typename MetricOf>
std::size_t reject(std::vector<Evidence> const& evidence, std::vector<Statements> const& statements,
                   std::vector<Direction> const& directions, Direction direction, Policy const& policy,
                   MetricOf metric_of, std::vector<Family>& families, bool Family::* mark) {
  std::vector<std::size_t> members;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    std::optional<Metric> const metric = metric_of(statements[i].roles);
    if (directions[i] != direction || evidence[i].frozen_control || !metric || !statements[i].confirm[*metric]) {
      continue;
    }
    Comparison const& confirm = *statements[i].confirm[*metric];
    members.push_back(i);
    p_values.push_back(confirm.p_above(limit_of(evidence[i], confirm), sign_of(direction)));
  }
  std::vector<bool> const rejected = stats::holm(p_values, policy.alpha);
  for (std::size_t i = 0; i < members.size(); ++i) {
    families[members[i]].*mark = rejected[i];
  }
  return members.size();
}

/// Holm's procedure over the confirmed cases that the screen flagged in one direction: by their deciding witness, and
/// apart from that by the ratio where it does not decide.
void convict(std::vector<Evidence> const& evidence, std::vector<Statements> const& statements,
             std::vector<Direction> const& directions, Direction direction, Policy const& policy,
             std::vector<Family>& families) {
  auto const deciding = [](Roles const& roles) { return std::optional(roles.primary); };
  auto const ratio_aside = [](Roles const& roles) {
    return roles.secondary == Metric::ratio ? roles.secondary : std::nullopt;
  };
  std::size_t const size =
      reject(evidence, statements, directions, direction, policy, deciding, families, &Family::rejected);
  reject(evidence, statements, directions, direction, policy, ratio_aside, families, &Family::dissent);
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (directions[i] == direction) {
      families[i].size = std::max<std::size_t>(size, 1);
    }
  }
}

/// What the screen makes of a case. In a single session a reference that is slow by chance hides a change from the
/// ratio, and a clock that fell by chance hides it from cycles. So of these two the one that does not decide flags a
/// case as well, if it exceeds the limit and not by noise. That only brings the case to confirmation.
Direction screened(Evidence const& evidence, Statements const& statements, Policy const& policy) {
  auto const& [primary, secondary] = statements.roles;
  PerMetric<Comparison> const& screen = statements.screen;
  if (!screen[primary]) {
    return Direction::none;
  }
  Direction const direction = flagged(*screen[primary], limit_of(evidence, *screen[primary]), policy);
  if (direction != Direction::none || !secondary || secondary == Metric::time || !screen[*secondary]) {
    return direction;
  }
  Comparison const& other = *screen[*secondary];
  Direction const by_other = other.change > 0 ? Direction::slower : Direction::faster;
  bool const exceeds = std::abs(other.change) > limit_of(evidence, other);
  return exceeds && other.p_above(0, sign_of(by_other)) < policy.screen_alpha ? by_other : Direction::none;
}

/// Verdicts of the cases that both sides measured and that can be compared.
std::vector<CaseDecision> judge_all(std::vector<Evidence> const& evidence, std::string const& card,
                                    Policy const& policy) {
  std::vector<Statements> const statements = state(evidence, card, policy);
  std::vector<Direction> directions;
  directions.reserve(evidence.size());
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    directions.push_back(screened(evidence[i], statements[i], policy));
  }
  std::vector<Family> families(evidence.size());
  for (Direction const direction : {Direction::slower, Direction::faster}) {
    convict(evidence, statements, directions, direction, policy, families);
  }
  std::vector<CaseDecision> decisions;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (!statements[i].screen[statements[i].roles.primary]) {
      decisions.push_back(verdict_of(evidence[i].id, Verdict::inconclusive, "noise_unknown",
                                     "nothing tells how much its sessions differ; accept more baseline sessions"));
    } else {
      decisions.push_back(judge(evidence[i], statements[i], directions[i], families[i], policy));
    }
  }
  return decisions;
}

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
std::vector<CaseDecision> decide_cases(model::Baseline const* baseline, Observations const& observations,
                                       Scope const& scope, Policy const& policy) {
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
    std::optional<Evidence> gathered =
        gather(*baseline, *stored, *observation, observations.measured_on, policy, why_not);
    if (!gathered) {
      decisions.push_back(verdict_of(id, Verdict::invalid, "unusable_numbers", why_not));
    } else if (auto decision = unjudgeable(*gathered, policy)) {
      decisions.push_back(std::move(*decision));
    } else {
      evidence.push_back(std::move(*gathered));
    }
  }
  for (CaseDecision& decision : judge_all(evidence, observations.measured_on.device_uuid, policy)) {
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

bool was_measured(CaseDecision const& decision) {
  return decision.verdict != Verdict::skipped && decision.verdict != Verdict::missing;
}

void add_run_notes(Decisions& decisions) {
  std::size_t const measured =
      static_cast<std::size_t>(std::count_if(decisions.cases.begin(), decisions.cases.end(), was_measured));
  std::size_t const flagged_cases = static_cast<std::size_t>(
      std::count_if(decisions.cases.begin(), decisions.cases.end(), [](CaseDecision const& decision) {
        return !decision.decided_by.empty() && decision.reason_code != "not_flagged";
      }));
  if (decisions.cases.empty()) {
    decisions.notes.push_back("no case matched; `perfcheck list` shows what there is");
  } else if (measured == 0) {
    decisions.notes.push_back("no case was measured; `perfcheck list` shows why");
  } else if (measured >= kSuspiciousFrom &&
             static_cast<double>(flagged_cases) > kSuspiciousShare * static_cast<double>(measured)) {
    decisions.notes.push_back(
        fmt::format("the screen flagged {} of {} cases: unless the change touches all of them, "
                    "suspect the machine (perfcheck doctor)",
                    flagged_cases, measured));
  }
}

model::ExitCode exit_code_of(Decisions const& decisions, Policy const& policy) {
  if (std::none_of(decisions.cases.begin(), decisions.cases.end(), was_measured)) {
    return model::ExitCode::broken;
  }
  model::ExitCode code = model::ExitCode::ok;
  for (CaseDecision const& decision : decisions.cases) {
    if (std::find(policy.demoted.begin(), policy.demoted.end(), decision.verdict) == policy.demoted.end()) {
      code = model::worse(code, model::exit_code_of(decision.verdict));
    }
  }
  return code;
}

}  // namespace

std::optional<Witness> CaseDecision::deciding() const {
  return decided_by == name_of(Metric::ratio) ? ratio : decided_by == name_of(Metric::cycles) ? cycles : time;
}

double margin_of(Policy const& policy, std::string const& case_id) {
  double margin = policy.margin;
  for (auto const& [pattern, own] : policy.margins) {
    if (glob_matches_case(pattern, case_id)) {
      margin = own;
    }
  }
  return margin;
}

Decisions decide(model::Baseline const* baseline, Observations const& observations, Scope const& scope,
                 Policy const& policy) {
  Decisions decisions;
  decisions.cases = decide_cases(baseline, observations, scope, policy);
  std::sort(decisions.cases.begin(), decisions.cases.end(),
            [](CaseDecision const& a, CaseDecision const& b) { return a.id < b.id; });
  if (baseline != nullptr) {
    decisions.notes = environment_notes(*baseline, observations.measured_on);
  }
  add_run_notes(decisions);
  decisions.exit_code = exit_code_of(decisions, policy);
  return decisions;
}

}  // namespace perfcheck::gate
