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

// A single session is distinctly slow when it exceeds the limit by this many standard deviations.
constexpr double kDistinct = 4;

/// Number of confirming sessions that are distinctly slow, measured by the noise of the screen: slow sessions
/// themselves inflate the noise of the confirmation.
int slow_sessions(Evidence const& evidence, Statements const& statements) {
  Metric const metric = statements.roles.primary;
  std::optional<Comparison> const& screen = statements.screen[metric];
  std::optional<Comparison> const& confirm = statements.confirm[metric];
  if (!screen || !confirm) {
    return 0;
  }
  std::vector<double> const& fresh = evidence.series[metric]->confirm;
  double const centre = *stats::mean(fresh) - confirm->change;
  double const slow = centre + limit_of(evidence, *confirm) + kDistinct * screen->sd;
  return static_cast<int>(std::count_if(fresh.begin(), fresh.end(), [&](double log) { return log > slow; }));
}

/// The comparisons of every case of `evidence`, for all metrics and stages.
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
    statements[i].slow_sessions = slow_sessions(evidence[i], statements[i]);
    auto const tail = [&](Stage stage, std::optional<Comparison> const& comparison) {
      return tail_of(evidence[i].tails, stage, comparison ? comparison->card_allowance : 0, policy);
    };
    statements[i].screen_tail = tail(Stage::screen, statements[i].screen[statements[i].roles.primary]);
    statements[i].confirm_tail = tail(Stage::confirm, statements[i].confirm[statements[i].confirm_roles.primary]);
  }
  bool const disturbed = std::ranges::any_of(statements, [&](Statements const& one) {
    return disturbance_of(one.screen, one.roles.primary, policy) ||
           disturbance_of(one.confirm, one.confirm_roles.primary, policy);
  });
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    statements[i].neighbours =
        policy.shared_device && !evidence[i].series[Metric::ratio] &&
        (disturbed || evidence[i].control == Control::library);  // a library's case is a reference itself
  }
  return statements;
}

/// Holm's procedure over the cases for which `p_of(i)` gives a p-value; marks those that it rejects.
template <typename PValueOf>
void reject(std::vector<Evidence> const& evidence, double alpha, PValueOf p_of, std::vector<Family>& families,
            bool Family::* mark) {
  std::vector<std::size_t> members;
  std::vector<double> p_values, weights;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (std::optional<double> const p = p_of(i)) {
      members.push_back(i);
      p_values.push_back(*p);
      weights.push_back(weight_of(evidence[i]));
    }
  }
  std::vector<bool> const rejected = stats::holm(p_values, weights, alpha);
  for (std::size_t i = 0; i < members.size(); ++i) {
    families[members[i]].*mark = families[members[i]].*mark || rejected[i];
  }
}

/// Holm's procedure over the confirmed cases that the screen flagged in one direction: by their deciding witness, by
/// the other one of ratio and cycles, and, where cycles decide, by the ratio on this card alone. The noise between
/// sessions is drawn anew in the fresh sessions, so only flagged cases need to count. The difference between cards is
/// not: on a card that the baseline does not know, every case that was screened counts.
void convict(std::vector<Evidence> const& evidence, std::vector<Statements> const& statements,
             std::vector<Direction> const& directions, Direction direction, double alpha,
             std::vector<Family>& families) {
  int const sign = sign_of(direction);
  auto const confirmed = [&](std::size_t i, std::optional<Metric> metric) -> Comparison const* {
    bool const concerned = directions[i] == direction && metric && statements[i].confirm[*metric];
    return concerned ? &*statements[i].confirm[*metric] : nullptr;
  };
  auto const beyond_margin = [&](std::size_t i, std::optional<Metric> metric) -> std::optional<double> {
    if (Comparison const* const confirm = confirmed(i, metric)) {
      return confirm->p_above_anywhere(evidence[i].margin, sign);
    }
    bool const elsewhere = metric && statements[i].screen[*metric] && !statements[i].screen[*metric]->on_known_card();
    return elsewhere ? std::optional(1.0) : std::nullopt;
  };
  reject(
      evidence, alpha, [&](std::size_t i) { return beyond_margin(i, statements[i].confirm_roles.primary); }, families,
      &Family::rejected);
  reject(
      evidence, alpha, [&](std::size_t i) { return beyond_margin(i, statements[i].confirm_roles.secondary); }, families,
      &Family::seconded);
  reject(
      evidence, alpha,
      [&](std::size_t i) -> std::optional<double> {
        auto const& [primary, secondary] = statements[i].confirm_roles;
        Comparison const* const ratio = secondary == Metric::ratio ? confirmed(i, secondary) : nullptr;
        return ratio == nullptr ? std::nullopt : std::optional(ratio->p_above(limit_of(evidence[i], *ratio), sign));
      },
      families, &Family::dissent);
  double weight = 0;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    weight += confirmed(i, statements[i].confirm_roles.primary) == nullptr ? 0 : weight_of(evidence[i]);
  }
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (directions[i] == direction) {
      families[i].size *= std::max(weight / weight_of(evidence[i]), 1.0);
    }
  }
}

/// The same for slow rounds, over all cases that were measured again.
void convict_tails(std::vector<Evidence> const& evidence, std::vector<Statements> const& statements, double alpha,
                   std::vector<Family>& families) {
  reject(
      evidence, alpha,
      [&](std::size_t i) -> std::optional<double> {
        std::optional<TailStatement> const& tail = statements[i].confirm_tail;
        return tail ? std::optional(tail->p) : std::nullopt;
      },
      families, &Family::tail_rejected);
}

/// Decides whether the screen flags a case for fresh sessions. Flags it as slower unless the screen shows, at
/// `screen_alpha`, that the change is within the limit (margin plus card allowance), so that noise never makes a case
/// pass. Flags it as faster when the estimate exceeds the limit, or differs significantly from no change and may exceed
/// the limit.
Direction flagged(Comparison const& screen, double limit, double screen_alpha) {
  Direction const direction = screen.change > 0 ? Direction::slower : Direction::faster;
  double const reach = screen.here.reach(screen_alpha);
  if (std::abs(screen.change) > limit) {
    return direction;
  }
  if (screen.change + reach > limit) {
    return Direction::slower;
  }
  bool const is_faster = direction == Direction::faster && -screen.change > reach;
  return is_faster && -screen.change + reach > limit ? Direction::faster : Direction::none;
}

/// The screen's result for a case. In a single session, a reference that is slow by chance hides a change from the
/// ratio, and a clock that fell by chance hides it from cycles. So the one of these two that does not decide flags the
/// case as well, if it is significantly slower and by more than its limit. This only sends the case to confirmation.
Direction screened(Evidence const& evidence, Statements const& statements, Policy const& policy) {
  auto const& [primary, secondary] = statements.roles;
  PerMetric<Comparison> const& screen = statements.screen;
  if (!screen[primary]) {
    return Direction::none;
  }
  if (disturbance_of(screen, primary, policy)) {
    return Direction::slower;  // a slowdown is not excluded
  }
  // A case that is less likely to have changed is flagged less often: its screen may pass it with less certainty.
  double const weight = weight_of(evidence);
  Direction const direction =
      flagged(*screen[primary], limit_of(evidence, *screen[primary]), std::min(policy.screen_alpha / weight, 0.5));
  if (direction == Direction::slower || !secondary || secondary == Metric::time || !screen[*secondary]) {
    return direction;
  }
  Comparison const& other = *screen[*secondary];
  bool const exceeds = other.change > limit_of(evidence, other);
  bool const significant = other.p_above(0, sign_of(Direction::slower)) < policy.screen_alpha * weight;
  return exceeds && significant ? Direction::slower : direction;
}

CaseDecision decision_of(Evidence const& evidence, Statements const& statements, Direction direction,
                         Family const& family, Policy const& policy) {
  if (!statements.screen[statements.roles.primary]) {
    return verdict_of(evidence.id, Verdict::inconclusive, "noise_unknown",
                      "nothing tells how much its sessions differ; accept more baseline sessions");
  }
  return judge(evidence, statements, direction, family, policy);
}

/// Withdraws a verdict that rests on numbers, because the machine changed.
void withdraw(CaseDecision& decision, std::string const& environment) {
  if (decision.verdict == Verdict::regressed || decision.verdict == Verdict::improved ||
      decision.verdict == Verdict::inconclusive) {
    decision.verdict = Verdict::incomparable;
    decision.reason_code = "environment_moved";
    decision.reason += "; not judged: " + environment;
    decision.wants_confirmation = false;
  }
}

/// Why cases of a card are not judged; empty if the card has not changed. A kernel that several cards measured (`card`
/// is empty) is not judged if any card changed.
std::string moved_for(std::string const& card, std::map<std::string, std::string> const& moved) {
  auto const found = card.empty() ? moved.begin() : moved.find(card);
  return found == moved.end() ? "" : found->second;
}

/// A kernel is measured again by measuring its cases again.
void ask_for_members(std::vector<Evidence> const& cases, Judged& judged) {
  for (CaseDecision const& kernel : judged.kernels) {
    for (std::size_t i = 0; kernel.wants_confirmation && i < cases.size(); ++i) {
      if (kernel_of(cases[i].id) == kernel.id) {
        judged.cases[i].wants_confirmation = true;
      }
    }
  }
}

}  // namespace

Judged judge_all(std::vector<Evidence> const& cases, Look look, Policy const& policy) {
  // Noise estimates are pooled among cases and among kernels, but not between the two: means over many cases are less
  // noisy.
  std::vector<Evidence> evidence = cases;
  std::vector<Statements> statements = state(cases, policy);
  std::vector<Evidence> const kernels = kernels_of(cases, policy);
  std::vector<Statements> const about_kernels = state(kernels, policy);
  Judged judged;
  judged.environment = environment_moved(cases, policy);
  evidence.insert(evidence.end(), kernels.begin(), kernels.end());
  statements.insert(statements.end(), about_kernels.begin(), about_kernels.end());

  std::vector<Direction> directions;
  directions.reserve(evidence.size());
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    directions.push_back(screened(evidence[i], statements[i], policy));
  }
  double const alpha = policy.alpha * share_of_alpha(look);
  std::vector<Family> families(evidence.size(), Family{.size = 1 / share_of_alpha(look), .look = look});
  for (Direction const direction : {Direction::slower, Direction::faster}) {
    convict(evidence, statements, directions, direction, alpha, families);
  }
  convict_tails(evidence, statements, alpha, families);
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
