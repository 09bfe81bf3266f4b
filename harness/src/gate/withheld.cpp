// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "withheld.h"

#include <fmt/format.h>

#include <cmath>

namespace perfcheck::gate {
namespace {

void withhold(CaseDecision& decision, std::string code, std::string const& why) {
  decision.verdict = model::Verdict::inconclusive;
  decision.reason_code = std::move(code);
  decision.reason += "; " + why;
  decision.at_most.reset();
}

/// Whether a pass could not have seen a slowdown as small as the policy asks for.
bool is_blind(CaseDecision const& decision, Policy const& policy) {
  return policy.max_detectable > 0 && decision.detectable.value_or(INFINITY) > policy.max_detectable;
}

/// Without a ratio, a kernel that is slower because the clock fell shows in time alone; so does, without a clock, a
/// kernel whose reference became slower along with it. Such a pass is withheld if time rose by more than clocks differ.
bool time_rose_alone(Evidence const& evidence, PerMetric<Comparison> const& stage, Policy const& policy) {
  bool const lost = evidence.lost_clock || !evidence.obstacle.empty();
  std::optional<Comparison> const& time = stage[Metric::time];
  return lost && !policy.shared_device && time &&
         time->change > limit_of(evidence, *time) + std::log1p(policy.clock_step);
}

}  // namespace

void withhold_pass(CaseDecision& decision, Evidence const& evidence, PerMetric<Comparison> const& stage,
                   Policy const& policy) {
  if (is_blind(decision, policy)) {
    withhold(decision, "could_not_see",
             fmt::format("only a slowdown of {:.1f} % would have been seen, and the policy wants {:.1f} % "
                         "(max_detectable): accept more baseline sessions of this card, and look at "
                         "perfcheck baseline show for odd ones",
                         100 * decision.detectable.value_or(INFINITY), 100 * policy.max_detectable));
  } else if (time_rose_alone(evidence, stage, policy)) {
    bool const clock = evidence.obstacle.empty();
    withhold(
        decision, clock ? "clock_unreadable" : evidence.obstacle_code,
        fmt::format("time rose by {:.2f} %, and {}: measure again, or accept a new baseline for it with perfcheck "
                    "baseline accept",
                    100 * std::expm1(stage[Metric::time]->change),
                    clock ? "the clock, which would tell whether the device did it, could be read for the baseline "
                            "only"
                          : "no ratio tells whether the clock did it"));
  }
}

}  // namespace perfcheck::gate
