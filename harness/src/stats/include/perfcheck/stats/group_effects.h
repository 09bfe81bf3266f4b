// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Series whose runs belong to groups with levels of their own, such as the cards of one model in a shared history.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// Standard deviation by which the levels of cards of one model may differ by nature, logarithmic. It is larger than in
/// nearly all cases of the sampled cards (docs/change-points.md, Cards).
inline constexpr double kCardSd = 0.02;

/// How far each group is from the mean run of the series; 0 for a group without runs.
///
/// Groups are compared where they meet: at each run that follows one of another group, by the medians of up to three
/// runs on either side, without runs that are spikes in their group (without_spikes). A pair of groups differs by the
/// median of its meetings (of two middle values, the one nearer to 0), so that a change of level at one of several
/// meetings counts for nothing. Meetings that differ by more than 4 group_sd are left out: code differs that much,
/// cards do not. The effects then minimise the sum of the pairs' absolute residuals, in units of a run's scatter and
/// weighted by their meetings, plus the sum of squares of the effects over 2 group_sd^2.
///
/// A change of level exactly where two groups meet for the only time cannot be told from their difference, and is taken
/// for it. Both spans have the same length; groups count from 0; with group_sd 0 no groups differ. min_sd > 0 is the
/// smallest standard deviation of a run that is believed. Empty for no values.
std::vector<double> group_effects(std::span<double const> values, std::span<int const> groups, double group_sd,
                                  double min_sd);

/// The values without the effects of their groups: the mean run of the series keeps its value. No groups: unchanged.
std::vector<double> without_group_effects(std::span<double const> values, std::span<int const> groups, double group_sd,
                                          double min_sd);

/// The number of parameters that without_group_effects fits to the values: one less than there are groups.
std::size_t fitted_effects(std::span<int const> groups);

/// How much higher a series is from some run on.
struct LevelDifference {
  double size = 0;
  double se = 0;
};

/// The difference between the levels of the runs from `split` on and those before it, if one run scatters by run_sd and
/// each group has a level of its own around the common one: generalised least squares with a random intercept per group
/// (Laird and Ware 1982, Biometrics 38:963). With one group it is the difference of two means, with the standard error
/// run_sd * sqrt(1 / n1 + 1 / n2). If the two sides share no group, the error is at least
/// group_sd * sqrt(1 / g1 + 1 / g2) for g1 and g2 groups. Groups that are on both sides count as different ones if
/// together they have fewer than min_shared runs on a side: so few may all be off.
///
/// Runs with a negative group are ignored. The error is infinite if a side has no other runs. Both spans have the same
/// length; run_sd > 0.
LevelDifference level_difference(std::span<double const> values, std::span<int const> groups, std::size_t split,
                                 double run_sd, double group_sd, std::size_t min_shared);

}  // namespace perfcheck::stats
