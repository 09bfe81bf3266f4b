// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Series whose runs belong to groups with levels of their own, as the cards of one model that take turns in a history.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// What cards of one model may differ by without anybody's doing: the standard deviation of their levels, logarithmic.
/// More than nearly all cases of the sample's cards have (docs/change-points.md, Cards).
inline constexpr double kCardSd = 0.02;

/// How far each group is from the mean run of the series, by group; 0 for one without runs.
///
/// Groups are compared where they meet: at each run that follows one of another group, the median of up to three runs
/// of the group on either side, without what is a spike among the runs of its group (without_spikes). A pair of groups
/// differs by the median of its meetings, the middle one nearer to 0 of an even number, so that a change of level at
/// one meeting of several counts for nothing. Meetings that differ by more than 4 group_sd are left out: cards do not,
/// code does. The effects then minimise the sum of the pairs' absolute residuals, in units of a run's scatter and
/// weighted by their meetings, plus the sum of squares of the effects over 2 group_sd^2.
///
/// What changes just where groups meet for the only time is their difference as far as anybody can tell, and becomes
/// it. Both spans have the same length; groups count from 0; group_sd 0 lets none differ. No standard deviation of a
/// run below min_sd > 0 is believed. Empty for no values.
std::vector<double> group_effects(std::span<double const> values, std::span<int const> groups, double group_sd,
                                  double min_sd);

/// The values without the effects of their groups: the mean run of the series keeps its value. No groups: as they are.
std::vector<double> without_group_effects(std::span<double const> values, std::span<int const> groups, double group_sd,
                                          double min_sd);

/// How many figures without_group_effects fits to the values: one less than there are groups.
std::size_t fitted_effects(std::span<int const> groups);

/// How much higher a series is from some run on.
struct LevelDifference {
  double size = 0;
  double se = 0;
};

/// The difference between the levels of the runs from `split` on and those before it, with run_sd of one run, when each
/// group has a level of its own around the common one: generalised least squares with a random intercept per group
/// (Laird and Ware 1982, Biometrics 38:963). Of one group alone it is that of two means, with the standard error run_sd
/// * sqrt(1 / n1 + 1 / n2); of stretches that share no group the error is at least group_sd * sqrt(1 / g1 + 1 / g2)
/// for g1 and g2 groups. Groups that are on both sides count as others on either when they have fewer than min_shared
/// runs on a side between them: so few may be off together.
///
/// A negative group is a run that tells nothing. The error is infinite where either side has no other. Both spans have
/// the same length; run_sd > 0.
LevelDifference level_difference(std::span<double const> values, std::span<int const> groups, std::size_t split,
                                 double run_sd, double group_sd, std::size_t min_shared);

}  // namespace perfcheck::stats
