// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include "outcome.h"
#include "withheld.h"

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

/// Derives the verdict of one case from the witnesses of its latest stage.
class Judgement {
 public:
  Judgement(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
            Policy const& policy)
      : evidence_(evidence),
        statements_(statements),
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
    CaseDecision decision = with_tail(verdict());
    decision.decided_by = name_of(primary_);
    decision.margin = std::expm1(limit_);
    if (!disturbance_) {
      decision.detectable = detectable_change(deciding_, limit_, family_.size, policy_);
    }
    if (decision.verdict == Verdict::pass) {
      decision.at_most = std::expm1(at_most(decision.reason_code));
      withhold_pass(decision, evidence_, stage_, policy_);
    }
    decision.wants_confirmation =
        decision.reason_code == kNeedsConfirmation || (family_.look != Look::last && is_open(decision));
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
  static constexpr char const* kNewTail = "new_tail";

  /// Whether more sessions may change the decision.
  bool is_open(CaseDecision const& decision) const {
    bool const glance = family_.look == Look::glance, passes = decision.verdict == Verdict::pass;
    bool const clear =
        decision.reason_code == "change_within_margin" || (!glance && decision.reason_code == "below_floor");
    bool const tail = statements_.confirm_tail && statements_.confirm_tail->slow > 0;
    bool const asked = direction_ != Direction::none && (!clear || tail);
    return confirmed_ &&
           (passes ? asked || tail_flagged() || (glance && (!secondary_excludes() || statements_.slow_sessions > 0))
                   : glance || decision.verdict == Verdict::inconclusive);
  }

  /// Whether the screen had slow rounds that may be new. In a few sessions they may be absent by chance.
  bool tail_flagged() const {
    return statements_.screen_tail && statements_.screen_tail->slow > 0 &&
           statements_.screen_tail->p < policy_.screen_alpha;
  }

  /// Whether the other witness excludes a slowdown too, if it saw one in the screen.
  bool secondary_excludes() const {
    if (!secondary_ || *secondary_ == Metric::time || !stage_[*secondary_] || !statements_.screen[*secondary_]) {
      return true;
    }
    Comparison const& screen = *statements_.screen[*secondary_];
    Comparison const& now = *stage_[*secondary_];
    return screen.change <= limit_of(evidence_, screen) ||
           now.change + now.here.reach(policy_.alpha) < limit_of(evidence_, now);
  }

  /// Whether there is only one fresh session although the policy asks for more.
  bool is_alone() const { return deciding_.new_sessions == 1 && policy_.confirm_sessions > 1; }

  /// Whether that single session contradicts a screen whose deciding witness saw a slowdown, rather than merely failing
  /// to exclude one. Such a slowdown may come and go from process to process.
  bool one_against_one() const {
    std::optional<Comparison> const& screen = statements_.screen[statements_.roles.primary];
    return is_alone() && screen && screen->change > limit_of(evidence_, *screen);
  }

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
      return statements_.slow_sessions > 1 ? sessions_differ()
             : confirmed_ && disturbance_  ? machine_disturbed()
                                           : make(Verdict::pass, "not_flagged", "");
    }
    if (!confirmed_) {
      return make(Verdict::inconclusive, kNeedsConfirmation,
                  "suspicious, and not yet measured again in fresh sessions; let check confirm it, or compare runs of "
                  "several sessions");
    }
    if (disturbance_ || (statements_.neighbours && family_.rejected)) {
      return machine_disturbed();
    }
    if (!family_.rejected) {
      return not_rejected();
    }
    if (is_alone()) {
      return make(Verdict::inconclusive, kNeedsConfirmation, "one fresh session convicts nobody; more must say so");
    }
    bool const seconded = secondary_ && *secondary_ != Metric::time && family_.seconded;
    return deciding_.on_known_card() || seconded ? convicted() : on_unknown_card();
  }

  /// On a card that the baseline does not know, both ratio and cycles must be significant, but here only one is. How
  /// much cards differ is known from a few cards only, and there are cards that favour the one or the other.
  CaseDecision on_unknown_card() const {
    bool const slower = direction_ == Direction::slower;
    if (!seen_by_two()) {
      return seen_by_one();
    }
    return make(
        slower ? Verdict::inconclusive : Verdict::pass, "unknown_card",
        fmt::format("more than the margin, but only one witness is sure that it is more than cards of this model "
                    "differ by{}",
                    slower ? "; compare with a base build on this very card: perfcheck ab, or check --base-ref" : ""));
  }

  CaseDecision not_rejected() const {
    int const sign = sign_of(direction_);
    bool const saw_nothing = sign * deciding_.change <= limit_;
    if (family_.dissent && saw_nothing && time_moved_beyond_limit() && !below_floor(*stage_[Metric::ratio])) {
      return sign * stage_[Metric::ratio]->change > limit_ + std::log1p(policy_.clock_step)
                 ? disagreement(Metric::ratio, Metric::cycles)
                 : make(Verdict::pass, "clock_moved",
                        fmt::format("cycles are as they were, and time differs by no more than the clock does from "
                                    "session to session: {}",
                                    statement(Metric::time, *stage_[Metric::time], policy_.alpha)));
    }
    if (direction_ == Direction::faster && sign * deciding_.change > limit_) {
      return make(Verdict::pass, "improvement_not_significant", "faster, but not significantly");
    }
    if (statements_.slow_sessions > 1 && statements_.slow_sessions < deciding_.new_sessions) {
      return sessions_differ();
    }
    // A slowdown has to be excluded even where the screen said faster.
    if (deciding_.change <= limit_ && one_against_one()) {
      return make(Verdict::inconclusive, kNeedsConfirmation,
                  "one fresh session does not repeat what the screen saw; more must say so");
    }
    if (deciding_.change <= limit_) {
      bool const shown = deciding_.change + deciding_.here.reach(policy_.alpha) < limit_;
      return make(Verdict::pass, shown ? "change_within_margin" : "not_confirmed",
                  shown ? "fresh sessions show that the change is within the margin"
                        : "fresh sessions do not repeat what the screen saw");
    }
    return make(
        Verdict::inconclusive, "not_significant",
        deciding_.on_known_card()
            ? fmt::format("beyond the margin, but not significantly: a change of {:.2f} % would have been seen; "
                          "more sessions decide it (policy confirm_sessions, or accept more baseline sessions)",
                          100 * detectable_change(deciding_, limit_, family_.size, policy_))
            : "beyond the margin, but on a card that the baseline does not know one of so many cases may be as "
              "far off; compare with a base build on this very card (perfcheck ab, or check --base-ref), or "
              "accept sessions of this card");
  }

  /// Some processes are slow and others are not, so that the mean says little about either.
  CaseDecision sessions_differ() const {
    return make(Verdict::inconclusive, "sessions_differ",
                fmt::format("{} of {} fresh sessions took longer than the baseline's scatter explains, the others did "
                            "not: its speed differs from process to process (places in memory, first touch, random "
                            "choices); more sessions decide it (policy confirm_sessions)",
                            statements_.slow_sessions, statements_.confirm[primary_]->new_sessions));
  }

  /// New slow rounds outrank what the medians say. If they may be chance, the case is measured again or, after
  /// confirmation, the reason mentions them.
  CaseDecision with_tail(CaseDecision decision) const {
    std::optional<TailStatement> const& tail =
        statements_.confirm_tail ? statements_.confirm_tail : statements_.screen_tail;
    if (!tail || tail->slow == 0 || decision.verdict == Verdict::regressed) {
      return decision;
    }
    std::string const what = fmt::format(
        "in {} of {} sessions slow rounds make the mean round {:.0f} % longer than the "
        "median one",
        tail->slow, tail->sessions, 100 * tail->cost);
    if (!statements_.confirm_tail) {
      bool const suspicious = tail->p < policy_.screen_alpha && decision.verdict != Verdict::inconclusive;
      return suspicious ? make(Verdict::inconclusive, kNeedsConfirmation,
                               what +
                                   ", not yet measured again in fresh sessions; let check confirm it, or compare "
                                   "runs of several sessions")
                        : decision;
    }
    if (family_.tail_rejected) {
      return make(policy_.shared_device ? Verdict::inconclusive : Verdict::regressed, kNewTail,
                  what + (policy_.shared_device ? ", as neighbours do too: check again when they are quiet"
                                                : ", which is new: look for what happens now and then (allocation, a "
                                                  "fallback, contention)"));
    }
    decision.reason += "; " + what;
    return decision;
  }

  /// Upper limit of the slowdown of a case that passed (log scale). Two of three witnesses must see a change, so where
  /// the deciding one moved alone, the limit is that of the others.
  double at_most(std::string const& code) const {
    bool const alone = code == "reference_moved" || code == "clock_moved";
    double limit = alone ? -INFINITY : deciding_.high(policy_.alpha);
    for (Metric const metric : kMetrics) {
      if (alone && metric != primary_ && stage_[metric]) {
        limit = std::max(limit, stage_[metric]->high(policy_.alpha));
      }
    }
    return limit;
  }

  bool below_floor(Comparison const& comparison) const {
    return std::abs(std::expm1(comparison.change)) * evidence_.baseline_time_ns < policy_.floor_ns;
  }

  /// Whether a witness's estimate exceeds the margin in the suspected direction.
  bool moved(Metric metric) const {
    return stage_[metric] && sign_of(direction_) * stage_[metric]->change > evidence_.margin;
  }

  /// Whether time moved by more than its limit, which includes the allowance for an unknown card. On such a card, a
  /// reference that runs better there and a slightly lower clock together look like a ratio that rose along with time.
  bool time_moved_beyond_limit() const {
    std::optional<Comparison> const& time = stage_[Metric::time];
    return time && sign_of(direction_) * time->change > limit_of(evidence_, *time);
  }

  /// Where there are several witnesses, two must have seen a change. Each can move alone without any change of code:
  /// the ratio with the speed of the reference, the cycles of a kernel that waits for memory with the clock, time with
  /// the clock too.
  bool seen_by_two() const {
    auto const another = [&](Metric m) { return m != primary_ && stage_[m]; };
    return policy_.shared_device || std::none_of(kMetrics.begin(), kMetrics.end(), another) ||
           std::any_of(kMetrics.begin(), kMetrics.end(), [&](Metric m) { return another(m) && moved(m); });
  }

  CaseDecision seen_by_one() const {
    bool const by_ratio = primary_ == Metric::ratio;
    if (std::any_of(kMetrics.begin(), kMetrics.end(), [&](Metric m) { return !stage_[m]; })) {
      return disagreement(primary_, Metric::time);  // one against one
    }
    return make(
        Verdict::pass, by_ratio ? "reference_moved" : "clock_moved",
        fmt::format("only {} moved, {}: the {} did, not this kernel", by_ratio ? "the ratio" : "cycles",
                    statement(Metric::time, *stage_[Metric::time], policy_.alpha), by_ratio ? "reference" : "clock"));
  }

  /// Two witnesses clearly contradict each other, and time does not settle it. If the one rose, there may be a
  /// slowdown, so the case is inconclusive; if it fell, the case passes.
  CaseDecision disagreement(Metric changed, Metric unchanged) const {
    bool const power = changed == Metric::ratio && unchanged == Metric::cycles;
    return make(direction_ == Direction::slower ? Verdict::inconclusive : Verdict::pass, "witnesses_disagree",
                fmt::format("{} changed but {} did not: {}", name_of(changed), name_of(unchanged),
                            power ? "the clock fell, as when the machine is hot or the kernel draws more power"
                            : changed == Metric::cycles && unchanged == Metric::time
                                ? "the clock rose, or the kernel takes more cycles that a faster clock hides"
                                : "the reference or the machine moved, not this kernel alone"));
  }

  CaseDecision machine_disturbed() const {
    bool const beside = !evidence_.series[primary_]->confirm_base.empty();
    std::string const sign = disturbance_
                                 ? fmt::format("its reference costs {:+.0f} % itself", percent(*disturbance_))
                                 : "it has no reference to tell slower code from a busy neighbour, and others' "
                                   "references cost more, or it is a library's";
    return make(Verdict::inconclusive, kDisturbedCode,
                fmt::format("{}, so neighbours may disturb the machine, each kernel by a share of its own: check again "
                            "when they are quiet{}",
                            sign, beside ? "" : ", or with the base build beside (--base-ref)"));
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
      if (strongest < evidence_.margin) {
        return disagreement(primary_, *secondary_);
      }
      if (weakest > evidence_.margin) {
        witnesses = fmt::format("{}_and_{}", name_of(std::min(primary_, *secondary_)),
                                name_of(std::max(primary_, *secondary_)));
      }
    }
    return direction_ == Direction::slower
               ? make(Verdict::regressed, witnesses + "_above_margin", "confirmed in fresh sessions" + equality())
               : make(Verdict::improved, witnesses + "_improved",
                      "confirmed in fresh sessions; accept a new baseline with --replace to keep the gain");
  }

  /// Where to look for the cause when code and launches are equal.
  std::string equality() const {
    switch (evidence_.control) {
      case Control::no: return "";
      case Control::library:
        return "; its library's version and launches are unchanged, so look at its arguments, its "
               "workspace and the machine";
      case Control::equal_code:
        return "; machine code and launches are those of the baseline, so look at what no hash "
               "sees (tables, called code, other work beside it) and at the machine";
    }
    throw std::logic_error("unknown kind of control");
  }

  Evidence const& evidence_;
  Statements const& statements_;
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

CaseDecision judge(Evidence const& evidence, Statements const& statements, Direction direction, Family const& family,
                   Policy const& policy) {
  return Judgement(evidence, statements, direction, family, policy).decide();
}

}  // namespace perfcheck::gate
