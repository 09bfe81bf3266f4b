// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include "outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace perfcheck::gate {
namespace {

using model::Verdict;

constexpr double kPower = 0.8;

double percent(double log_change) { return 100 * std::expm1(log_change); }

char const* name_of(Metric metric) {
  switch (metric) {
    case Metric::ratio: return "ratio";
    case Metric::cycles: return "cycles";
    case Metric::time: return "time";
  }
  throw std::logic_error("unknown metric");
}

std::string statement(Metric metric, Comparison const& comparison, double alpha) {
  return fmt::format("{} {:+.2f} % ({:+.2f} to {:+.2f})", name_of(metric), percent(comparison.change),
                     percent(comparison.low(alpha)), percent(comparison.high(alpha)));
}

Witness witness_of(Comparison const& comparison, double alpha) {
  return {.change = std::expm1(comparison.change),
          .low = std::expm1(comparison.low(alpha)),
          .high = std::expm1(comparison.high(alpha)),
          .sd = comparison.sd,
          .baseline_sessions = comparison.baseline_sessions,
          .new_sessions = comparison.new_sessions};
}

/// Smallest change that confirmation with the policy's sessions would have called significant, four times out of five.
double detectable_change(Comparison const& comparison, double limit, std::size_t family, Policy const& policy) {
  double const sessions = std::max(comparison.new_sessions, policy.confirm_sessions);
  double const se = comparison.sd * std::sqrt(1 / sessions + comparison.baseline_term);
  double const alpha = policy.alpha / static_cast<double>(std::max<std::size_t>(family, 1));
  return std::expm1(limit + (comparison.quantile(1 - alpha) + comparison.quantile(kPower)) * se);
}

/// One case on its way to a verdict: the stage that speaks, and what its witnesses say.
class Judgement {
 public:
  Judgement(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
            Policy const& policy)
      : evidence_(evidence),
        direction_(direction),
        family_(family),
        policy_(policy),
        primary_(primary_metric(evidence.basis)),
        secondary_(secondary_metric(evidence)),
        confirmed_(statements.confirm[primary_].has_value()),
        stage_(confirmed_ ? statements.confirm : statements.screen),
        deciding_(*stage_[primary_]),
        limit_(limit_of(evidence, deciding_)) {}

  CaseDecision decide() const {
    CaseDecision decision = verdict();
    decision.margin = std::expm1(limit_);
    decision.detectable = detectable_change(deciding_, limit_, family_.size, policy_);
    decision.wants_confirmation = decision.reason_code == kNeedsConfirmation;
    for (Metric const metric : kMetrics) {
      if (stage_[metric]) {
        std::optional<Witness>& place = metric == Metric::ratio    ? decision.ratio
                                        : metric == Metric::cycles ? decision.cycles
                                                                   : decision.time;
        place = witness_of(*stage_[metric], policy_.alpha);
      }
    }
    return decision;
  }

 private:
  static constexpr char const* kNeedsConfirmation = "needs_confirmation";

  CaseDecision make(Verdict verdict, std::string code, std::string const& comment) const {
    std::string reason = statement(primary_, deciding_, policy_.alpha);
    if (secondary_ && stage_[*secondary_]) {
      reason += ", " + statement(*secondary_, *stage_[*secondary_], policy_.alpha);
    }
    reason += fmt::format("; allowed {:.2f} %", percent(limit_));
    if (deciding_.card_allowance > 0) {
      reason += fmt::format(" ({:.2f} % of it because the baseline does not know this card)",
                            percent(deciding_.card_allowance));
    }
    if (!comment.empty()) {
      reason += "; " + comment;
    }
    if (!evidence_.obstacle.empty()) {
      reason += fmt::format("; the ratio cannot be compared: {}", evidence_.obstacle);
    }
    return verdict_of(evidence_.id, verdict, std::move(code), std::move(reason));
  }

  CaseDecision verdict() const {
    if (direction_ == Direction::none) {
      return make(Verdict::pass, "not_flagged", "");
    }
    if (evidence_.frozen_control && deciding_.card_allowance > 0) {
      return make(Verdict::pass, "control_on_another_card",
                  "a library kernel of unchanged version on a card that the baseline does not know: a difference "
                  "between cards, not of code; accept sessions of this card to judge it");
    }
    if (!confirmed_) {
      return make(Verdict::inconclusive, kNeedsConfirmation,
                  "suspicious, and not yet measured again in fresh sessions; let check confirm it, or compare runs of "
                  "several sessions");
    }
    return family_.rejected ? convicted() : not_rejected();
  }

  CaseDecision not_rejected() const {
    int const sign = sign_of(direction_);
    if (direction_ == Direction::faster && sign * deciding_.change > limit_) {
      return make(Verdict::pass, "improvement_not_significant", "faster, but not significantly");
    }
    if (sign * deciding_.change <= limit_) {
      double const bound = sign * (sign > 0 ? deciding_.high(policy_.alpha) : deciding_.low(policy_.alpha));
      bool const shown = bound < limit_;
      return make(Verdict::pass, shown ? "change_within_margin" : "not_confirmed",
                  shown ? "fresh sessions show that the change is within the margin"
                        : "fresh sessions do not repeat what the screen saw");
    }
    return make(Verdict::inconclusive, "not_significant",
                fmt::format("beyond the margin, but not significantly: a change of {:.2f} % would have been seen; more "
                            "sessions decide it (policy confirm_sessions, or accept more baseline sessions)",
                            100 * detectable_change(deciding_, limit_, family_.size, policy_)));
  }

  CaseDecision convicted() const {
    double const change_ns = std::abs(std::expm1(deciding_.change)) * evidence_.baseline_time_ns;
    if (change_ns < policy_.floor_ns) {
      return make(Verdict::pass, "below_floor",
                  fmt::format("{:.0f} ns per launch, below the floor of {:.0f} ns", change_ns, policy_.floor_ns));
    }
    int const sign = sign_of(direction_);
    std::string witnesses = name_of(primary_);
    if (secondary_ && stage_[*secondary_]) {
      Comparison const& second = *stage_[*secondary_];
      double const weakest = sign > 0 ? second.low(policy_.alpha) : -second.high(policy_.alpha);
      double const strongest = sign > 0 ? second.high(policy_.alpha) : -second.low(policy_.alpha);
      // Cards differ in cycles, so on an unknown card only a clear statement of the second witness acquits.
      if (strongest + second.card_allowance < evidence_.margin) {
        // Either way this kernel's own work did not change. A ratio that rose may still hide something; one that fell
        // accuses nobody.
        return make(direction_ == Direction::slower ? Verdict::inconclusive : Verdict::pass, "witnesses_disagree",
                    fmt::format("{} changed but {} did not: the reference or the machine moved, not this kernel alone",
                                name_of(primary_), name_of(*secondary_)));
      }
      if (weakest - second.card_allowance > evidence_.margin) {
        witnesses += std::string("_and_") + name_of(*secondary_);
      }
    }
    return direction_ == Direction::slower
               ? make(Verdict::regressed, witnesses + "_above_margin", "confirmed in fresh sessions")
               : make(Verdict::improved, witnesses + "_improved",
                      "confirmed in fresh sessions; accept a new baseline with --replace to keep the gain");
  }

  Evidence const& evidence_;
  Direction direction_;
  Family const& family_;
  Policy const& policy_;
  Metric primary_;
  std::optional<Metric> secondary_;
  bool confirmed_;
  PerMetric<Comparison> const& stage_;
  Comparison const& deciding_;
  double limit_;
};

}  // namespace

int sign_of(Direction direction) {
  switch (direction) {
    case Direction::none: return 0;
    case Direction::slower: return 1;
    case Direction::faster: return -1;
  }
  throw std::logic_error("unknown direction");
}

double limit_of(Evidence const& evidence, Comparison const& comparison) {
  return evidence.margin + comparison.card_allowance;
}

Direction flagged(Comparison const& screen, double limit, Policy const& policy) {
  Direction const direction = screen.change > 0 ? Direction::slower : Direction::faster;
  double const size = std::abs(screen.change);
  bool const differs = screen.p_above(0, sign_of(direction)) < policy.screen_alpha;
  bool const may_exceed = size + screen.quantile(1 - policy.screen_alpha) * screen.se > limit;
  bool const exceeds = size > limit;
  return exceeds || (differs && may_exceed) ? direction : Direction::none;
}

CaseDecision judge(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
                   Policy const& policy) {
  return Judgement(evidence, statements, direction, family, policy).decide();
}

}  // namespace perfcheck::gate
