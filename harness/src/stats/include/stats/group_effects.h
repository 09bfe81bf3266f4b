// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Series whose runs belong to groups with levels of their own, as the cards of one model that take turns in a history.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// What groups may differ by without anybody's doing, logarithmic: the standard deviation of their levels.
struct GroupScatter {
  /// Of an H100's and an H200's cards: 2 % in times and ratios of cases at the power limit (docs/change-points.md).
  double sd = 0.02;
  /// No standard deviation of a run below this is believed.
  double min_sd = 0.0005;
};

/// How far each group is from the mean run of the series, by group; 0 for one without runs.
///
/// Groups are compared where they meet: at each run that follows one of another group, the median of up to three runs
/// of the group on either side, without what is a spike among the runs of its group (without_spikes). A pair of groups
/// differs by the median of its meetings, the middle one nearer to 0 of an even number, so that a change of level at
/// one meeting of several counts for nothing. Meetings that differ by more than 4 sd are left out: cards do not, code
/// does. The effects then minimise the sum of the pairs' absolute residuals, in units of a run's scatter and weighted
/// by their meetings, plus the sum of squares of the effects over 2 sd^2.
///
/// What changes just where groups meet for the only time is their difference as far as anybody can tell, and becomes
/// it. Both spans have the same length; groups count from 0. Empty for no values.
std::vector<double> group_effects(std::span<double const> values, std::span<int const> groups,
                                  GroupScatter const& scatter = {});

/// The values without the effects of their groups: the mean run of the series keeps its value. No groups: as they are.
std::vector<double> without_group_effects(std::span<double const> values, std::span<int const> groups,
                                          GroupScatter const& scatter = {});

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
/// * sqrt(1 / n1 + 1 / n2); of stretches that share no group the error is at least scatter.sd * sqrt(1 / g1 + 1 / g2)
/// for g1 and g2 groups. Groups that are on both sides count as others on either when they have fewer than min_shared
/// runs on a side between them: so few may be off together.
///
/// A negative group is a run that tells nothing. The error is infinite where either side has no other. Both spans have
/// the same length; run_sd > 0; scatter.min_sd is not used.
LevelDifference level_difference(std::span<double const> values, std::span<int const> groups, std::size_t split,
                                 double run_sd, GroupScatter const& scatter = {}, std::size_t min_shared = 1);

}  // namespace perfcheck::stats
