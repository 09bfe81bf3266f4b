// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/stats/run_interval.h"

#include "made_series.h"
#include "perfcheck/stats/stats.h"

#include <gtest/gtest.h>

#include <limits>

namespace perfcheck::stats {
namespace {

std::vector<double> levels(std::vector<double> const& logs, double sd) {
  std::vector<double> result;
  for (double const log : logs) result.push_back(1e6 * std::exp(sd * log));
  return result;
}

TEST(RunInterval, OfSessionsIsStudentsTOfTheirLogarithms) {
  // Logarithms 0, 1, 2: mean 1, sd 1, t(0.975; 2) = 4.302653.
  std::vector<double> const medians{1, std::exp(1.0), std::exp(2.0)};
  EXPECT_NEAR(run_half_width(medians, {}).value(), 4.302653 / std::sqrt(3.0), 1e-5);
  std::vector<double> const two{100, 101};
  EXPECT_NEAR(run_half_width(two, {}).value(), 12.7062 * std::log(1.01) / 2, 1e-6);
}

TEST(RunInterval, OfSessionsDoesNotReadRounds) {
  std::vector<double> const medians{100, 101};
  EXPECT_EQ(run_half_width(medians, std::vector<double>{-1}), run_half_width(medians, {}));
}

TEST(RunInterval, OfOneSessionComesFromItsBatches) {
  Random random(1);
  std::vector<double> const logs = noise(80, random);
  double const error = standard_error_of_median(logs, 8).value();
  EXPECT_NEAR(run_half_width(std::vector<double>{1e6}, levels(logs, 0.001)).value(),
              0.001 * student_t_quantile(0.975, 7) * error, 1e-9);
}

TEST(RunInterval, OfFewRoundsTakesFewerBatches) {
  Random random(1);
  std::vector<double> const logs = noise(9, random);
  EXPECT_NEAR(run_half_width(std::vector<double>{1e6}, levels(logs, 0.001)).value(),
              0.001 * student_t_quantile(0.975, 3) * standard_error_of_median(logs, 4).value(), 1e-9);
  EXPECT_EQ(run_half_width(std::vector<double>{1e6}, std::vector<double>(7, 1.0)), std::nullopt);
  EXPECT_EQ(run_half_width(std::vector<double>{1e6}, std::vector<double>(8, 1.0)), 0.0);
}

/// The share of intervals that contain the true level, 0.
double coverage(int sessions, std::size_t rounds, double rho) {
  Random random(42);
  int held = 0;
  int const trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> medians, all;
    for (int session = 0; session < sessions; ++session) {
      all = levels(noise(rounds, random, rho), 0.002);
      medians.push_back(*median(all));
    }
    double centre = 0;
    for (double const value : medians) centre += std::log(value / 1e6) / sessions;
    if (std::abs(centre) <= run_half_width(medians, all).value()) ++held;
  }
  return static_cast<double>(held) / trials;
}

TEST(RunInterval, HoldsTheLevelInNinetyFiveOfAHundredRuns) {
  EXPECT_NEAR(coverage(2, 20, 0), 0.95, 0.012);
  EXPECT_NEAR(coverage(5, 20, 0.5), 0.95, 0.012);
  EXPECT_NEAR(coverage(1, 160, 0), 0.95, 0.02);
  EXPECT_NEAR(coverage(1, 160, 0.5), 0.94, 0.03) << "correlation between rounds must not reduce the coverage";
}

TEST(RunInterval, DoesNotDependOnTheUnit) {
  std::vector<double> const a{1, 1.01, 1.03}, b{1000, 1010, 1030};
  EXPECT_NEAR(run_half_width(a, {}).value(), run_half_width(b, {}).value(), 1e-12);
}

TEST(RunInterval, IsNoneWhereItCannotBeKnown) {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(run_half_width({}, {}), std::nullopt);
  EXPECT_EQ(run_half_width(std::vector<double>{1}, {}), std::nullopt);
  for (double const bad : {nan, infinity, 0.0, -1.0}) {
    EXPECT_EQ(run_half_width(std::vector<double>{1, bad}, {}), std::nullopt) << bad;
    std::vector<double> rounds(20, 1.0);
    rounds[3] = bad;
    EXPECT_EQ(run_half_width(std::vector<double>{1}, rounds), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace perfcheck::stats
