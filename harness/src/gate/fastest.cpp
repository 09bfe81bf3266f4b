// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "fastest.h"

#include "judge.h"
#include "perfcheck/gate/fitness.h"

#include "perfcheck/stats/precedence.h"
#include "perfcheck/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace perfcheck::gate {
namespace {

using model::Verdict;

/// Share of the policy's alpha for convictions by this witness, in addition to what the medians spend.
constexpr double kShareOfAlpha = 0.5;
/// Error rate of a pass, for one case, as for all passes.
constexpr double kPassAlpha = 0.05;

/// Reasons with which the medians left a case undecided, and for which the fastest rounds may convict it.
constexpr std::array<std::string_view, 6> kUntold = {"not_significant", kDisturbedCode, "not_confirmed",
                                                     "sessions_differ", "new_tail",     "witnesses_disagree"};
/// Those for which the fastest rounds may also let it pass. Cases with new tails or differing processes stay undecided
/// however fast their fastest round is, because it is their slow rounds that are suspicious.
constexpr std::array<std::string_view, 2> kAcquittable = {"not_significant", kDisturbedCode};

template <std::size_t kCount>
bool is_any_of(std::array<std::string_view, kCount> const& codes, CaseDecision const& decision) {
  return std::ranges::find(codes, decision.reason_code) != codes.end();
}

/// The fastest rounds of both builds.
struct Fastest {
  std::vector<double> head, base;       ///< of each session, in ascending order
  double calm_head = 0, calm_base = 0;  ///< smallest of the sessions' medians
};

int size_of(std::vector<double> const& times) { return static_cast<int>(times.size()); }

/// How many of the sorted `times` lie below `others`, the smallest time of the other build.
int leading(std::vector<double> const& times, double others) {
  return static_cast<int>(std::ranges::lower_bound(times, others) - times.begin());
}

/// P-value: the chance of at least this much evidence if the head build is slower by at most `margin` (share).
double p_slower(Fastest const& seen, double margin) {
  int const count = leading(seen.base, seen.head.front() / (1 + margin));
  return stats::precedence_p(count, size_of(seen.base), size_of(seen.head));
}

/// The range of changes that the fastest rounds do not exclude at `alpha`. Unbounded where there are too few rounds.
struct Limits {
  double low = -1, high = INFINITY;
};

double ratio_to(std::vector<double> const& times, int count, double first) {
  return times[static_cast<std::size_t>(count) - 1] / first;
}

Limits limits_of(Fastest const& seen, double alpha) {
  Limits limits;
  if (auto const count = stats::precedence_count(size_of(seen.base), size_of(seen.head), alpha)) {
    limits.low = 1 / ratio_to(seen.base, *count, seen.head.front()) - 1;
  }
  if (auto const count = stats::precedence_count(size_of(seen.head), size_of(seen.base), alpha)) {
    limits.high = ratio_to(seen.head, *count, seen.base.front()) - 1;
  }
  return limits;
}

FastRounds fast_rounds_of(model::Rounds const& rounds) {
  return {std::ranges::min(rounds.time_ns), stats::median(rounds.time_ns).value()};
}

std::vector<double> sorted_fastest(std::vector<FastRounds> const& sessions) {
  std::vector<double> times;
  for (FastRounds const& one : sessions) {
    times.push_back(one.fastest_ns);
  }
  std::ranges::sort(times);
  return times;
}

double calmest(std::vector<FastRounds> const& sessions) {
  return std::ranges::min_element(sessions, {}, &FastRounds::median_ns)->median_ns;
}

std::optional<Fastest> fastest_of(Evidence const& evidence, Observations const& observations) {
  auto const base = observations.base_fastest.find(evidence.id);
  auto const seen = std::ranges::find(observations.cases, evidence.id, &Observation::id);
  if (base == observations.base_fastest.end() || seen == observations.cases.end() || seen->confirm.empty()) {
    return std::nullopt;
  }
  std::vector<FastRounds> head;
  for (model::CaseResult const* result : seen->confirm) {
    head.push_back(fast_rounds_of(*result->rounds));
  }
  return Fastest{.head = sorted_fastest(head),
                 .base = sorted_fastest(base->second),
                 .calm_head = calmest(head),
                 .calm_base = calmest(base->second)};
}

std::string statement(Fastest const& seen, Limits const& limits) {
  std::string const range = std::isfinite(limits.high)
                                ? fmt::format(" ({:+.1f} to {:+.1f} %)", 100 * limits.low, 100 * limits.high)
                                : std::string();
  return fmt::format("its fastest rounds in {} and {} processes of the same minutes differ by {:+.1f} %{}",
                     seen.head.size(), seen.base.size(), 100 * (seen.head.front() / seen.base.front() - 1), range);
}

/// The smallest slowdown that would have been significant at `alpha`, given the base build's scatter. Empty where there
/// are too few sessions.
std::optional<double> detectable(Fastest const& seen, double margin, double alpha) {
  auto const count = stats::precedence_count(size_of(seen.base), size_of(seen.head), alpha);
  return count ? std::optional((1 + margin) * ratio_to(seen.base, *count, seen.base.front()) - 1) : std::nullopt;
}

/// Whether not only the fastest rounds are fast, but half of those in the session that neighbours disturbed least. Code
/// that is slower nine times in ten has fast rounds too.
bool is_usually_as_fast(Fastest const& seen, double margin) { return seen.calm_head <= seen.calm_base * (1 + margin); }

struct Candidate {
  std::size_t index;
  Fastest seen;
  double margin, p, weight;
};

std::vector<Candidate> candidates(std::vector<Evidence> const& evidence, Observations const& observations,
                                  std::vector<CaseDecision> const& decisions) {
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    std::optional<Fastest> seen = fastest_of(evidence[i], observations);
    if (!seen || !is_any_of(kUntold, decisions[i])) {
      continue;
    }
    double const margin = std::expm1(evidence[i].margin);
    double const p = p_slower(*seen, margin);
    found.push_back({i, std::move(*seen), margin, p, weight_of(evidence[i])});
  }
  return found;
}

}  // namespace

std::map<std::string, std::vector<FastRounds>> fastest_rounds(std::vector<model::Session> const& sessions,
                                                              model::SessionPurpose purpose) {
  std::map<std::string, std::vector<FastRounds>> fastest;
  for (model::Session const& session : sessions) {
    for (model::CaseResult const& result : session.cases) {
      bool const counts = session.purpose == purpose && result.status == model::CaseStatus::measured &&
                          believed_unfit(result).empty() && result.rounds && !result.rounds->time_ns.empty();
      if (counts) {
        fastest[result.id].push_back(fast_rounds_of(*result.rounds));
      }
    }
  }
  return fastest;
}

void ask_fastest_rounds(std::vector<Evidence> const& evidence, Observations const& observations, Policy const& policy,
                        std::vector<CaseDecision>& decisions) {
  if (!policy.shared_device || observations.look != Look::last) {
    return;
  }
  std::vector<Candidate> const asked = candidates(evidence, observations, decisions);
  std::vector<double> p_values, weights;
  double weight = 0;
  for (Candidate const& one : asked) {
    p_values.push_back(one.p);
    weights.push_back(one.weight);
    weight += one.weight;
  }
  double const alpha = kShareOfAlpha * policy.alpha;
  std::vector<bool> const slower = stats::holm(p_values, weights, alpha);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    auto const& [index, seen, margin, p, own_weight] = asked[i];
    CaseDecision& decision = decisions[index];
    Limits const limits = limits_of(seen, kPassAlpha);
    std::optional<double> const visible = detectable(seen, margin, alpha * own_weight / std::max(weight, own_weight));
    bool const sees_enough = policy.max_detectable <= 0 || (visible && *visible <= policy.max_detectable);
    decision.reason += "; " + statement(seen, limits);
    if (slower[i] && seen.head.front() - seen.base.front() > policy.floor_ns) {
      decision.verdict = Verdict::regressed;
      decision.reason_code = "fastest_rounds_above_margin";
      decision.reason += ", which is more than the margin: neighbours cannot make the fastest of so many faster";
      decision.at_most.reset();
    } else if (is_any_of(kAcquittable, decision) && limits.high <= margin && is_usually_as_fast(seen, margin) &&
               sees_enough) {
      decision.verdict = Verdict::pass;
      decision.reason_code = "fastest_rounds_within_margin";
      decision.reason += ", within the margin: undisturbed, it is as fast as the base build";
      decision.at_most = limits.high;
      if (visible) {
        decision.detectable = visible;
      }
    }
  }
}

}  // namespace perfcheck::gate
