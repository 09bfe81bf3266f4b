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

double percent(double log_change) { return 100 * std::expm1(log_change); }

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

/// One case on its way to a verdict: the stage that speaks, and what its witnesses say.
class Judgement {
 public:
  Judgement(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
            Policy const& policy)
      : evidence_(evidence),
        direction_(direction),
        family_(family),
        policy_(policy),
        confirmed_(statements.confirm[statements.confirm_roles.primary].has_value()),
        primary_(confirmed_ ? statements.confirm_roles.primary : statements.roles.primary),
        secondary_(confirmed_ ? statements.confirm_roles.secondary : statements.roles.secondary),
        stage_(confirmed_ ? statements.confirm : statements.screen),
        deciding_(*stage_[primary_]),
        disturbance_(disturbance_of(stage_, primary_, policy)),
        limit_(limit_of(evidence, deciding_)) {}

  CaseDecision decide() const {
    CaseDecision decision = verdict();
    decision.decided_by = name_of(primary_);
    decision.margin = std::expm1(limit_);
    decision.library_control = evidence_.control == Control::library;
    if (!disturbance_) {
      decision.detectable = detectable_change(deciding_, limit_, family_.size, policy_);
    }
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
    std::string reason = evidence_.cases > 1 ? fmt::format("its {} cases together: ", evidence_.cases) : "";
    reason += statement(primary_, deciding_, policy_.alpha);
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
    if (evidence_.control != Control::no) {
      return make(Verdict::pass, "control_moved",
                  fmt::format("{}: the machine moved or the place in memory did, not its code",
                              evidence_.control == Control::library ? "a library's kernel of unchanged version"
                                                                    : "its machine code and launches are unchanged"));
    }
    if (!confirmed_) {
      return make(Verdict::inconclusive, kNeedsConfirmation,
                  "suspicious, and not yet measured again in fresh sessions; let check confirm it, or compare runs of "
                  "several sessions");
    }
    if (disturbance_) {
      return machine_disturbed();
    }
    return family_.rejected ? convicted() : not_rejected();
  }

  CaseDecision not_rejected() const {
    int const sign = sign_of(direction_);
    if (family_.dissent && time_moved_beyond_limit() && !below_floor(*stage_[Metric::ratio])) {
      return disagreement(Metric::ratio, Metric::cycles);
    }
    if (direction_ == Direction::faster && sign * deciding_.change > limit_) {
      return make(Verdict::pass, "improvement_not_significant", "faster, but not significantly");
    }
    // Slower is what has to be excluded, also where the screen said faster.
    if (deciding_.change <= limit_) {
      bool const shown = deciding_.high(policy_.alpha) < limit_;
      return make(Verdict::pass, shown ? "change_within_margin" : "not_confirmed",
                  shown ? "fresh sessions show that the change is within the margin"
                        : "fresh sessions do not repeat what the screen saw");
    }
    return make(Verdict::inconclusive, "not_significant",
                fmt::format("beyond the margin, but not significantly: a change of {:.2f} % would have been seen; more "
                            "sessions decide it (policy confirm_sessions, or accept more baseline sessions)",
                            100 * detectable_change(deciding_, limit_, family_.size, policy_)));
  }

  bool below_floor(Comparison const& comparison) const {
    return std::abs(std::expm1(comparison.change)) * evidence_.baseline_time_ns < policy_.floor_ns;
  }

  /// Whether a witness's estimate exceeds the margin in the direction of the suspicion.
  bool moved(Metric metric) const {
    return stage_[metric] && sign_of(direction_) * stage_[metric]->change > evidence_.margin;
  }

  /// Whether time moved by more than it may, a card that the baseline does not know included: there, a reference that
  /// suits the card better and a clock that is a little lower look like a ratio that rose with time.
  bool time_moved_beyond_limit() const {
    std::optional<Comparison> const& time = stage_[Metric::time];
    return time && sign_of(direction_) * time->change > limit_of(evidence_, *time);
  }

  /// Two of three witnesses must have seen a change. Each can move alone without any change of code: the ratio when the
  /// reference's speed does, cycles of a kernel that waits for memory when the clock does, time with the clock too.
  bool seen_by_two() const {
    bool const all = std::all_of(kMetrics.begin(), kMetrics.end(), [&](Metric m) { return stage_[m].has_value(); });
    return !all || policy_.shared_device ||
           std::any_of(kMetrics.begin(), kMetrics.end(), [&](Metric m) { return m != primary_ && moved(m); });
  }

  CaseDecision seen_by_one() const {
    bool const by_ratio = primary_ == Metric::ratio;
    return make(
        Verdict::pass, by_ratio ? "reference_moved" : "clock_moved",
        fmt::format("only {} moved, {}: the {} did, not this kernel", by_ratio ? "the ratio" : "cycles",
                    statement(Metric::time, *stage_[Metric::time], policy_.alpha), by_ratio ? "reference" : "clock"));
  }

  /// Two witnesses contradict each other clearly, and time does not help. One that rose may hide something; one that
  /// fell accuses nobody.
  CaseDecision disagreement(Metric changed, Metric unchanged) const {
    bool const power = changed == Metric::ratio && unchanged == Metric::cycles;
    return make(direction_ == Direction::slower ? Verdict::inconclusive : Verdict::pass, "witnesses_disagree",
                fmt::format("{} changed but {} did not: {}", name_of(changed), name_of(unchanged),
                            power ? "the clock fell, as when the machine is hot or the kernel draws more power"
                                  : "the reference or the machine moved, not this kernel alone"));
  }

  CaseDecision machine_disturbed() const {
    bool const beside = !evidence_.series[primary_]->confirm_base.empty();
    return make(Verdict::inconclusive, kDisturbedCode,
                fmt::format("its reference costs {:+.0f} % itself, so neighbours disturb the machine, and each kernel "
                            "by a share of its own: check again when they are quiet{}",
                            percent(*disturbance_), beside ? "" : ", or with the base build beside (--base-ref)"));
  }

  CaseDecision convicted() const {
    if (below_floor(deciding_)) {
      return make(Verdict::pass, "below_floor",
                  fmt::format("{:.0f} ns per launch, below the floor of {:.0f} ns",
                              std::abs(std::expm1(deciding_.change)) * evidence_.baseline_time_ns, policy_.floor_ns));
    }
    if (!seen_by_two()) {
      return seen_by_one();
    }
    int const sign = sign_of(direction_);
    std::string witnesses = name_of(primary_);
    if (secondary_ && stage_[*secondary_]) {
      Comparison const& second = *stage_[*secondary_];
      double const weakest = sign > 0 ? second.low(policy_.alpha) : -second.high(policy_.alpha);
      double const strongest = sign > 0 ? second.high(policy_.alpha) : -second.low(policy_.alpha);
      // Cards differ, so on an unknown card only a clear statement of the second witness contradicts.
      if (strongest + second.card_allowance < evidence_.margin) {
        return disagreement(primary_, *secondary_);
      }
      if (weakest - second.card_allowance > evidence_.margin) {
        witnesses = fmt::format("{}_and_{}", name_of(std::min(primary_, *secondary_)),
                                name_of(std::max(primary_, *secondary_)));
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
  bool confirmed_;
  Metric primary_;
  std::optional<Metric> secondary_;
  PerMetric<Comparison> const& stage_;
  Comparison const& deciding_;
  std::optional<double> disturbance_;
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

Direction flagged(Comparison const& screen, double limit, Policy const& policy) {
  Direction const direction = screen.change > 0 ? Direction::slower : Direction::faster;
  double const reach = screen.quantile(1 - policy.screen_alpha) * screen.se;
  if (std::abs(screen.change) > limit) {
    return direction;
  }
  if (screen.change + reach > limit) {
    return Direction::slower;
  }
  bool const is_faster = direction == Direction::faster && -screen.change > reach;
  return is_faster && -screen.change + reach > limit ? Direction::faster : Direction::none;
}

CaseDecision judge(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
                   Policy const& policy) {
  return Judgement(evidence, statements, direction, family, policy).decide();
}

}  // namespace perfcheck::gate
