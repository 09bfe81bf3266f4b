// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "anchor.h"

#include "roles.h"

#include "perfcheck/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfcheck::gate {
namespace {

// Number of cases that a note names.
constexpr std::size_t kNamed = 3;

/// The comparisons of all metrics for the latest stage: the confirmation, or the screen where there is none.
std::vector<PerMetric<Comparison>> latest(std::vector<Evidence> const& evidence, Policy const& policy) {
  std::vector<PerMetric<Comparison>> statements(evidence.size());
  for (Metric const metric : kMetrics) {
    for (Stage const stage : {Stage::screen, Stage::confirm}) {
      auto const comparisons = compare(evidence, metric, stage, policy);
      for (std::size_t i = 0; i < evidence.size(); ++i) {
        if (comparisons[i]) {
          statements[i][metric] = comparisons[i];
        }
      }
    }
  }
  return statements;
}

/// P-value of "it is not slower by more than its margin"; on an unknown card, the larger of those of ratio and cycles.
double p_of(Evidence const& one, PerMetric<Comparison> const& statement, Policy const& policy) {
  Roles const roles = roles_of(one, statement, policy);
  if (!statement[roles.primary]) {
    return 1;
  }
  double const p = statement[roles.primary]->p_above_anywhere(one.margin, +1);
  if (statement[roles.primary]->on_known_card()) {
    return p;
  }
  bool const seconded = roles.secondary && *roles.secondary != Metric::time && statement[*roles.secondary];
  return seconded ? std::max(p, statement[*roles.secondary]->p_above_anywhere(one.margin, +1)) : 1;
}

}  // namespace

std::map<std::string, double> behind_anchor(std::vector<Evidence> const& evidence, Policy const& policy) {
  std::vector<PerMetric<Comparison>> const statements = latest(evidence, policy);
  std::vector<double> p_values;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    p_values.push_back(p_of(evidence[i], statements[i], policy));
  }
  std::vector<bool> const rejected = stats::holm(p_values, policy.alpha);
  std::map<std::string, double> behind;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (rejected[i]) {
      Metric const primary = roles_of(evidence[i], statements[i], policy).primary;
      behind[evidence[i].id] = std::expm1(statements[i][primary]->change);
    }
  }
  return behind;
}

std::string behind_note(std::map<std::string, double> const& behind) {
  if (behind.empty()) {
    return "";
  }
  std::vector<std::pair<double, std::string>> largest;
  for (auto const& [id, change] : behind) {
    largest.emplace_back(change, id);
  }
  std::ranges::sort(largest, std::greater());
  std::string named;
  for (std::size_t i = 0; i < std::min(kNamed, largest.size()); ++i) {
    named += fmt::format("{}{} {:+.1f} %", i == 0 ? "" : ", ", largest[i].second, 100 * largest[i].first);
  }
  return fmt::format(
      "{} case{} slower than in the accepted baseline by more than the margin, whatever the base build "
      "says: {}{}; the base is behind too, so find the commit that did it (perfcheck history), or accept "
      "it with a reason (perfcheck baseline accept --replace)",
      behind.size(), behind.size() == 1 ? " is" : "s are", named, largest.size() > kNamed ? ", ..." : "");
}

}  // namespace perfcheck::gate
