// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// When did a series change its level, by how much, and how sure is that: offline, over a whole history.
#pragma once

#include "perfcheck/stats/group_effects.h"
#include "perfcheck/stats/series_noise.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perfcheck::stats {

struct ChangePointOptions {
  /// Chance of any false change in a series without one.
  double level = 0.001;
  /// Smaller changes are not reported: 0.01 is +1 %, or as much down on the logarithmic scale.
  double min_magnitude = 0.01;
  /// Shortest level, in runs; at least 3. Anything shorter is a spike.
  std::size_t min_segment = 3;
  /// Smallest standard deviation that is believed.
  double min_sd = 0.0005;
  /// Correlation of neighbouring runs where it is known, see noise_of.
  std::optional<double> correlation = {};
  /// Confidence of the set of positions of each change.
  double confidence = 0.95;
  /// Which group each run belongs to, such as its card, counted from 0; empty: one group. Must outlive the call.
  std::span<int const> groups = {};
  /// Standard deviation by which the levels of groups may differ.
  double group_sd = kCardSd;
};

/// One change of level. Levels and sizes are logarithms, as the series is; expm1(size) is the relative change.
struct ChangePoint {
  std::size_t index = 0;               // first run at the new level
  std::vector<std::size_t> positions;  // indices that are not excluded, ascending; `index` is one of them
  double before = 0;                   // mean from the change before, or the start
  double after = 0;                    // mean up to the next change, or the end
  double size = 0;                     // after - before; with several groups, as level_difference estimates it
  double size_se = 0;
  double statistic = 0;  // |size| / size_se
  double p = 1;          // chance of one this clear anywhere in a series without changes, see max_statistic_p
  /// The last five runs, all after the change, are back within one standard deviation of the level before it.
  bool went_away = false;
};

enum class SeriesStatus {
  analysed,
  too_short,   // fewer than two segments
  not_finite,  // a value is NaN or infinite
  bad_options,
};

struct ChangePoints {
  SeriesStatus status = SeriesStatus::bad_options;
  SeriesNoise noise;
  double critical = 0;  // statistic that the level asks for
  std::vector<ChangePoint> changes;
};

/// Changes of a series of logarithms, one value per run in order, gaps left out.
///
/// 0. If runs belong to several groups, the differences between groups are removed (group_effects).
/// 1. Spikes are replaced (without_spikes), noise is estimated around candidate changes (noise_of).
/// 2. The segmentation that minimises the sum of squares + c^2 * v per change, exactly (segment): c is the critical
///    value of the maximum statistic for this level and length (max_statistic_critical), v the long-run variance. Each
///    change of that optimum has a statistic of at least c against its neighbours, and no segment has a split that has.
///    If the correlation is estimated, and the noise around the changes of the optimum asks for a larger penalty than
///    the noise around the candidates did, the optimum is sought again with that penalty: chance candidates absorb
///    correlation, and would make themselves significant.
/// 3. Changes below min_magnitude are merged, the least significant first. After each, the others settle at the best
///    place between their neighbours, and one that is no longer significant is merged as well. Small steps in one
///    direction thus become fewer, larger ones, and nothing is judged by a step that is gone. Also merged: a change
///    beside a level of which more than a third of the runs are nearer to the other level, because such levels take
///    turns; and a change that is not clear if each group may have a level of its own (level_difference).
/// 4. The positions of a change are those whose gain (split_gain) is within v * -2 log(1 - sqrt(confidence)) of the
///    largest: the likelihood-ratio set (Hansen 2000, Econometrica 68:575; 7.35 for 95 %).
ChangePoints find_change_points(std::span<double const> values, ChangePointOptions const& options = {});

/// The noise of a series, estimated as in steps 0 and 1 of find_change_points. nullopt if there would be no analysis.
std::optional<SeriesNoise> noise_of_series(std::span<double const> values, ChangePointOptions const& options);

}  // namespace perfcheck::stats
