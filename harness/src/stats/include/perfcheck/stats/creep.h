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

/// The runs [begin, end) of a series whose level the later ones are compared with; what is before `from` is past, and
/// says nothing about the present level.
struct Anchor {
  std::size_t begin = 0, end = 0;
  std::size_t from = 0;  // end, where it is less
};

struct CreepOptions {
  /// What the level may rise by: 0.005 is half a percent.
  double margin = 0.005;
  /// Chance, on either side, that the true drift is outside its limits.
  double level = 0.05;
  /// No standard deviation below this is believed.
  double min_sd = 0.0005;
  /// Of neighbouring runs. It is not estimated from this one series: there, drift and correlation look alike.
  double correlation = 0.3;
  /// As in ChangePointOptions. Must outlive the call.
  std::span<int const> groups = {};
  double group_sd = kCardSd;
};

enum class CreepStatus {
  judged,
  too_few_runs,     // in the series, in the anchor, or since it
  no_common_group,  // none that ran at the end ran in the anchor: what groups differ by cannot be told from drift
  not_finite,
  bad_options,
};

/// Runs of an anchor, and runs since it, that it takes at least to say anything.
inline constexpr std::size_t kFewestAnchorRuns = 5;
inline constexpr std::size_t kFewestCreepRuns = 3;

struct Creep {
  CreepStatus status = CreepStatus::bad_options;
  double drift = 0;  // present level less that of the anchor, logarithm
  double lower = 0;  // confidence limits of the drift
  double upper = 0;
  std::size_t runs = 0;   // how many at the end `drift` is the mean of
  double p = 1;           // of runs at the end this far above the anchor, in a series without any change
  std::size_t onset = 0;  // where the drift probably began
  SeriesNoise noise;

  /// The level is higher by more than the margin, as far as this series alone can tell. Whoever asks many series
  /// has to hold `p` against their number, too.
  bool beyond(double margin) const;
};

/// How far the runs at the end are above the anchor, and whether they are at all.
///
/// 1. What groups differ by is taken out (group_effects), and what still differs by more than 3 sd from the median of
///    its window is cut.
/// 2. Noise is that of the series without its last ten runs (a third of them, in short ones): a ramp of one step per
///    run would pass for noise and hide itself. The correlation is given.
/// 3. The means of the last 3, 4, 5, 6, 8, ... 40 runs are compared with that of the anchor (level_difference), each
///    with the standard error of a mean of so many correlated runs. Only windows that hold one level count: fewer than
///    a quarter of the runs below a third of the drift, or, but for the slowest, farther from the median than 6 sd and
///    than the margin; and of the last three runs one at most below that third. So one or two slow runs are no drift,
///    nor are three that do not agree, nor is what is over.
/// 4. `drift` and its limits (Student's t) are those of the window with the highest lower limit, where that is above 0,
///    else those of the last ten runs.
/// 5. `p` is that of the clearest window without its slowest run (max_statistic_p): one spike makes no evidence. As it
///    allows for every position and length, it holds over a history that is looked at after each run.
/// 6. `onset`: the first run since the cumulative sum of z - 1/2 last was 0 (Page 1954, Biometrika 41:100), z in
///    long-run sd above the anchor, cut at +-3.
///
/// A cumulative sum alone needs seven runs where 300 series share a rate of 1 %, and all of them at their full height.
Creep judge_creep(std::span<double const> values, Anchor const& anchor, CreepOptions const& options = {});

}  // namespace perfcheck::stats
