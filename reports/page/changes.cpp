// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/median.h"
#include "perfcheck/report/series.h"
#include "perfcheck/stats/change_points.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace perfcheck::report {
namespace {

constexpr std::size_t kSparkValues = 40;
constexpr std::size_t kFewestSeries = 20;
constexpr std::array<Metric, 3> kMetrics = {Metric::ratio, Metric::cycles, Metric::time};

bool known(double value) { return std::isfinite(value) && value > 0; }

/// The runs that have a value of a metric.
struct Logs {
  std::vector<double> values;
  std::vector<int> runs;
  std::vector<int> cards;
};

Logs logs_of(Series const& series, Metric metric) {
  std::vector<double> const& values = series.values(metric);
  Logs logs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!known(values[i])) continue;
    logs.values.push_back(std::log(values[i]));
    logs.runs.push_back(series.run[i]);
    logs.cards.push_back(series.card.empty() ? 0 : series.card[i]);
  }
  return logs;
}

std::optional<double> pooled_correlation(std::vector<Series> const& series, Metric metric) {
  std::vector<double> estimates;
  for (Series const& one : series) {
    Logs const logs = logs_of(one, metric);
    if (auto const noise = stats::noise_of_series(logs.values, {.groups = logs.cards}))
      estimates.push_back(noise->correlation);
  }
  return estimates.size() < kFewestSeries ? std::nullopt : model::median(estimates);
}

}  // namespace

std::optional<double> Correlations::of(Metric metric) const {
  switch (metric) {
    case Metric::ratio: return ratio;
    case Metric::cycles: return cycles;
    case Metric::time: return time;
  }
  throw std::logic_error("unknown metric");
}

Correlations pooled_correlations(std::vector<Series> const& series) {
  return {.ratio = pooled_correlation(series, Metric::ratio),
          .cycles = pooled_correlation(series, Metric::cycles),
          .time = pooled_correlation(series, Metric::time)};
}

namespace {

struct Analysis {
  std::vector<ReportChange> changes;
  std::optional<RunScatter> scatter;
};

Analysis analyse(Series const& series, Metric metric, Correlations const& correlations) {
  auto const [logs, runs, cards] = logs_of(series, metric);
  stats::ChangePoints const found =
      stats::find_change_points(logs, {.correlation = correlations.of(metric), .groups = cards});
  Analysis result;
  if (found.status == stats::SeriesStatus::analysed) {
    // Estimated from differences of neighbours, not around the levels that were found: a level too short to be found
    // would otherwise count as scatter.
    stats::SeriesNoise const noise =
        stats::noise_from_differences(logs, stats::ChangePointOptions().min_sd, correlations.of(metric));
    result.scatter = {.metric = metric, .sd = noise.sd, .df = noise.df};
  }
  for (stats::ChangePoint const& change : found.changes) {
    double const reach = stats::student_t_quantile(0.975, found.noise.df) * change.size_se;
    result.changes.push_back({.metric = metric,
                              .run = runs[change.index],
                              .from = runs[change.positions.front()],
                              .to = runs[change.positions.back()],
                              .size = std::expm1(change.size),
                              .low = std::expm1(change.size - reach),
                              .high = std::expm1(change.size + reach),
                              .before = std::exp(change.before),
                              .after = std::exp(change.after),
                              .p = change.p,
                              .went_away = change.went_away});
  }
  return result;
}

}  // namespace

std::vector<ReportChange> changes_of(Series const& series, Metric metric, Correlations const& correlations) {
  return analyse(series, metric, correlations).changes;
}

SeriesFacts facts_of(Series const& series, Metric metric, Correlations const& correlations) {
  check(series);
  SeriesFacts facts{.runs = static_cast<int>(series.size())};
  std::vector<double> const& values = series.values(metric);
  auto const count = static_cast<std::ptrdiff_t>(std::min(values.size(), kSparkValues));
  facts.spark.assign(values.end() - count, values.end());
  std::vector<double> present;
  std::copy_if(facts.spark.begin(), facts.spark.end(), std::back_inserter(present), known);
  double const centre = model::median(present).value_or(1);
  for (double& value : facts.spark) value = known(value) ? value / centre : std::numeric_limits<double>::quiet_NaN();

  for (Metric const each : kMetrics) {
    Analysis const found = analyse(series, each, correlations);
    facts.changes.insert(facts.changes.end(), found.changes.begin(), found.changes.end());
    if (found.scatter) facts.scatter.push_back(*found.scatter);
  }
  std::stable_sort(facts.changes.begin(), facts.changes.end(),
                   [](ReportChange const& a, ReportChange const& b) { return a.run < b.run; });
  return facts;
}

}  // namespace perfcheck::report
