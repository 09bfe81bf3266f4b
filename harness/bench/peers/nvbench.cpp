// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The two comparisons of nvbench.
#include "judges.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace perfcheck::peers {
namespace {

/// The settings of a preset of nvbench-compare-robust.
struct Thresholds {
  double gap = 0;              ///< between intervals, to call them apart
  double centre = 0;           ///< between medians, and between a value and its nearest in the other session
  double overlap = 0;          ///< of the shorter interval
  double covered_samples = 0;  ///< share of values with a near one in the other session
  double covered_support = 0;  ///< the same, each distinct value counted once
};

constexpr Thresholds kDefault = {0.005, 0.005, 0.5, 0.97, 0.80};
constexpr Thresholds kStrict = {0.01, 0.0025, 0.75, 0.995, 0.90};
constexpr Thresholds kPermissive = {0.0025, 0.01, 0.25, 0.90, 0.60};

/// Least value, middle and third quartile.
struct Interval {
  double low = 0, centre = 0, high = 0;
};

/// The value at the rank nearest to the percentile, half a rank up (nvbench/detail/statistics.cuh `percentile_rank`).
double percentile(std::vector<double> const& sorted, std::size_t percent) {
  return sorted[(percent * (sorted.size() - 1) + 50) / 100];
}

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

Interval interval_of(std::vector<double> const& sorted) {
  return {.low = sorted.front(), .centre = percentile(sorted, 50), .high = percentile(sorted, 75)};
}

/// slower or faster when the intervals are clearly apart, else nothing.
std::optional<Answer> apart(Interval const& before, Interval const& now, double gap) {
  if (now.low > before.high && (now.low - before.high) / before.high >= gap) return Answer::slower;
  if (before.low > now.high && (before.low - now.high) / now.high >= gap) return Answer::faster;
  return std::nullopt;
}

bool overlap(Interval const& a, Interval const& b, double share) {
  double const low = std::max(a.low, b.low);
  double const high = std::min(a.high, b.high);
  double const shorter = std::min(a.high - a.low, b.high - b.low);
  if (high < low) return false;
  return shorter > 0 ? (high - low) / shorter >= share : true;  // a single point inside the other interval
}

/// Whether nearly every value of `values` has one of `others` within a relative distance. Both are sorted.
bool is_covered(std::vector<double> const& values, std::vector<double> const& others, Thresholds const& thresholds) {
  double samples = 0, distinct = 0, distinct_covered = 0;
  for (auto begin = values.begin(); begin != values.end();) {
    auto const end = std::upper_bound(begin, values.end(), *begin);
    auto const above = std::lower_bound(others.begin(), others.end(), *begin);
    // nvbench compares the distance of the logarithms with log(1 + centre), which is the same.
    bool const near =
        (above != others.end() && (*above - *begin) / *begin <= thresholds.centre) ||
        (above != others.begin() && (*begin - *std::prev(above)) / *std::prev(above) <= thresholds.centre);
    samples += near ? static_cast<double>(end - begin) : 0;
    distinct_covered += near ? 1 : 0;
    distinct += 1;
    begin = end;
  }
  return samples / static_cast<double>(values.size()) >= thresholds.covered_samples &&
         distinct_covered / distinct >= thresholds.covered_support;
}

/// One quantity, time or cycles, of both sessions.
struct Pair {
  std::vector<double> before, now;  ///< sorted

  std::optional<Answer> clear_gap(Thresholds const& thresholds) const {
    return apart(interval_of(before), interval_of(now), thresholds.gap);
  }
  bool intervals_agree(Thresholds const& thresholds) const {
    Interval const a = interval_of(before);
    Interval const b = interval_of(now);
    return std::abs(a.centre - b.centre) / std::min(a.centre, b.centre) <= thresholds.centre &&
           overlap(a, b, thresholds.overlap);
  }
  bool values_agree(Thresholds const& thresholds) const {
    return is_covered(before, now, thresholds) && is_covered(now, before, thresholds);
  }
};

std::vector<double> cycles(Session const& session) {
  std::vector<double> product;
  for (std::size_t round = 0; round < session.time_ns.size(); ++round) {
    product.push_back(session.time_ns[round] * session.clock_mhz[round]);
  }
  return product;
}

bool has_sound_clock(Session const& session) {
  return session.clock_mhz.size() == session.time_ns.size() && is_usable(session.clock_mhz);
}

Answer robust(Session const& before, Session const& now, Thresholds const& thresholds) {
  // Clocks that make no sense leave the comparison undecided; missing clocks are ignored.
  bool const clocks_known = !before.clock_mhz.empty() && !now.clock_mhz.empty();
  if (clocks_known && (!has_sound_clock(before) || !has_sound_clock(now))) return Answer::undecided;

  Pair const time = {.before = sorted(before.time_ns), .now = sorted(now.time_ns)};
  std::optional<Pair> cycle;
  if (clocks_known) cycle = Pair{.before = sorted(cycles(before)), .now = sorted(cycles(now))};

  if (auto const gap = time.clear_gap(thresholds)) {
    return cycle && cycle->clear_gap(thresholds) == gap ? *gap : Answer::undecided;
  }
  bool const same =
      time.intervals_agree(thresholds) && time.values_agree(thresholds) && (!cycle || cycle->values_agree(thresholds));
  return same ? Answer::same : Answer::undecided;
}

}  // namespace

Answer nvbench_legacy(Session const& before, Session const& now) {
  if (before.time_ns.size() < 5 || now.time_ns.size() < 5) return Answer::undecided;
  double const old_mean = *stats::mean(before.time_ns);
  double const new_mean = *stats::mean(now.time_ns);
  double const noise =
      std::min(*stats::sample_sd(before.time_ns) / old_mean, *stats::sample_sd(now.time_ns) / new_mean);
  double const change = (new_mean - old_mean) / old_mean;
  if (change > noise) return Answer::slower;
  return change < -noise ? Answer::faster : Answer::same;
}

Answer nvbench_robust(Session const& before, Session const& now) { return robust(before, now, kDefault); }

Answer nvbench_robust_strict(Session const& before, Session const& now) { return robust(before, now, kStrict); }

Answer nvbench_robust_permissive(Session const& before, Session const& now) { return robust(before, now, kPermissive); }

}  // namespace perfcheck::peers
