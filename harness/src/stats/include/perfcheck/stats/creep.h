// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow drift against an earlier level, run by run: steps too small for the gate that add up.
#pragma once

#include "perfcheck/stats/group_effects.h"
#include "perfcheck/stats/series_noise.h"

#include <cstddef>
#include <span>

namespace perfcheck::stats {

/// The runs [begin, end) of a series whose level later runs are compared with. Runs before `from` are past, and say
/// nothing about the present level.
struct Anchor {
  std::size_t begin = 0, end = 0;
  std::size_t from = 0;  // `end` is used where this is less
};

struct CreepOptions {
  /// How much the level may rise: 0.005 is half a percent.
  double margin = 0.005;
  /// Chance, on either side, that the true drift is outside its limits.
  double level = 0.05;
  /// Smallest standard deviation that is believed.
  double min_sd = 0.0005;
  /// Correlation of neighbouring runs. Not estimated from this one series, in which drift and correlation look alike.
  double correlation = 0.3;
  /// As in ChangePointOptions. Must outlive the call.
  std::span<int const> groups = {};
  double group_sd = kCardSd;
};

enum class CreepStatus {
  judged,
  too_few_runs,     // in the series, in the anchor, or since it
  no_common_group,  // no group of the last runs ran in the anchor: group differences and drift look alike
  not_finite,
  bad_options,
};

/// Fewest runs of an anchor, and fewest runs since it, that allow a statement.
inline constexpr std::size_t kFewestAnchorRuns = 5;
inline constexpr std::size_t kFewestCreepRuns = 3;

struct Creep {
  CreepStatus status = CreepStatus::bad_options;
  double drift = 0;  // present level less that of the anchor, logarithm
  double lower = 0;  // confidence limits of the drift
  double upper = 0;
  std::size_t runs = 0;   // number of runs at the end whose mean gives `drift`
  double p = 1;           // chance of runs at the end this far above the anchor in a series without change
  std::size_t onset = 0;  // where the drift probably began
  SeriesNoise noise;

  /// The level is higher by more than the margin, as far as this series alone can tell. Callers that test many series
  /// must also allow for their number when they look at `p`.
  bool beyond(double margin) const;
};

/// How far the runs at the end are above the anchor, and whether they are at all.
///
/// 1. Differences between groups are removed (group_effects), and values more than 3 sd from the median of their window
///    are cut to that.
/// 2. Noise is estimated without the last ten runs (in short series, without the last third): a ramp of one step per
///    run would pass for noise and hide itself. The correlation is given.
/// 3. The means of the last 3, 4, 5, 6, 8, ... 40 runs are compared with that of the anchor (level_difference), each
///    with the standard error of a mean of so many correlated runs. Only windows that hold one level count. In these,
///    fewer than a quarter of the runs are below a third of the drift; fewer than a quarter, not counting the slowest,
///    are farther from the median than both 6 sd and the margin; and at most one of the last three runs is below that
///    third. So one or two slow runs are no drift, nor are three that disagree, nor is a drift that is over.
/// 4. `drift` and its limits (Student's t) are those of the window with the highest lower limit, where that is above 0,
///    else those of the last ten runs.
/// 5. `p` is that of the clearest window without its slowest run (max_statistic_p): one spike is no evidence. It allows
///    for every position and length, so it holds for a history that is looked at after each run.
/// 6. `onset`: the first run since the cumulative sum of z - 1/2 last was 0 (Page 1954, Biometrika 41:100), z in
///    long-run sd above the anchor, cut at +-3.
///
/// A cumulative sum alone needs six runs, all at full height, if 300 series share an error rate of 1 %.
Creep judge_creep(std::span<double const> values, Anchor const& anchor, CreepOptions const& options = {});

}  // namespace perfcheck::stats
