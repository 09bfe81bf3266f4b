// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The series of a case over the runs of its device, and what is said about a series as a whole.
#pragma once

#include "perfcheck/model/status.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::report {

/// A metric of a series. Smaller is better in each.
enum class Metric { ratio, cycles, time };
/// "ratio", "cycles", "time".
std::string_view to_text(Metric metric);
std::optional<Metric> metric_from_text(std::string_view text);

/// One case over the runs in which it appears, as columns of equal length. NaN: not known.
struct Series {
  std::vector<int> run;   ///< index into the device's runs, ascending, no run twice
  std::vector<int> card;  ///< which card of the model measured it, counted from 0; empty: one measured all
  std::vector<model::CaseStatus> status;
  std::vector<std::optional<model::Verdict>> verdict;  ///< none where nothing was decided
  std::vector<int> attributes;                         ///< index into attribute_table
  /// Medians of the run. Values that are not positive count as unknown.
  std::vector<double> time_ns, ratio, cycles, clock_mhz, power_w, temperature_c;
  /// Half of the width of the medians' 95 % interval, logarithmic (stats/run_interval.h).
  std::vector<double> time_hw, ratio_hw, cycles_hw;
  std::vector<int> sessions;  ///< how many sessions measured it
  /// JSON text of what was launched: an object with `launches` and `machine_code` (docs/report-data.md).
  std::vector<std::string> attribute_table;

  std::size_t size() const { return run.size(); }
  std::vector<double> const& values(Metric metric) const;
  std::vector<double> const& half_widths(Metric metric) const;
};

/// Throws std::invalid_argument, naming the column, for columns of different length, runs that do not ascend from 0, or
/// an attributes index outside of its table.
void check(Series const& series);

/// The chunk of a series before compression (docs/report-data.md, Columns). A logarithmic value comes back within
/// 0.001 %. Throws as check() does, and for an attribute_table entry that is not JSON.
std::string series_chunk(Series const& series);

/// A change of level of one metric.
struct ReportChange {
  Metric metric = Metric::ratio;
  int run = 0;                         ///< first run at the new level; index into the device's runs
  int from = 0, to = 0;                ///< first and last run that may have been the first, 95 %
  double size = 0, low = 0, high = 0;  ///< share, +0.03 is 3 % slower, with 95 % limits
  double before = 0, after = 0;        ///< levels in the metric's unit
  double p = 1;                        ///< chance of so clear a change anywhere in a series without one
  bool went_away = false;
};

/// Correlation of neighbouring runs of a device, by metric. It is estimated from many of its series together, since a
/// short series cannot tell. Absent: every series estimates its own.
struct Correlations {
  std::optional<double> ratio, cycles, time;

  std::optional<double> of(Metric metric) const;
};
/// The median of the series' own estimates (stats::noise_of); absent for a metric that fewer than 20 series have.
Correlations pooled_correlations(std::vector<Series> const& series);

/// Change points (docs/change-points.md) of the logarithms of a metric; runs without a value are left out. Differences
/// between cards are no changes, as far as the two can be told apart. Empty where there are too few values.
std::vector<ReportChange> changes_of(Series const& series, Metric metric, Correlations const& correlations = {});

/// How much runs differ from each other while the level does not change. The difference of two runs must exceed it to
/// mean anything; a run's own interval does not include it.
struct RunScatter {
  Metric metric = Metric::ratio;
  double sd = 0;  ///< of one run, logarithmic
  double df = 0;  ///< its degrees of freedom
};

/// What the device's document says about a case, computed from its series.
struct SeriesFacts {
  int runs = 0;
  std::vector<RunScatter> scatter;    ///< of the metrics with enough runs
  std::vector<double> spark;          ///< last 40 values over their median; NaN where missing
  std::vector<ReportChange> changes;  ///< of every metric, by run
};
/// `metric`: that of the spark line. Most time goes into the change points of three metrics: milliseconds for 5,000
/// runs.
SeriesFacts facts_of(Series const& series, Metric metric, Correlations const& correlations = {});

}  // namespace perfcheck::report
