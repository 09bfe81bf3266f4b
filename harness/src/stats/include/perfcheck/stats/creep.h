// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Slow drift against the last release, run by run: steps too small for the gate that add up.
#pragma once

#include "perfcheck/stats/series_noise.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// What later runs are compared with. A release sets one, and so does a change that was accepted: comparison begins
/// anew at `from`.
struct Anchor {
  std::size_t from = 0;  // index of the first run that is compared
  double level = 0;      // logarithm
  double standard_error = 0;
};

/// The level at `release`: mean of up to `runs` runs that end there, none before `level_start` (the last change point
/// up to the release, or 0), spikes cut. nullopt: indices out of order or range, no runs, a value or the noise that
/// is not finite and positive.
std::optional<Anchor> anchor_at(std::span<double const> values, std::size_t release, std::size_t level_start,
                                SeriesNoise const& noise, std::size_t runs = 10);

struct CreepOptions {
  /// Page's reference value and threshold in long-run standard deviations.
  double reference = 0.5;
  double threshold = 8;
  /// Runs at the end of the series whose mean is the present level.
  std::size_t recent = 5;
  /// Drift that is too much: 0.03 is +3 %, or as much down on the logarithmic scale.
  double limit = 0.03;
  /// Chance, on either side, that the true drift is outside its limits.
  double level = 0.05;
};

enum class Direction { slower, faster };

struct CusumAlarm {
  std::size_t index = 0;  // run at which the sum passed the threshold
  std::size_t onset = 0;  // first run since the sum last was 0: where the drift probably began
  Direction direction = Direction::slower;
};

enum class CreepStatus {
  steady,
  creeping,  // the sum raised an alarm, and the runs at the end lie in its direction by more than chance
  drifted,   // the runs at the end are beyond the limit by more than chance
  no_runs,   // none after the anchor
  not_finite,
  bad_options,
};

struct Creep {
  CreepStatus status = CreepStatus::bad_options;
  double drift = 0;  // present level less that of the anchor: how much so far
  double lower = 0;  // confidence limits of the drift
  double upper = 0;
  std::vector<CusumAlarm> alarms;  // the first in each direction, by index
};

/// Cumulative sums (Page 1954, Biometrika 41:100) in both directions from the anchor on:
///
///     S = max(0, S + z - k),   alarm when S > h,   z = (value - anchor) / long-run sd
///
/// z is cut at +-3, so that a spike adds at most 2.5 and an alarm needs four runs (winsorised after Lucas and Crosier
/// 1982, Commun. Stat. 11:2669). k is the reference value plus 1.645 standard errors of the anchor: all runs share its
/// error, and without the allowance an anchor that is a third of a standard deviation off would alarm every few
/// hundred runs. Alarms of flat independent runs after an exact anchor: once in about 10,000 runs, both directions
/// together; docs/change-points.md has the table.
///
/// The drift is the mean of the recent runs, cut at 3 sd from their median, less the anchor; its limits are Student's
/// t with the noise's degrees of freedom. `noise`: that of find_change_points over the series.
Creep judge_creep(std::span<double const> values, Anchor const& anchor, SeriesNoise const& noise,
                  CreepOptions const& options = {});

}  // namespace perfcheck::stats
