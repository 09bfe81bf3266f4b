// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Critical values, and the simulated rate of false changes against the nominal level.
#include "perfcheck/stats/change_points.h"
#include "perfcheck/stats/max_statistic.h"
#include "perfcheck/stats/stats.h"

#include "made_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfcheck::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The share of flat series in which a change is found.
double false_changes(std::size_t n, int count, double level, double rho, std::optional<double> correlation) {
  Random random(17 * n);
  int found = 0;
  for (int series = 0; series < count; ++series) {
    ChangePoints const result = find_change_points(
        noise(n, random, rho), {.level = level, .min_magnitude = 0, .min_sd = 0, .correlation = correlation});
    EXPECT_EQ(result.status, SeriesStatus::analysed);
    found += result.changes.empty() ? 0 : 1;
  }
  return static_cast<double>(found) / count;
}

/// Four standard deviations of a simulated share: only 1 in 16,000 correct ones is beyond.
double tolerance(double share, int count) { return 4 * std::sqrt(share * (1 - share) / count); }

TEST(MaxStatistic, PValueAndCriticalValueAreInverses) {
  for (std::size_t const n : {6, 7, 15, 40, 1000, 100000}) {
    for (double const df : {3.0, 12.5, 900.0}) {
      for (double const level : {0.2, 0.05, 0.001, 1e-6, 1e-9}) {
        double const t = max_statistic_critical(level, n, df);
        EXPECT_NEAR(max_statistic_p(t, n, df) / level, 1, 1e-5) << n << ' ' << df << ' ' << level;
      }
    }
  }
}

TEST(MaxStatistic, LongerSeriesFewerDegreesOfFreedomAndStricterLevelsAskForMore) {
  double last = 0;
  for (std::size_t n = 6; n < 20000; n += 1 + n / 10) {
    double const t = max_statistic_critical(0.001, n, 50);
    EXPECT_GT(t, last - 0.02) << n;
    last = t;
    EXPECT_GT(max_statistic_critical(0.001, n, 5), t);
    EXPECT_GT(max_statistic_critical(0.0005, n, 50), t);
  }
  double p = 1;
  for (double t = 0; t < 30; t += 0.1) {
    EXPECT_LE(max_statistic_p(t, 100, 98), p);
    p = max_statistic_p(t, 100, 98);
  }
}

TEST(MaxStatistic, CriticalValuesAreALittleAboveThoseOfOneChange) {
  // Quantiles (5 %, 1 %, 0.1 %) of the largest two-sample statistic of a single change, shortest segment 3, simulated
  // with NumPy. Ours allow for several changes, for noise estimated around candidates and for spikes, so they are
  // larger, most of all in short series.
  struct Row {
    std::size_t n;
    double five, one, tenth, more;
  };
  for (Row const& row :
       {Row{15, 3.15, 4.10, 5.48, 1.15}, Row{30, 3.09, 3.79, 4.70, 1.1}, Row{100, 3.12, 3.67, 4.36, 1.05}}) {
    auto const df = static_cast<double>(row.n - 2);
    double const ours[] = {max_statistic_critical(0.05, row.n, df), max_statistic_critical(0.01, row.n, df),
                           max_statistic_critical(0.001, row.n, df)};
    double const one_change[] = {row.five, row.one, row.tenth};
    for (int level = 0; level < 3; ++level) {
      EXPECT_GT(ours[level], one_change[level]) << row.n << ' ' << level;
      EXPECT_LT(ours[level], row.more * one_change[level]) << row.n << ' ' << level;
    }
  }
}

TEST(MaxStatistic, BadArgumentsGiveNan) {
  EXPECT_TRUE(std::isnan(max_statistic_p(kNan, 20, 10)));
  EXPECT_TRUE(std::isnan(max_statistic_p(3, 5, 10)));
  EXPECT_TRUE(std::isnan(max_statistic_p(3, 20, 0)));
  EXPECT_TRUE(std::isnan(max_statistic_p(3, 20, kNan)));
  for (double const level : {0.0, 1.0, -0.1, kNan}) EXPECT_TRUE(std::isnan(max_statistic_critical(level, 20, 10)));
  EXPECT_EQ(max_statistic_p(std::numeric_limits<double>::infinity(), 20, 10), 0);
  EXPECT_EQ(max_statistic_p(0, 20, 10), 1);
}

TEST(FalseChanges, OfIndependentRunsComeAtTheNominalLevel) {
  struct Row {
    std::size_t n;
    int count;
  };
  for (Row const& row : {Row{15, 12000}, Row{40, 6000}, Row{100, 3000}, Row{300, 1200}, Row{1000, 400}}) {
    for (double const level : {0.05, 0.01, 0.001}) {
      // The table was simulated and is interpolated, which adds a tenth of the level.
      EXPECT_NEAR(false_changes(row.n, row.count, level, 0, 0.0), level, tolerance(level, row.count) + 0.1 * level)
          << row.n << ' ' << level;
    }
  }
}

TEST(FalseChanges, OfRunsOfUnknownCorrelationStayBelowTheLevel) {
  for (double const rho : {0.0, 0.3, 0.5, 0.7}) {
    for (std::size_t const n : {15, 30, 100, 300}) {
      int const count = n < 100 ? 3000 : 700;
      for (double const level : {0.05, 0.01}) {
        EXPECT_LE(false_changes(n, count, level, rho, std::nullopt), 1.2 * level + tolerance(level, count))
            << n << ' ' << rho << ' ' << level;
      }
    }
  }
}

TEST(FalseChanges, OfCorrelatedRunsTakenForIndependentComeTenTimesTooOften) {
  EXPECT_GT(false_changes(100, 500, 0.05, 0.5, 0.0), 0.5);
  EXPECT_GT(false_changes(100, 500, 0.001, 0.5, 0.0), 0.1);
}

TEST(FalseChanges, OfSpikesAndHeavyTailsStayRare) {
  Random random(23);
  std::student_t_distribution<double> heavy(3);
  int of_spikes = 0, of_tails = 0;
  for (int series = 0; series < 1000; ++series) {
    std::vector<double> spiky = noise(100, random), tails(100);
    for (double& value : spiky) value += random() % 50 == 0 ? 10 : 0;
    for (double& value : tails) value = heavy(random);
    of_spikes += find_change_points(spiky, {.level = 0.01, .min_magnitude = 0}).changes.empty() ? 0 : 1;
    of_tails += find_change_points(tails, {.level = 0.01, .min_magnitude = 0}).changes.empty() ? 0 : 1;
  }
  EXPECT_LE(of_spikes, 20);
  EXPECT_LE(of_tails, 20);
}

TEST(FalseChanges, APermutedFlatSeriesStaysFlat) {
  Random random(29);
  std::vector<double> values = noise(150, random);
  int found = 0;
  for (int round = 0; round < 500; ++round) {
    std::shuffle(values.begin(), values.end(), random);
    found += find_change_points(values, {.min_magnitude = 0, .correlation = 0.0}).changes.empty() ? 0 : 1;
  }
  EXPECT_LE(found, 4);
}

}  // namespace
}  // namespace perfcheck::stats
