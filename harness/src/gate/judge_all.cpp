// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "judge_all.h"

#include "environment.h"
#include "judge.h"
#include "kernels.h"
#include "outcome.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::gate {
namespace {

using model::Verdict;

/// Statements about every case of `evidence`, all metrics and stages.
std::vector<Statements> state(std::vector<Evidence> const& evidence, Policy const& policy) {
  std::vector<Statements> statements(evidence.size());
  for (Metric const metric : kMetrics) {
    auto const screen = compare(evidence, metric, Stage::screen, policy);
    auto const confirm = compare(evidence, metric, Stage::confirm, policy);
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      statements[i].screen[metric] = screen[i];
      statements[i].confirm[metric] = confirm[i];
    }
  }
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    statements[i].roles = roles_of(evidence[i], statements[i].screen, policy);
    bool const own_base = std::any_of(kMetrics.begin(), kMetrics.end(), [&](Metric metric) {
      return evidence[i].series[metric] && !evidence[i].series[metric]->confirm_base.empty();
    });
    statements[i].confirm_roles = own_base ? roles_of(evidence[i], statements[i].confirm, policy) : statements[i].roles;
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
    std::optional<Metric> const metric = metric_of(statements[i].confirm_roles);
    if (directions[i] != direction || evidence[i].control != Control::no || !metric ||
        !statements[i].confirm[*metric]) {
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
/// case as well, if it exceeds the limit and not by noise; where one says faster and the other slower, slower is asked.
/// That only brings the case to confirmation.
Direction screened(Evidence const& evidence, Statements const& statements, Policy const& policy) {
  auto const& [primary, secondary] = statements.roles;
  PerMetric<Comparison> const& screen = statements.screen;
  if (!screen[primary]) {
    return Direction::none;
  }
  if (disturbance_of(screen, primary, policy)) {
    return Direction::slower;  // not excluded
  }
  Direction const direction = flagged(*screen[primary], limit_of(evidence, *screen[primary]), policy);
  if (direction == Direction::slower || !secondary || secondary == Metric::time || !screen[*secondary]) {
    return direction;
  }
  Comparison const& other = *screen[*secondary];
  Direction const by_other = other.change > 0 ? Direction::slower : Direction::faster;
  bool const exceeds = std::abs(other.change) > limit_of(evidence, other);
  bool const significant = other.p_above(0, sign_of(by_other)) < policy.screen_alpha;
  return exceeds && significant ? by_other : direction;
}

CaseDecision decision_of(Evidence const& evidence, Statements const& statements, Direction direction,
                         Family const& family, Policy const& policy) {
  if (!statements.screen[statements.roles.primary]) {
    return verdict_of(evidence.id, Verdict::inconclusive, "noise_unknown",
                      "nothing tells how much its sessions differ; accept more baseline sessions");
  }
  return judge(evidence, statements, direction, family, policy);
}

/// What the numbers seemed to say is not said when the machine moved.
void withdraw(CaseDecision& decision, std::string const& environment) {
  if (decision.verdict == Verdict::regressed || decision.verdict == Verdict::improved ||
      decision.verdict == Verdict::inconclusive) {
    decision.verdict = Verdict::incomparable;
    decision.reason_code = "environment_moved";
    decision.reason += "; not judged: " + environment;
    decision.wants_confirmation = false;
  }
}

/// Why cases of a card are not judged; a kernel that several cards measured, when one of them moved.
std::string moved_for(std::string const& card, std::map<std::string, std::string> const& moved) {
  auto const found = card.empty() ? moved.begin() : moved.find(card);
  return found == moved.end() ? "" : found->second;
}

/// A kernel is measured again by measuring its cases again, those that are controls aside.
void ask_for_members(std::vector<Evidence> const& cases, Judged& judged) {
  for (CaseDecision const& kernel : judged.kernels) {
    for (std::size_t i = 0; kernel.wants_confirmation && i < cases.size(); ++i) {
      if (cases[i].control == Control::no && kernel_of(cases[i].id) == kernel.id) {
        judged.cases[i].wants_confirmation = true;
      }
    }
  }
}

}  // namespace

Judged judge_all(std::vector<Evidence> const& cases, Policy const& policy) {
  // Noise is borrowed among cases and among kernels, not between the two: means over many cases are quieter.
  std::vector<Evidence> evidence = cases;
  std::vector<Statements> statements = state(cases, policy);
  std::vector<Evidence> const kernels = kernels_of(cases, policy);
  std::vector<Statements> const about_kernels = state(kernels, policy);
  Judged judged;
  judged.environment = environment_moved(cases, statements, policy);
  evidence.insert(evidence.end(), kernels.begin(), kernels.end());
  statements.insert(statements.end(), about_kernels.begin(), about_kernels.end());

  std::vector<Direction> directions;
  directions.reserve(evidence.size());
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    directions.push_back(screened(evidence[i], statements[i], policy));
  }
  std::vector<Family> families(evidence.size());
  for (Direction const direction : {Direction::slower, Direction::faster}) {
    convict(evidence, statements, directions, direction, policy, families);
  }
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    CaseDecision decision = decision_of(evidence[i], statements[i], directions[i], families[i], policy);
    if (std::string const moved = moved_for(evidence[i].card, judged.environment); !moved.empty()) {
      withdraw(decision, moved);
    }
    (i < cases.size() ? judged.cases : judged.kernels).push_back(std::move(decision));
  }
  ask_for_members(cases, judged);
  return judged;
}

}  // namespace perfcheck::gate
