// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "contributions.h"

#include "perfcheck/stats/change_points.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace perfcheck::creep {
namespace {

// Significance level for steps that helped to raise an alarm; less strict than for steps in any history.
constexpr double kStepLevel = 0.05;

/// An upward change of level; indices of points.
struct Step {
  std::size_t index = 0;
  std::vector<std::size_t> positions;
  double size = 0, low = 0, high = 0;  ///< shares
};

std::vector<Step> steps_of(Crept const& crept) {
  std::size_t const begin = crept.anchor.begin, count = crept.columns.values.size() - begin;
  auto const found = stats::find_change_points(std::span(crept.columns.values).last(count),
                                               {.level = kStepLevel,
                                                .min_magnitude = 0,
                                                .min_sd = crept.min_sd,
                                                .correlation = crept.correlation,
                                                .groups = std::span(crept.columns.groups).last(count)});
  std::vector<Step> steps;
  for (stats::ChangePoint const& change : found.changes) {
    if (!(change.size > 0)) continue;
    double const reach = stats::student_t_quantile(0.975, found.noise.df) * change.size_se;
    Step step{.index = begin + change.index,
              .size = std::expm1(change.size),
              .low = std::expm1(change.size - reach),
              .high = std::expm1(change.size + reach)};
    for (std::size_t const position : change.positions) step.positions.push_back(begin + position);
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Runs with a new commit that may have changed the case's code.
std::vector<std::size_t> candidates(std::vector<Point> const& points, std::size_t first, std::size_t last) {
  std::vector<std::size_t> found;
  for (std::size_t i = std::max<std::size_t>(first, 1); i <= last; ++i) {
    bool const same_commit = points[i].commit >= 0 && points[i].commit == points[i - 1].commit;
    bool const same_code = points[i].code >= 0 && points[i].code == points[i - 1].code;
    if (!same_commit && !same_code) found.push_back(i);
  }
  return found;
}

/// Gives the step's size to the candidates at which it may lie. The one nearest to its best estimate is the likeliest.
void tell(Step const& step, std::vector<std::size_t> const& at, std::vector<Contribution>& told) {
  auto const distance = [&](std::size_t candidate) {
    return at[candidate] > step.index ? at[candidate] - step.index : step.index - at[candidate];
  };
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (!std::ranges::binary_search(step.positions, at[i])) continue;
    if (!nearest || distance(i) < distance(*nearest)) nearest = i;
    if (told[i].moved.value_or(0) >= step.size) continue;
    told[i].moved = step.size;
    told[i].low = step.low;
    told[i].high = step.high;
  }
  if (nearest) told[*nearest].likeliest = true;
}

}  // namespace

std::vector<Contribution> contributions(Crept const& crept) {
  std::vector<Point> const& points = crept.history.points;
  std::vector<Step> const steps = steps_of(crept);
  std::size_t first = crept.onset;
  for (Step const& step : steps) first = std::min(first, step.positions.front());
  first = std::max(first, crept.anchor.end);
  std::vector<std::size_t> at = candidates(points, first, crept.alarm);
  if (at.empty()) at = candidates(points, crept.anchor.end, points.size() - 1);

  std::vector<Contribution> told;
  for (std::size_t const index : at) {
    told.push_back({.run = points[index].run, .before = points[index - 1].run});
  }
  for (Step const& step : steps) tell(step, at, told);
  std::ranges::stable_sort(told, [](Contribution const& a, Contribution const& b) {
    return std::tuple(a.likeliest, a.moved.value_or(0), b.run) > std::tuple(b.likeliest, b.moved.value_or(0), a.run);
  });
  return told;
}

}  // namespace perfcheck::creep
