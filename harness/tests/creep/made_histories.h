// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Made-up histories for the tests of creep and for perfcheck_creep_rates: one case on one card, one run per commit.
#pragma once

#include "perfcheck/creep/creep.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace perfcheck::creep {

using Random = std::mt19937_64;

inline constexpr double kMargin = 0.005;  ///< perfcheck.toml's margin for CUDA
inline constexpr double kStep = 0.002;    ///< a step of creep

inline constexpr int kCases = 300;  ///< of a device
/// The level that Holm's procedure asks of the first of kCases cases, as if all others on the device were steady.
inline Options among_many() { return {.alpha = Options().alpha / kCases}; }

/// How the runs of a history scatter. `sd` is the standard deviation of a run from all causes together, as a share;
/// `correlation` is that of neighbouring runs. A tenth of the variance, or as much as the correlation allows, is shared
/// by the five runs of a day; the rest depends on the run before. A spike is a run that is slower by 5 to 50 sd.
struct Scatter {
  double sd = 0.001;
  double correlation = 0.15;
  double spikes = 0.005;
};

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A number from `low` to `high`, both included.
inline int drawn(Random& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

/// Runs at level 0.
inline std::vector<double> flat_runs(std::size_t count, Scatter const& scatter, Random& random) {
  constexpr int kRunsOfADay = 5;
  constexpr double kSharedWithinADay = (kRunsOfADay - 1.0) / kRunsOfADay;
  double const day_share = std::min(0.1, scatter.correlation / kSharedWithinADay);
  double const memory = (scatter.correlation - day_share * kSharedWithinADay) / (1 - day_share);
  std::normal_distribution<double> normal;
  int left_of_day = drawn(random, 0, kRunsOfADay - 1);
  double day = normal(random), own = normal(random);
  std::vector<double> runs;
  for (std::size_t i = 0; i < count; ++i) {
    if (left_of_day-- == 0) {
      day = normal(random);
      left_of_day = kRunsOfADay - 1;
    }
    double run = std::sqrt(day_share) * day + std::sqrt(1 - day_share) * own;
    if (uniform(random, 0, 1) < scatter.spikes) run += uniform(random, 5, 50);
    runs.push_back(scatter.sd * run);
    own = memory * own + std::sqrt(1 - memory * memory) * normal(random);
  }
  return runs;
}

/// A history, and how it was made.
struct MadeHistory {
  std::vector<double> values;
  std::vector<double> levels;  ///< the true values, without scatter
  std::vector<bool> improved;  ///< the gate calls this run improved
  std::vector<int> accepted;   ///< runs whose level became that of the stored baseline
  std::vector<int> steps;      ///< runs at which a step of creep happened
  std::optional<int> release;

  /// The history after its first `count` runs.
  CaseHistory upto(std::size_t count) const {
    CaseHistory one{.id = "kernel@problem", .margin = kMargin, .time_ns = 1e5};
    for (std::size_t i = 0; i < count; ++i) {
      one.points.push_back(
          {.run = static_cast<int>(i), .value = values[i], .commit = static_cast<int>(i), .improved = improved[i]});
    }
    for (int const run : accepted) {
      if (run <= static_cast<int>(count)) one.accepted = run;
    }
    return one;
  }
};

/// May the last of `count` runs lead to an alarm? A cheap filter that is weaker than find_creep and leaves room for an
/// inaccurate anchor: in some window that ends there, more than three quarters of the runs must be above the true level
/// plus a third of the margin, minus 1.5 sd.
inline bool may_alarm(MadeHistory const& made, std::size_t count, double sd) {
  double const least = made.levels[count - 1] + kMargin / 3 - 1.5 * sd;
  std::size_t low = 0;
  for (std::size_t window = 1; window <= std::min<std::size_t>(count, 40); ++window) {
    low += made.values[count - window] < least ? 1 : 0;
    if (window >= 3 && 4 * low < window) return true;
  }
  return false;
}

inline MadeHistory made_history(std::size_t count, Scatter const& scatter, Random& random) {
  MadeHistory made{.values = flat_runs(count, scatter, random),
                   .levels = std::vector<double>(count, 0.0),
                   .improved = std::vector<bool>(count, false)};
  return made;
}

inline void add_level(MadeHistory& made, int from, double size) {
  for (auto i = static_cast<std::size_t>(from); i < made.values.size(); ++i) {
    made.values[i] += size;
    made.levels[i] += size;
  }
}

/// An intended change. An improvement may or may not be accepted into the stored baseline; until it is, the gate calls
/// every run improved. A slowdown beyond the margin passes the gate only with a new baseline.
inline void add_accepted_change(MadeHistory& made, int at, Random& random) {
  bool const faster = drawn(random, 0, 1) == 0;
  add_level(made, at, std::log1p(faster ? -uniform(random, 0.01, 0.08) : uniform(random, 0.006, 0.04)));
  if (faster && drawn(random, 0, 1) == 0) {
    std::fill(made.improved.begin() + at, made.improved.end(), true);
  } else {
    made.accepted.push_back(at);
    std::fill(made.improved.begin() + at, made.improved.end(), false);
  }
}

/// Two to four intended changes, at least 25 runs apart, and no creep. Half of the histories have a release.
inline MadeHistory history_without_creep(std::size_t count, Scatter const& scatter, Random& random) {
  MadeHistory made = made_history(count, scatter, random);
  int at = 0;
  for (int changes = drawn(random, 2, 4); changes > 0; --changes) {
    at += drawn(random, 25, static_cast<int>(count) / 4);
    if (at < static_cast<int>(count)) add_accepted_change(made, at, random);
  }
  if (drawn(random, 0, 1) == 0) made.release = drawn(random, 30, static_cast<int>(count) / 2);
  return made;
}

/// Steps of +0.2 %, one every `every` commits from `onset` on. The anchor is a release up to 11 runs before the onset
/// or, without a release, the first runs.
inline MadeHistory history_with_creep(std::size_t count, Scatter const& scatter, int onset, int every, bool released,
                                      Random& random) {
  MadeHistory made = made_history(count, scatter, random);
  for (int at = onset; at < static_cast<int>(count); at += every) {
    add_level(made, at, std::log1p(kStep));
    made.steps.push_back(at);
  }
  if (released) made.release = onset - 1 - drawn(random, 0, std::min(10, onset - 30));
  return made;
}

}  // namespace perfcheck::creep
