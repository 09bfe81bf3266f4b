// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Segmentation with critical values, and what is said about each change.
#include "perfcheck/stats/change_points.h"

#include "perfcheck/stats/max_statistic.h"
#include "perfcheck/stats/segmentation.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace perfcheck::stats {
namespace {

constexpr std::size_t kLastRuns = 5;  // that say whether a change went away
constexpr double kOffTheLevel = 6;    // in sd, for a run that counts as a spike

bool usable(ChangePointOptions const& options) {
  auto const share = [](double value) { return value > 0 && value < 1; };
  auto const not_negative = [](double value) { return std::isfinite(value) && value >= 0; };
  bool const grouped = options.groups.empty() || *std::min_element(options.groups.begin(), options.groups.end()) >= 0;
  bool const known = !options.correlation || (*options.correlation >= 0 && *options.correlation <= kMaxCorrelation);
  return share(options.level) && share(options.confidence) && not_negative(options.min_magnitude) &&
         not_negative(options.min_sd) && not_negative(options.group_sd) && options.min_segment >= 3 && known && grouped;
}

/// A series and what it is judged by.
struct Judge {
  std::span<double const> values;  // without group effects and spikes
  std::span<double const> with_spikes;
  std::span<double const> apart;  // with group effects, without spikes
  std::span<int const> groups;    // empty: one group; negative where a spike was
  std::size_t effects = 0;        // number of fitted group effects
  double group_sd = 0;
  PrefixSums sums;
  SeriesNoise noise;
  double critical = 0;
  double min_size = 0;
  std::size_t min_segment = 0;

  double variance() const { return noise.long_run_sd() * noise.long_run_sd(); }
  double penalty() const { return critical * critical * variance(); }
  std::size_t begin(Changes const& changes, std::size_t change) const { return change == 0 ? 0 : changes[change - 1]; }
  std::size_t end(Changes const& changes, std::size_t change) const {
    return change + 1 < changes.size() ? changes[change + 1] : values.size();
  }
  double gain(Changes const& changes, std::size_t change) const {
    return split_gain(sums, begin(changes, change), changes[change], end(changes, change));
  }
  LevelDifference difference(Changes const& changes, std::size_t change) const {
    std::size_t const first = begin(changes, change), last = end(changes, change), at = changes[change];
    if (!groups.empty()) {
      return level_difference(apart.subspan(first, last - first), groups.subspan(first, last - first), at - first,
                              noise.long_run_sd(), group_sd, min_segment);
    }
    return {.size = sums.mean(at, last) - sums.mean(first, at),
            .se = noise.long_run_sd() *
                  std::sqrt(1 / static_cast<double>(at - first) + 1 / static_cast<double>(last - at))};
  }
  double statistic(Changes const& changes, std::size_t change) const {
    LevelDifference const found = difference(changes, change);
    return std::abs(found.size) / found.se;
  }
  /// At most a third of a level's runs are off it, by more than half of the change and more than what makes a spike.
  bool is_a_level(std::size_t first, std::size_t last, double change) const {
    double const level = sums.mean(first, last);
    double const far = std::max(kOffTheLevel * noise.sd, std::abs(change) / 2);
    auto const runs = with_spikes.subspan(first, last - first);
    auto const off = std::count_if(runs.begin(), runs.end(), [&](double run) { return std::abs(run - level) > far; });
    return 3 * static_cast<std::size_t>(off) <= runs.size();
  }
  bool counts(Changes const& changes, std::size_t change) const {
    auto const [by, se] = difference(changes, change);
    return std::abs(by) >= min_size &&
           std::abs(by) >= critical * se * (1 - 1e-9) &&  // the optimum met it, but for rounding
           is_a_level(begin(changes, change), changes[change], by) &&
           is_a_level(changes[change], end(changes, change), by);
  }
};

/// Moves changes until each has the best place between its neighbours. All have it already, except those next to index
/// `merged`, where one was removed. Every move lowers the sum of squares, so it ends.
void settle(Judge const& judge, Changes& changes, std::size_t merged) {
  std::vector<bool> stale(changes.size(), false);
  auto const mark = [&](std::size_t change) {
    if (change < changes.size()) stale[change] = true;  // else the index wrapped around or is past the end
  };
  mark(merged - 1);
  mark(merged);
  for (auto next = stale.begin(); (next = std::find(stale.begin(), stale.end(), true)) != stale.end();) {
    *next = false;
    auto const change = static_cast<std::size_t>(next - stale.begin());
    std::size_t const begin = judge.begin(changes, change);
    std::size_t const end = judge.end(changes, change);
    std::size_t const best = *best_split(judge.sums, begin, end, judge.min_segment);
    if (!(split_gain(judge.sums, begin, best, end) > judge.gain(changes, change) * (1 + 1e-9))) continue;
    changes[change] = best;
    mark(change - 1);
    mark(change + 1);
  }
}

/// Step 3 of find_change_points.
void merge_what_does_not_count(Judge const& judge, Changes& changes) {
  for (;;) {
    std::optional<std::size_t> least;
    for (std::size_t change = 0; change < changes.size(); ++change) {
      if (judge.counts(changes, change)) continue;
      if (!least || judge.statistic(changes, change) < judge.statistic(changes, *least)) least = change;
    }
    if (!least) return;
    changes.erase(std::next(changes.begin(), static_cast<std::ptrdiff_t>(*least)));
    settle(judge, changes, *least);
  }
}

std::vector<std::size_t> positions_of(Judge const& judge, Changes const& changes, std::size_t change,
                                      double confidence) {
  std::size_t const begin = judge.begin(changes, change);
  std::size_t const end = judge.end(changes, change);
  double const drop = -2 * std::log(1 - std::sqrt(confidence)) * judge.variance();
  double const least = judge.gain(changes, change) - drop;
  std::vector<std::size_t> positions;
  for (std::size_t split = begin + judge.min_segment; split + judge.min_segment <= end; ++split) {
    if (split == changes[change] || split_gain(judge.sums, begin, split, end) >= least) positions.push_back(split);
  }
  return positions;
}

bool went_away(Judge const& judge, std::size_t index, double before) {
  if (index + kLastRuns > judge.values.size()) return false;
  return std::abs(*median(judge.values.last(kLastRuns)) - before) <= judge.noise.sd;
}

ChangePoint describe(Judge const& judge, Changes const& changes, std::size_t change, double confidence) {
  std::size_t const index = changes[change];
  std::size_t const begin = judge.begin(changes, change);
  std::size_t const end = judge.end(changes, change);
  auto const [size, se] = judge.difference(changes, change);
  ChangePoint result{.index = index,
                     .positions = positions_of(judge, changes, change, confidence),
                     .before = judge.sums.mean(begin, index),
                     .after = judge.sums.mean(index, end),
                     .size = size,
                     .size_se = se,
                     .statistic = std::abs(size) / se};
  result.p = max_statistic_p(result.statistic, judge.values.size(), judge.noise.df);
  result.went_away = went_away(judge, index, result.before);
  return result;
}

/// Steps 0 and 1 of find_change_points.
struct Prepared {
  double min_sd = 0;
  std::size_t effects = 0;     // number of fitted group effects
  std::vector<double> alike;   // without group effects
  std::vector<double> smooth;  // without group effects and spikes
  SeriesNoise noise;
};

/// nullopt: the numbers overflow.
std::optional<Prepared> prepare(std::span<double const> values, ChangePointOptions const& options) {
  auto const [lowest, highest] = std::minmax_element(values.begin(), values.end());
  Prepared result;
  // Without noise and without a floor for it, rounding is the noise.
  result.min_sd = std::max({options.min_sd, 1e-9 * (*highest / 2 - *lowest / 2), 1e-150});
  result.effects = fitted_effects(options.groups);
  result.alike = without_group_effects(values, options.groups, options.group_sd, result.min_sd);
  result.smooth = without_spikes(result.alike, result.min_sd, options.min_segment, result.effects);
  auto const noise = noise_of(result.smooth, options.min_segment, result.min_sd, options.correlation, result.effects);
  if (!noise || !std::isfinite(noise->long_run_sd() * noise->long_run_sd())) return std::nullopt;
  result.noise = *noise;
  return result;
}

/// Why a series is not analysed; `analysed` if it is.
SeriesStatus fit(std::span<double const> values, ChangePointOptions const& options) {
  if (!usable(options)) return SeriesStatus::bad_options;
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    return SeriesStatus::not_finite;
  if (!options.groups.empty() && options.groups.size() != values.size()) return SeriesStatus::bad_options;
  return values.size() / 2 < options.min_segment ? SeriesStatus::too_short : SeriesStatus::analysed;
}

/// Step 2 of find_change_points. nullopt: the numbers overflow.
std::optional<Changes> significant_changes(Judge& judge, double level, double min_sd,
                                           std::optional<double> correlation) {
  std::size_t const n = judge.values.size();
  judge.critical = max_statistic_critical(level, n, judge.noise.df);
  std::optional<Changes> changes = segment(judge.values, judge.penalty(), judge.min_segment);
  if (correlation) return changes;
  // The penalty rises each time, so changes only become fewer; one or two rounds are usual.
  for (int round = 0; round < 10 && changes && !changes->empty(); ++round) {
    Judge again = judge;
    again.noise = noise_around(judge.values, *changes, min_sd, correlation, judge.effects);
    again.critical = max_statistic_critical(level, n, again.noise.df);
    if (!(again.penalty() > judge.penalty())) break;
    judge = again;
    changes = segment(judge.values, judge.penalty(), judge.min_segment);
  }
  return changes;
}

}  // namespace

std::optional<SeriesNoise> noise_of_series(std::span<double const> values, ChangePointOptions const& options) {
  if (fit(values, options) != SeriesStatus::analysed) return std::nullopt;
  std::optional<Prepared> const prepared = prepare(values, options);
  return prepared ? std::optional(prepared->noise) : std::nullopt;
}

ChangePoints find_change_points(std::span<double const> values, ChangePointOptions const& options) {
  if (SeriesStatus const status = fit(values, options); status != SeriesStatus::analysed) return {.status = status};
  std::optional<Prepared> const prepared = prepare(values, options);
  if (!prepared) return {.status = SeriesStatus::not_finite};
  auto const& [min_sd, effects, alike, smooth, noise] = *prepared;

  std::vector<int> groups;
  if (effects > 0) groups.assign(options.groups.begin(), options.groups.end());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (std::abs(alike[i] - smooth[i]) > kOffTheLevel * noise.sd) groups[i] = -1;
  }
  std::vector<double> apart(values.begin(), values.end());
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= alike[i] - smooth[i];
  Judge judge{.values = smooth,
              .with_spikes = alike,
              .apart = apart,
              .groups = groups,
              .effects = effects,
              .group_sd = options.group_sd,
              .sums = PrefixSums(smooth),
              .noise = noise,
              .min_size = std::log1p(options.min_magnitude),
              .min_segment = options.min_segment};
  std::optional<Changes> changes = significant_changes(judge, options.level, min_sd, options.correlation);
  if (!changes) return {.status = SeriesStatus::not_finite};
  merge_what_does_not_count(judge, *changes);

  ChangePoints result{.status = SeriesStatus::analysed, .noise = judge.noise, .critical = judge.critical};
  for (std::size_t change = 0; change < changes->size(); ++change)
    result.changes.push_back(describe(judge, *changes, change, options.confidence));
  return result;
}

}  // namespace perfcheck::stats
