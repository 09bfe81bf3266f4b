// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Run lengths were computed with NumPy and SciPy by the Markov chain of Brook and Evans (1972, Biometrika 59:539) with
// 2000 states for one sum and normal z cut at +-3; without the cut it gives the 335.4 and 930.9 that are published for
// thresholds of 4 and 5. Limits of the drift: SciPy.
#include "perfcheck/stats/creep.h"

#include "perfcheck/stats/change_points.h"
#include "perfcheck/stats/stats.h"

#include "made_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfcheck::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
SeriesNoise const kUnit{.sd = 1, .correlation = 0, .df = 1000};

/// Mean number of runs until an alarm, of series that begin at the anchor.
double mean_run_length(double threshold, double shift, std::optional<Direction> direction, int rounds) {
  Random random(41);
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> values;
    for (std::size_t length = 400;; length *= 4) {
      std::vector<double> const more = noise(length - values.size(), random);
      for (double const value : more) values.push_back(value + shift);
      auto const alarms = judge_creep(values, {}, kUnit, {.threshold = threshold}).alarms;
      auto const first = std::find_if(alarms.begin(), alarms.end(), [&](CusumAlarm const& alarm) {
        return !direction || alarm.direction == *direction;
      });
      if (first == alarms.end()) continue;
      sum += static_cast<double>(first->index + 1);
      break;
    }
  }
  return sum / rounds;
}

TEST(Cusum, FalseAlarmsComeAsRarelyAsComputed) {
  // A run length has about its mean as standard deviation: 4 of them.
  EXPECT_NEAR(mean_run_length(4, 0, Direction::slower, 4000), 346.5, 346.5 * 4 / std::sqrt(4000));
  EXPECT_NEAR(mean_run_length(4, 0, std::nullopt, 4000), 173.2, 173.2 * 4 / std::sqrt(4000));
  EXPECT_NEAR(mean_run_length(5, 0, Direction::faster, 2000), 974.8, 974.8 * 4 / std::sqrt(2000));
  EXPECT_NEAR(mean_run_length(8, 0, std::nullopt, 200), 10314, 10314 * 4 / std::sqrt(200));
}

TEST(Cusum, StepsAreFoundAsSoonAsComputed) {
  EXPECT_NEAR(mean_run_length(8, 0.5, Direction::slower, 500), 85.7, 85.7 * 4 / std::sqrt(500));
  EXPECT_NEAR(mean_run_length(8, 1, Direction::slower, 1000), 16.6, 1);
  EXPECT_NEAR(mean_run_length(8, 2, Direction::slower, 1000), 6.28, 0.3);
  EXPECT_NEAR(mean_run_length(8, -2, Direction::faster, 1000), 6.28, 0.3);
}

TEST(Cusum, OneSpikeRaisesNoAlarmAndFourLargeRunsDo) {
  std::vector<double> values(20, 0.0);
  values[10] = 1e6;
  EXPECT_TRUE(judge_creep(values, {}, kUnit).alarms.empty());
  for (std::size_t i = 10; i < 14; ++i) values[i] = 1e6;
  auto const alarms = judge_creep(values, {}, kUnit).alarms;
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_EQ(alarms[0].index, 13U);
  EXPECT_EQ(alarms[0].onset, 10U);
  EXPECT_EQ(alarms[0].direction, Direction::slower);
}

TEST(Cusum, BeginsAnewAtTheNextAnchor) {
  std::vector<double> values(40, 0.0);
  add_step(values, 20, 2);
  EXPECT_EQ(judge_creep(values, {}, kUnit).alarms.size(), 1U);
  // The step was accepted: the new level is the anchor.
  Anchor const accepted = *anchor_at(values, 29, 20, kUnit);
  EXPECT_EQ(accepted.from, 30U);
  EXPECT_DOUBLE_EQ(accepted.level, 2);
  EXPECT_TRUE(judge_creep(values, accepted, kUnit).alarms.empty());
  EXPECT_EQ(judge_creep(values, accepted, kUnit).status, CreepStatus::steady);
}

TEST(Creep, StepsBelowTheGatesMarginThatAddUpAreFound) {
  // 20 runs of +0.2 % each, sd 0.1 %: no single one passes a margin of 1 %.
  for (unsigned seed = 0; seed < 50; ++seed) {
    Random random(seed);
    std::vector<double> values = noise(60, random);
    for (double& value : values) value *= 0.001;
    for (std::size_t i = 40; i < 60; ++i) add_step(values, i, std::log1p(0.002));
    SeriesNoise const history = find_change_points(std::span(values).first(40)).noise;
    Anchor const release = *anchor_at(values, 39, 0, history);

    CreepStatus worst = CreepStatus::steady;
    double so_far = 0;
    for (std::size_t n = 41; n <= 60; ++n) {
      Creep const creep = judge_creep(std::span(values).first(n), release, history);
      EXPECT_NE(creep.status, CreepStatus::not_finite);
      if (n <= 49) {
        EXPECT_NE(creep.status, CreepStatus::drifted) << n;  // less than 2 %
      }
      if (n >= 52) {
        EXPECT_NE(creep.status, CreepStatus::steady) << n;
      }
      worst = creep.status;
      so_far = creep.drift;
    }
    EXPECT_EQ(worst, CreepStatus::drifted) << seed;
    EXPECT_NEAR(so_far, 18 * std::log1p(0.002), 0.002);  // the mean of the last five steps
  }
}

TEST(Creep, GoesBothWaysAlike) {
  Random random(43);
  std::vector<double> values = noise(80, random);
  for (std::size_t i = 20; i < 80; ++i) add_step(values, i, 0.1);
  SeriesNoise const unit{.sd = 1, .correlation = 0.2, .df = 30};
  CreepOptions const options{.limit = 1000};
  Creep const slower = judge_creep(values, {.from = 20, .level = 0.1, .standard_error = 0.3}, unit, options);
  for (double& value : values) value = -value;
  Creep const faster = judge_creep(values, {.from = 20, .level = -0.1, .standard_error = 0.3}, unit, options);
  EXPECT_EQ(slower.status, CreepStatus::creeping);
  EXPECT_EQ(faster.status, CreepStatus::creeping);
  EXPECT_NEAR(faster.drift, -slower.drift, 1e-12);
  EXPECT_NEAR(faster.lower, -slower.upper, 1e-12);
  ASSERT_EQ(slower.alarms.size(), 1U);
  ASSERT_EQ(faster.alarms.size(), 1U);
  EXPECT_EQ(slower.alarms[0].index, faster.alarms[0].index);
  EXPECT_EQ(faster.alarms[0].direction, Direction::faster);
}

TEST(Creep, LimitsOfTheDriftAgreeWithIndependentValues) {
  // Mean of the last five 4, less 1; t(0.95, 7) = 1.894578605061305; long-run sd 2 * sqrt(3).
  std::vector<double> const values = {9, 9, 3, 4, 5, 4, 4};
  SeriesNoise const noise{.sd = 2, .correlation = 0.5, .df = 7};
  Creep const creep = judge_creep(values, {.level = 1, .standard_error = 0.5}, noise);
  double const reach = 1.894578605061305 * std::sqrt(12.0 / 5 + 0.25);
  EXPECT_NEAR(creep.drift, 3, 1e-12);
  EXPECT_NEAR(creep.lower, 3 - reach, 1e-9);
  EXPECT_NEAR(creep.upper, 3 + reach, 1e-9);
  EXPECT_EQ(creep.status, CreepStatus::steady);  // no alarm yet, and the lower limit is below 0
}

TEST(Creep, ADriftThatIsOverIsSteadyAgain) {
  std::vector<double> values(60, 0.0);
  for (std::size_t i = 20; i < 40; ++i) values[i] = 3;
  Creep const creep = judge_creep(values, {}, kUnit, {.limit = 20});
  EXPECT_FALSE(creep.alarms.empty());
  EXPECT_EQ(creep.status, CreepStatus::steady);
}

TEST(Creep, FlatRunsAfterAnUncertainAnchorRarelyAlarm) {
  for (double const rho : {0.0, 0.5}) {
    Random random(47);
    int alarms = 0;
    for (int round = 0; round < 1000; ++round) {
      std::vector<double> const values = noise(130, random, rho);
      SeriesNoise const history = find_change_points(std::span(values).first(60), {.min_sd = 0}).noise;
      alarms += judge_creep(values, *anchor_at(values, 59, 0, history), history).alarms.empty() ? 0 : 1;
    }
    EXPECT_LT(alarms, 60) << rho;
  }
}

TEST(AnchorAt, IsTheMeanOfTheRunsOfItsLevelUpToTheRelease) {
  std::vector<double> values = {9, 9, 9, 1, 2, 3, 50, 50};
  SeriesNoise const noise{.sd = 1, .correlation = 0.5, .df = 10};
  Anchor const anchor = *anchor_at(values, 5, 3, noise);
  EXPECT_EQ(anchor.from, 6U);
  EXPECT_DOUBLE_EQ(anchor.level, 2);
  EXPECT_DOUBLE_EQ(anchor.standard_error, 1);
  EXPECT_DOUBLE_EQ(anchor_at(values, 5, 3, noise, 2)->level, 2.5);
  values[4] = 700;  // a spike at the release is cut
  EXPECT_DOUBLE_EQ(anchor_at(values, 5, 3, noise)->level, (1 + 6 + 3) / 3.0);
}

TEST(Creep, BadInputHasANamedResult) {
  std::vector<double> values(20, 0.0);
  EXPECT_EQ(judge_creep(values, {.from = 20}, kUnit).status, CreepStatus::no_runs);
  EXPECT_EQ(judge_creep({}, {}, kUnit).status, CreepStatus::no_runs);
  EXPECT_EQ(judge_creep(values, {.level = kNan}, kUnit).status, CreepStatus::not_finite);
  EXPECT_EQ(judge_creep(values, {.standard_error = -1}, kUnit).status, CreepStatus::not_finite);
  for (SeriesNoise const& noise : {SeriesNoise{}, SeriesNoise{.sd = 1, .df = 0}, SeriesNoise{.sd = kNan, .df = 9}})
    EXPECT_EQ(judge_creep(values, {}, noise).status, CreepStatus::not_finite);
  for (CreepOptions const& options : std::vector<CreepOptions>{
           {.reference = -1}, {.threshold = 0}, {.threshold = kNan}, {.recent = 0}, {.limit = 0}, {.level = 0.5}})
    EXPECT_EQ(judge_creep(values, {}, kUnit, options).status, CreepStatus::bad_options);
  EXPECT_FALSE(anchor_at(values, 20, 0, kUnit));
  EXPECT_FALSE(anchor_at(values, 5, 6, kUnit));
  EXPECT_FALSE(anchor_at(values, 5, 0, kUnit, 0));
  EXPECT_FALSE(anchor_at(values, 5, 0, SeriesNoise{}));
  values[7] = kNan;
  EXPECT_EQ(judge_creep(values, {}, kUnit).status, CreepStatus::not_finite);
  EXPECT_FALSE(anchor_at(values, 9, 0, kUnit));
}

}  // namespace
}  // namespace perfcheck::stats
