// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Means of the last runs against the anchor.
#include "perfcheck/stats/creep.h"

#include "perfcheck/stats/change_points.h"
#include "perfcheck/stats/max_statistic.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace perfcheck::stats {
namespace {

constexpr std::array<std::size_t, 12> kWindows = {3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30, 40};
constexpr std::size_t kUnsettled = 10;    // runs at the end, not used to estimate noise
constexpr std::size_t kUsualWindow = 10;  // for a series that does not drift
constexpr std::size_t kSharedRuns = 3;    // per side, of groups that ran on both, the slowest run included
constexpr double kLarge = 3;              // sd from the median of a window
constexpr double kOffTheLevel = 6;        // likewise, as a spike
constexpr double kCusumReference = 0.5;   // long-run sd

bool usable(std::span<double const> values, Anchor const& anchor, CreepOptions const& options) {
  auto const positive = [](double value) { return std::isfinite(value) && value > 0; };
  bool const grouped = options.groups.empty() || (options.groups.size() == values.size() &&
                                                  *std::min_element(options.groups.begin(), options.groups.end()) >= 0);
  return positive(options.margin) && positive(options.min_sd) && options.level > 0 && options.level < 0.5 &&
         options.correlation >= 0 && options.correlation <= kMaxCorrelation && std::isfinite(options.group_sd) &&
         options.group_sd >= 0 && grouped && anchor.begin <= anchor.end && anchor.end <= values.size() &&
         anchor.from <= values.size();
}

/// Variance of the mean of n runs whose neighbours have correlation rho, in units of the variance of one run.
double variance_of_mean(std::size_t count, double rho) {
  auto const n = static_cast<double>(count);
  double const decay = (1 - std::pow(rho, n)) / (1 - rho);
  return ((1 + rho) / (1 - rho) - 2 * rho * decay / (n * (1 - rho))) / n;
}

/// A stretch of runs, cut at 3 sd from their median.
struct Stretch {
  std::vector<double> cut;
  double centre = 0;
  double mean = 0;
};

Stretch stretch_of(std::span<double const> values, double sd) {
  Stretch stretch{.cut = {values.begin(), values.end()}, .centre = *median(values)};
  double sum = 0;
  for (double& value : stretch.cut) {
    value = std::clamp(value, stretch.centre - kLarge * sd, stretch.centre + kLarge * sd);
    sum += value;
  }
  stretch.mean = sum / static_cast<double>(values.size());
  return stretch;
}

/// How far one window at the end is above the anchor.
struct Window {
  std::size_t runs = 0;
  LevelDifference drift;
  LevelDifference without_slowest;
  bool one_level = false;
};

class Judge {
 public:
  Judge(std::span<double const> values, Anchor const& anchor, CreepOptions const& options, double min_sd)
      : values_(values),
        anchor_(anchor),
        options_(options),
        groups_(options.groups.begin(), options.groups.end()),
        alike_(without_group_effects(values, options.groups, options.group_sd, min_sd)) {
    groups_.resize(values.size(), 0);
  }

  /// nullopt if there are too few runs before the last ones to tell how much they scatter.
  std::optional<SeriesNoise> noise(double min_sd) const {
    std::size_t const settled = values_.size() - std::min(kUnsettled, values_.size() / 3);
    ChangePointOptions options{.min_sd = min_sd, .correlation = options_.correlation, .group_sd = options_.group_sd};
    if (!options_.groups.empty()) options.groups = options_.groups.first(settled);
    return noise_of_series(values_.first(settled), options);
  }

  Creep judge(SeriesNoise const& noise) {
    noise_ = noise;
    level_ = stretch_of(runs(anchor_.begin, anchor_.end), noise.sd);
    std::size_t const since = compared();
    double const quantile = student_t_quantile(1 - options_.level, noise.df);
    Creep creep{.status = CreepStatus::judged, .noise = noise};
    double clearest = 0;
    for (std::size_t const count : kWindows) {
      if (count > since) break;
      Window const window = window_of(count);
      if (!window.one_level) continue;
      clearest = std::max(clearest, window.without_slowest.size / window.without_slowest.se);
      double const lower = window.drift.size - quantile * window.drift.se;
      if (lower > std::max(creep.lower, 0.0)) tell(window, quantile, creep);
    }
    if (creep.runs == 0) tell(window_of(std::min(since, kUsualWindow)), quantile, creep);
    creep.p = max_statistic_p(clearest, values_.size(), noise.df);
    creep.onset = onset();
    return creep;
  }

  /// Does any group of the anchor also run among the last runs that are looked at?
  bool compares() const {
    std::size_t const since = std::min(compared(), kWindows.back());
    auto const last = std::span(groups_).last(since);
    return std::any_of(groups_.begin() + static_cast<std::ptrdiff_t>(anchor_.begin),
                       groups_.begin() + static_cast<std::ptrdiff_t>(anchor_.end),
                       [&](int group) { return std::find(last.begin(), last.end(), group) != last.end(); });
  }

  /// How many runs at the end say something about the present level.
  std::size_t compared() const { return values_.size() - std::max(anchor_.end, anchor_.from); }

 private:
  std::span<double const> runs(std::size_t begin, std::size_t end) const {
    return std::span(alike_).subspan(begin, end - begin);
  }

  static void tell(Window const& window, double quantile, Creep& creep) {
    creep.runs = window.runs;
    creep.drift = window.drift.size;
    creep.lower = window.drift.size - quantile * window.drift.se;
    creep.upper = window.drift.size + quantile * window.drift.se;
  }

  Window window_of(std::size_t count) const {
    Stretch const last = stretch_of(runs(values_.size() - count, values_.size()), noise_.sd);
    Window window{.runs = count, .drift = difference(last, std::nullopt)};
    auto const slowest = std::max_element(last.cut.begin(), last.cut.end()) - last.cut.begin();
    window.without_slowest = difference(last, static_cast<std::size_t>(slowest));
    window.one_level = is_one_level(last, window.drift.size);
    return window;
  }

  bool is_one_level(Stretch const& last, double drift) const {
    double const far = std::max(kOffTheLevel * noise_.sd, std::log1p(options_.margin));
    auto const window = runs(values_.size() - last.cut.size(), values_.size());
    auto const is_low = [&](double run) { return !(run - level_.mean >= drift / 3); };
    auto const low = static_cast<std::size_t>(std::ranges::count_if(window, is_low));
    auto const apart = static_cast<std::size_t>(
        std::ranges::count_if(window, [&](double run) { return !(std::abs(run - last.centre) <= far); }));
    bool const over = std::ranges::count_if(window.last(kFewestCreepRuns), is_low) > 1;
    // The slowest may stand apart: it is no evidence in any case.
    return !over && 4 * low < window.size() && 4 * (std::max<std::size_t>(apart, 1) - 1) < window.size() - 1;
  }

  /// The difference between the anchor and the last runs, without run `left_out`, if each group has its own level.
  LevelDifference difference(Stretch const& last, std::optional<std::size_t> left_out) const {
    std::vector<double> apart;
    std::vector<int> groups;
    auto const add = [&](Stretch const& stretch, std::size_t begin) {
      for (std::size_t i = 0; i < stretch.cut.size(); ++i) {
        apart.push_back(values_[begin + i] + stretch.cut[i] - alike_[begin + i]);
        groups.push_back(groups_[begin + i]);
      }
    };
    add(level_, anchor_.begin);
    add(last, values_.size() - last.cut.size());
    std::size_t const split = level_.cut.size();
    std::size_t count = last.cut.size();
    std::size_t shared = kSharedRuns;
    if (left_out) {
      groups[split + *left_out] = -1;
      count -= 1;
      shared -= 1;
    }
    // Chosen so that the error is exact if all runs are of one group.
    double const rho = noise_.correlation;
    double const run_variance = (variance_of_mean(split, rho) + variance_of_mean(count, rho)) /
                                (1 / static_cast<double>(split) + 1 / static_cast<double>(count));
    return level_difference(apart, groups, split, noise_.sd * std::sqrt(run_variance), options_.group_sd, shared);
  }

  std::size_t onset() const {
    double sum = 0;
    std::size_t first = anchor_.end;
    for (std::size_t i = anchor_.end; i < alike_.size(); ++i) {
      double const z = std::clamp((alike_[i] - level_.mean) / noise_.long_run_sd(), -kLarge, kLarge);
      sum = std::max(0.0, sum + z - kCusumReference);
      if (!(sum > 0)) first = i + 1;
    }
    return std::min(first, alike_.size() - 1);
  }

  std::span<double const> values_;
  Anchor anchor_;
  CreepOptions options_;
  std::vector<int> groups_;
  std::vector<double> alike_;  ///< values without group effects
  SeriesNoise noise_;
  Stretch level_;  ///< the anchor's
};

}  // namespace

bool Creep::beyond(double margin) const { return status == CreepStatus::judged && lower > std::log1p(margin); }

Creep judge_creep(std::span<double const> values, Anchor const& anchor, CreepOptions const& options) {
  if (!usable(values, anchor, options)) return {.status = CreepStatus::bad_options};
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    return {.status = CreepStatus::not_finite};
  std::size_t const since = values.size() - std::max(anchor.end, anchor.from);
  if (anchor.end - anchor.begin < kFewestAnchorRuns || since < kFewestCreepRuns)
    return {.status = CreepStatus::too_few_runs};
  auto const [lowest, highest] = std::minmax_element(values.begin(), values.end());
  // As in find_change_points: without noise and without a floor for it, rounding is the noise.
  double const min_sd = std::max({options.min_sd, 1e-9 * (*highest / 2 - *lowest / 2), 1e-150});
  Judge judge(values, anchor, options, min_sd);
  if (!judge.compares()) return {.status = CreepStatus::no_common_group};
  std::optional<SeriesNoise> const noise = judge.noise(min_sd);
  if (!noise) return {.status = CreepStatus::too_few_runs};
  if (!std::isfinite(noise->long_run_sd())) return {.status = CreepStatus::not_finite};
  return judge.judge(*noise);
}

}  // namespace perfcheck::stats
