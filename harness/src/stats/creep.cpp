// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Cumulative sums and the confidence limits of a drift.
#include "perfcheck/stats/creep.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::stats {
namespace {

constexpr double kSpike = 3;                // long-run sd
constexpr double kAnchorAllowance = 1.645;  // standard errors: the anchor is off by more once in twenty on each side

bool finite(std::span<double const> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool usable(SeriesNoise const& noise) {
  double const sd = noise.long_run_sd();
  return std::isfinite(sd) && sd > 0 && noise.df > 0;
}

bool usable(CreepOptions const& options) {
  return options.reference >= 0 && std::isfinite(options.reference) && options.threshold > 0 &&
         std::isfinite(options.threshold) && options.recent > 0 && options.limit > 0 && std::isfinite(options.limit) &&
         options.level > 0 && options.level < 0.5;
}

/// Mean of values cut at 3 sd from their median.
double cut_mean(std::span<double const> values, double sd) {
  double const centre = *median(values);
  double sum = 0;
  for (double const value : values) sum += std::clamp(value, centre - kSpike * sd, centre + kSpike * sd);
  return sum / static_cast<double>(values.size());
}

/// The first alarm in one direction. `sign` is 1 for slower and -1 for faster.
std::optional<CusumAlarm> first_alarm(std::span<double const> values, Anchor const& anchor, double sd, double allowance,
                                      double threshold, Direction direction) {
  double const sign = direction == Direction::slower ? 1 : -1;
  double sum = 0;
  std::size_t onset = anchor.from;
  for (std::size_t i = anchor.from; i < values.size(); ++i) {
    double const z = std::clamp(sign * (values[i] - anchor.level) / sd, -kSpike, kSpike);
    sum = std::max(0.0, sum + z - allowance);
    if (sum > threshold) return CusumAlarm{.index = i, .onset = onset, .direction = direction};
    if (!(sum > 0)) onset = i + 1;
  }
  return std::nullopt;
}

CreepStatus status_of(Creep const& creep, double limit) {
  if (creep.lower > limit || creep.upper < -limit) return CreepStatus::drifted;
  for (CusumAlarm const& alarm : creep.alarms) {
    if (alarm.direction == Direction::slower ? creep.lower > 0 : creep.upper < 0) return CreepStatus::creeping;
  }
  return CreepStatus::steady;
}

}  // namespace

std::optional<Anchor> anchor_at(std::span<double const> values, std::size_t release, std::size_t level_start,
                                SeriesNoise const& noise, std::size_t runs) {
  if (release >= values.size() || level_start > release || runs == 0 || !usable(noise)) return std::nullopt;
  std::size_t const count = std::min(runs, release + 1 - level_start);
  std::span<double const> const level = values.subspan(release + 1 - count, count);
  if (!finite(level)) return std::nullopt;
  return Anchor{.from = release + 1,
                .level = cut_mean(level, noise.sd),
                .standard_error = noise.long_run_sd() / std::sqrt(static_cast<double>(count))};
}

Creep judge_creep(std::span<double const> values, Anchor const& anchor, SeriesNoise const& noise,
                  CreepOptions const& options) {
  if (!usable(options)) return {.status = CreepStatus::bad_options};
  bool const anchored =
      std::isfinite(anchor.level) && std::isfinite(anchor.standard_error) && anchor.standard_error >= 0;
  if (!anchored || !usable(noise)) return {.status = CreepStatus::not_finite};
  if (anchor.from >= values.size()) return {.status = CreepStatus::no_runs};
  std::span<double const> const since = values.subspan(anchor.from);
  if (!finite(since)) return {.status = CreepStatus::not_finite};

  double const sd = noise.long_run_sd();
  double const allowance = options.reference + kAnchorAllowance * anchor.standard_error / sd;
  Creep creep;
  for (Direction const direction : {Direction::slower, Direction::faster}) {
    if (auto const alarm = first_alarm(values, anchor, sd, allowance, options.threshold, direction))
      creep.alarms.push_back(*alarm);
  }
  std::sort(creep.alarms.begin(), creep.alarms.end(),
            [](CusumAlarm const& a, CusumAlarm const& b) { return a.index < b.index; });

  std::size_t const count = std::min(options.recent, since.size());
  creep.drift = cut_mean(since.last(count), noise.sd) - anchor.level;
  double const error = std::hypot(sd / std::sqrt(static_cast<double>(count)), anchor.standard_error);
  double const reach = student_t_quantile(1 - options.level, noise.df) * error;
  creep.lower = creep.drift - reach;
  creep.upper = creep.drift + reach;
  creep.status = status_of(creep, std::log1p(options.limit));
  return creep;
}

}  // namespace perfcheck::stats
