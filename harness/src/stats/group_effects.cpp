// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Contrasts where groups meet, and their robust fit.
#include "perfcheck/stats/group_effects.h"

#include "perfcheck/stats/series_noise.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace perfcheck::stats {
namespace {

constexpr std::size_t kRunsOfAMeeting = 3;  // on either side, at most
constexpr double kFarApart = 4;             // in sd of groups
constexpr int kFits = 20;

/// A stretch of runs of one group.
struct Block {
  std::size_t group = 0;
  std::size_t begin = 0, end = 0;
};

/// Numbers the groups that have runs from 0, in ascending order.
std::map<int, std::size_t> places_of(std::span<int const> groups) {
  std::map<int, std::size_t> places;
  for (int const group : groups) places.emplace(group, 0);
  std::size_t next = 0;
  for (auto& [group, place] : places) place = next++;
  return places;
}

/// `places`: the numbers that stand for groups in blocks.
std::vector<Block> blocks_of(std::span<int const> groups, std::map<int, std::size_t> const& places) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::size_t const group = places.at(groups[i]);
    if (blocks.empty() || blocks.back().group != group) blocks.push_back({.group = group, .begin = i, .end = i});
    blocks.back().end = i + 1;
  }
  return blocks;
}

/// Two groups, the first with the smaller number: how much higher the second is.
struct Contrast {
  std::size_t low = 0, high = 0;
  double difference = 0;
  double meetings = 0;
};

/// The median; of two middle values, the one nearer to 0.
double cautious_median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  double const lower = values[(values.size() - 1) / 2];
  double const upper = values[values.size() / 2];
  return std::abs(lower) < std::abs(upper) ? lower : upper;
}

std::vector<Contrast> contrasts_of(std::span<double const> values, std::vector<Block> const& blocks, double most) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> meetings;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    Block const& left = blocks[i - 1];
    Block const& right = blocks[i];
    std::size_t const before = std::min(kRunsOfAMeeting, left.end - left.begin);
    std::size_t const after = std::min(kRunsOfAMeeting, right.end - right.begin);
    double const step =
        *median(values.subspan(right.begin, after)) - *median(values.subspan(left.end - before, before));
    if (std::abs(step) > most) continue;
    bool const up = left.group < right.group;
    meetings[{std::min(left.group, right.group), std::max(left.group, right.group)}].push_back(up ? step : -step);
  }
  std::vector<Contrast> contrasts;
  for (auto& [pair, steps] : meetings) {
    contrasts.push_back({.low = pair.first,
                         .high = pair.second,
                         .difference = cautious_median(steps),
                         .meetings = static_cast<double>(steps.size())});
  }
  return contrasts;
}

/// Scatter of one run, from neighbours of the same group, few of which differ by a code change. 0 if there are none.
double scatter_within(std::span<double const> values, std::span<int const> groups) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (groups[i] == groups[i - 1]) steps.push_back(std::abs(values[i] - values[i - 1]));
  }
  return sd_from_differences(std::move(steps));
}

/// Solves matrix * x = right for a symmetric positive definite matrix, stored by rows (Cholesky).
std::vector<double> solved(std::vector<double> matrix, std::vector<double> right) {
  std::size_t const n = right.size();
  auto const at = [&](std::size_t row, std::size_t column) -> double& { return matrix[row * n + column]; };
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double rest = at(row, column);
      for (std::size_t k = 0; k < column; ++k) rest -= at(row, k) * at(column, k);
      at(row, column) = row == column ? std::sqrt(rest) : rest / at(column, column);
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < row; ++k) right[row] -= at(row, k) * right[k];
    right[row] /= at(row, row);
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) right[row] -= at(k, row) * right[k];
    right[row] /= at(row, row);
  }
  return right;
}

/// Removes spikes among the runs of each group: one where groups meet would pass for a difference between groups.
std::vector<double> without_spikes_of_groups(std::span<double const> values, std::span<int const> groups,
                                             double run_sd) {
  std::map<int, std::vector<std::size_t>> runs;
  for (std::size_t i = 0; i < groups.size(); ++i) runs[groups[i]].push_back(i);
  std::vector<double> result(values.begin(), values.end());
  for (auto const& [group, indices] : runs) {
    constexpr std::size_t kShortestLevel = 2;
    if (indices.size() < 2 * kShortestLevel - 1) continue;
    std::vector<double> own;
    for (std::size_t const index : indices) own.push_back(values[index]);
    own = without_spikes(own, run_sd, kShortestLevel);
    for (std::size_t i = 0; i < indices.size(); ++i) result[indices[i]] = own[i];
  }
  return result;
}

/// Least absolute deviations by iteratively reweighted least squares with weights 1 / |residual| (Schlossmacher 1973,
/// J. Am. Stat. Assoc. 68:857).
std::vector<double> fitted(std::vector<Contrast> const& contrasts, std::size_t groups, double run_sd, double group_sd) {
  double const smallest = run_sd / 10;
  std::vector<double> effects(groups, 0);
  for (int fit = 0; fit < kFits; ++fit) {
    std::vector<double> matrix(groups * groups, 0), right(groups, 0);
    for (std::size_t group = 0; group < groups; ++group) matrix[group * groups + group] = 1 / (group_sd * group_sd);
    for (Contrast const& one : contrasts) {
      double const residual = one.difference - effects[one.high] + effects[one.low];
      double const weight = one.meetings / std::max(std::abs(residual), smallest) / run_sd;
      matrix[one.high * groups + one.high] += weight;
      matrix[one.low * groups + one.low] += weight;
      matrix[one.high * groups + one.low] -= weight;
      matrix[one.low * groups + one.high] -= weight;
      right[one.high] += weight * one.difference;
      right[one.low] -= weight * one.difference;
    }
    effects = solved(std::move(matrix), std::move(right));
  }
  return effects;
}

}  // namespace

std::vector<double> group_effects(std::span<double const> values, std::span<int const> groups, double group_sd,
                                  double min_sd) {
  if (values.empty()) return {};
  std::map<int, std::size_t> const places = places_of(groups);
  std::vector<double> effects(static_cast<std::size_t>(places.rbegin()->first) + 1, 0);
  if (places.size() == 1 || group_sd == 0) return effects;
  double const run_sd = std::max(scatter_within(values, groups), min_sd);
  std::vector<double> const clean = without_spikes_of_groups(values, groups, run_sd);
  std::vector<Contrast> const contrasts = contrasts_of(clean, blocks_of(groups, places), kFarApart * group_sd);
  std::vector<double> const found = fitted(contrasts, places.size(), run_sd, group_sd);
  double mean = 0;
  for (int const group : groups) mean += found[places.at(group)] / static_cast<double>(groups.size());
  for (auto const& [group, place] : places) effects[static_cast<std::size_t>(group)] = found[place] - mean;
  return effects;
}

std::size_t fitted_effects(std::span<int const> groups) { return groups.empty() ? 0 : places_of(groups).size() - 1; }

std::vector<double> without_group_effects(std::span<double const> values, std::span<int const> groups, double group_sd,
                                          double min_sd) {
  std::vector<double> result(values.begin(), values.end());
  if (groups.empty()) return result;
  std::vector<double> const effects = group_effects(values, groups, group_sd, min_sd);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= effects[static_cast<std::size_t>(groups[i])];
  return result;
}

LevelDifference level_difference(std::span<double const> values, std::span<int const> groups, std::size_t split,
                                 double run_sd, double group_sd, std::size_t min_shared) {
  struct Runs {
    double before = 0, after = 0, sum_before = 0, sum_after = 0;
  };
  std::map<int, Runs> runs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (groups[i] < 0) continue;
    Runs& of = runs[groups[i]];
    // Relative to the first value: far from 0, sums would lose digits.
    (i < split ? of.sum_before : of.sum_after) += values[i] - values[0];
    (i < split ? of.before : of.after) += 1;
  }

  Runs shared;
  for (auto const& [group, of] : runs) {
    if (of.before == 0 || of.after == 0) continue;
    shared.before += of.before;
    shared.after += of.after;
  }
  bool const tell = std::min(shared.before, shared.after) >= static_cast<double>(min_shared);
  std::vector<Runs> stretches;
  for (auto const& [group, of] : runs) {
    if (tell) {
      stretches.push_back(of);
    } else {
      if (of.before > 0) stretches.push_back({.before = of.before, .sum_before = of.sum_before});
      if (of.after > 0) stretches.push_back({.after = of.after, .sum_after = of.sum_after});
    }
  }

  // X'V^-1 X and X'V^-1 y for the columns "always" and "after", in units of 1 / run_sd^2.
  double const run = run_sd * run_sd, between = group_sd * group_sd;
  double always = 0, both = 0, later = 0, always_y = 0, later_y = 0;
  for (Runs const& of : stretches) {
    double const whole = run + (of.before + of.after) * between;
    double const sum = of.sum_before + of.sum_after;
    always += (of.before + of.after) * run / whole;
    both += of.after * run / whole;
    later += of.after * (run + of.before * between) / whole;
    always_y += sum * run / whole;
    later_y += of.sum_after - of.after * sum * between / whole;
  }
  double const determinant = always * later - both * both;
  if (!(determinant > 0)) return {.size = 0, .se = std::numeric_limits<double>::infinity()};
  return {.size = (always * later_y - both * always_y) / determinant, .se = run_sd * std::sqrt(always / determinant)};
}

}  // namespace perfcheck::stats
