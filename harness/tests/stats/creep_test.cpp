// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Means of the last runs against the anchor. harness/tests/creep tests how soon drift is found and how rare false
// alarms are.
#include "perfcheck/stats/creep.h"

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

/// Alternates between -size and +size: a series with a known mean and variance.
std::vector<double> zigzag(std::size_t n, double size) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(i % 2 == 0 ? size : -size);
  return values;
}

TEST(JudgeCreep, DriftAndLimitsAgreeWithThoseWorkedOutByHand) {
  // The anchor is 40 runs of +-0.001; four runs at 0.02 follow. The noise is that of the first 34 runs, with 33 degrees
  // of freedom and variance 34e-6 / 33. The mean of the last four has 1/4 of this variance, that of the anchor 1/40.
  std::vector<double> values = zigzag(44, 0.001);
  for (std::size_t i = 40; i < 44; ++i) values[i] = 0.02;
  Creep const creep = judge_creep(values, {.begin = 0, .end = 40}, {.correlation = 0});
  ASSERT_EQ(creep.status, CreepStatus::judged);
  EXPECT_NEAR(creep.noise.sd, std::sqrt(34e-6 / 33), 1e-12);
  EXPECT_NEAR(creep.noise.df, 33, 1e-9);
  EXPECT_EQ(creep.runs, 4U);
  EXPECT_NEAR(creep.drift, 0.02, 1e-12);
  double const error = creep.noise.sd * std::sqrt(1 / 4.0 + 1 / 40.0);
  double const reach = 1.692360 * error;  // Student's t, 95 %, 33 degrees of freedom
  EXPECT_NEAR(creep.lower, 0.02 - reach, 1e-7);
  EXPECT_NEAR(creep.upper, 0.02 + reach, 1e-7);
  // Without the slowest run, three are left.
  double const clear = 0.02 / (creep.noise.sd * std::sqrt(1 / 3.0 + 1 / 40.0));
  EXPECT_NEAR(creep.p / max_statistic_p(clear, 44, 33), 1, 1e-6);
  EXPECT_EQ(creep.onset, 40U);
  EXPECT_TRUE(creep.beyond(0.005));
  EXPECT_TRUE(creep.beyond(0.015));
  EXPECT_FALSE(creep.beyond(0.02));
}

TEST(JudgeCreep, CorrelatedRunsSayLess) {
  std::vector<double> values = zigzag(44, 0.001);
  for (std::size_t i = 40; i < 44; ++i) values[i] = 0.02;
  double last = 0;
  for (double const rho : {0.0, 0.3, 0.6}) {
    Creep const creep = judge_creep(values, {.begin = 0, .end = 40}, {.correlation = rho});
    EXPECT_GT(creep.upper - creep.lower, last) << rho;
    last = creep.upper - creep.lower;
  }
  // The variance of the mean of four runs with correlation 0.3 is (4 + 2 (3 * 0.3 + 2 * 0.09 + 0.027)) / 16; for the
  // anchor it is nearly the long-run variance.
  Creep const creep = judge_creep(values, {.begin = 0, .end = 40}, {.correlation = 0.3});
  double const variance = 6.214 / 16 + (1.3 / 0.7 - 2 * 0.3 / (40 * 0.49)) / 40;
  EXPECT_NEAR((creep.upper - creep.lower) / 2,
              student_t_quantile(0.95, creep.noise.df) * creep.noise.sd * std::sqrt(variance), 1e-9);
}

TEST(JudgeCreep, ASeriesThatDoesNotRiseIsToldByItsLastTenRuns) {
  std::vector<double> values = zigzag(60, 0.001);
  for (std::size_t i = 50; i < 60; ++i) values[i] -= 0.004;
  Creep const creep = judge_creep(values, {.begin = 0, .end = 30});
  EXPECT_EQ(creep.status, CreepStatus::judged);
  EXPECT_EQ(creep.runs, 10U);
  EXPECT_NEAR(creep.drift, -0.004, 1e-12);
  EXPECT_EQ(creep.p, 1);
  EXPECT_FALSE(creep.beyond(0.005));
}

TEST(JudgeCreep, ARampDoesNotPassForNoise) {
  // Ten runs, each two sd above the one before.
  Random random(81);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> values = noise(60, random);
    for (double& value : values) value *= 0.001;
    double const flat = judge_creep(values, {.begin = 0, .end = 30}).noise.sd;
    for (std::size_t i = 50; i < 60; ++i) add_step(values, i, 0.002);
    Creep const creep = judge_creep(values, {.begin = 0, .end = 30});
    EXPECT_EQ(creep.noise.sd, flat);
    EXPECT_TRUE(creep.beyond(0.005));
    EXPECT_GE(creep.onset, 40U);
    EXPECT_LE(creep.onset, 51U);
  }
}

TEST(JudgeCreep, WhatIsPastSaysNothingAboutThePresent) {
  std::vector<double> values = zigzag(60, 0.001);
  for (std::size_t i = 40; i < 57; ++i) values[i] += 0.02;
  EXPECT_EQ(judge_creep(values, {.begin = 0, .end = 30, .from = 58}).status, CreepStatus::too_few_runs);
  Creep const creep = judge_creep(values, {.begin = 0, .end = 30, .from = 57});
  EXPECT_EQ(creep.status, CreepStatus::judged);
  EXPECT_EQ(creep.runs, 3U);
  EXPECT_LT(creep.drift, 0.002);
}

TEST(JudgeCreep, OneSlowRunAmongThreeIsNoEvidence) {
  // Two runs are 2.5 sd up and one is far up: without that one, only two are left.
  std::vector<double> values = zigzag(60, 0.001);
  for (std::size_t i = 57; i < 60; ++i) values[i] = 0.0025;
  double const agreeing = judge_creep(values, {.begin = 0, .end = 30}).p;
  values[58] = 0.2;
  Creep const creep = judge_creep(values, {.begin = 0, .end = 30});
  EXPECT_NEAR(creep.p / agreeing, 1, 0.2);
  EXPECT_LT(creep.upper, 0.006) << "the spike must be cut";
}

TEST(JudgeCreep, ComparesEachGroupWithItself) {
  // Two cards, 3 % apart. The anchor is mostly from the first card, the last runs are from the second.
  std::vector<double> values = zigzag(60, 0.001);
  std::vector<int> groups(60, 0);
  for (std::size_t const i : {4, 9, 14, 19, 24, 29}) groups[i] = 1;
  for (std::size_t i = 30; i < 60; ++i) groups[i] = i % 4 == 0 ? 0 : 1;
  for (std::size_t i = 0; i < 60; ++i) values[i] += 0.03 * groups[i];
  EXPECT_FALSE(judge_creep(values, {.begin = 0, .end = 30}, {.groups = groups}).beyond(0.005));
  EXPECT_TRUE(judge_creep(values, {.begin = 0, .end = 30}).beyond(0.005))
      << "without the cards, their difference must look like creep";
  for (std::size_t i = 45; i < 60; ++i) values[i] += 0.01;
  Creep const creep = judge_creep(values, {.begin = 0, .end = 30}, {.groups = groups});
  EXPECT_TRUE(creep.beyond(0.005));
  EXPECT_NEAR(creep.drift, 0.01, 0.002);
}

TEST(JudgeCreep, WithoutACardOnBothSidesItCannotBeTold) {
  std::vector<double> const values = zigzag(60, 0.001);
  std::vector<int> groups(60, 0);
  std::fill(groups.begin() + 30, groups.end(), 1);
  EXPECT_EQ(judge_creep(values, {.begin = 0, .end = 30}, {.groups = groups}).status, CreepStatus::no_common_group);
  // A single run on the other card is not enough.
  groups[40] = 0;
  EXPECT_FALSE(judge_creep(values, {.begin = 0, .end = 30}, {.groups = groups}).beyond(0.005));
}

TEST(JudgeCreep, DoesNotDependOnWhereZeroIs) {
  Random random(83);
  std::vector<double> values = noise(80, random);
  for (std::size_t i = 50; i < 80; ++i) add_step(values, i, 0.1);
  for (double& value : values) value *= 0.002;
  Creep const here = judge_creep(values, {.begin = 10, .end = 40});
  for (double& value : values) value += 12;
  Creep const there = judge_creep(values, {.begin = 10, .end = 40});
  EXPECT_NEAR(there.drift, here.drift, 1e-9);
  EXPECT_NEAR(there.lower, here.lower, 1e-9);
  EXPECT_NEAR(there.p / here.p, 1, 1e-6);
  EXPECT_EQ(there.onset, here.onset);
}

TEST(JudgeCreep, BadInputHasANamedResult) {
  std::vector<double> values = zigzag(60, 0.001);
  Anchor const anchor{.begin = 0, .end = 30};
  EXPECT_EQ(judge_creep({}, {}).status, CreepStatus::too_few_runs);
  EXPECT_EQ(judge_creep(values, {.begin = 26, .end = 30}).status, CreepStatus::too_few_runs);
  EXPECT_EQ(judge_creep(values, {.begin = 0, .end = 58}).status, CreepStatus::too_few_runs);
  EXPECT_EQ(judge_creep(std::span(values).first(7), {.begin = 0, .end = 4}).status, CreepStatus::too_few_runs);
  EXPECT_EQ(judge_creep(values, {.begin = 31, .end = 30}).status, CreepStatus::bad_options);
  EXPECT_EQ(judge_creep(values, {.begin = 0, .end = 61}).status, CreepStatus::bad_options);
  EXPECT_EQ(judge_creep(values, {.begin = 0, .end = 30, .from = 61}).status, CreepStatus::bad_options);
  std::vector<int> const few(59, 0), negative(60, -1);
  for (CreepOptions const& options : std::vector<CreepOptions>{{.margin = 0},
                                                               {.margin = kNan},
                                                               {.level = 0},
                                                               {.level = 0.5},
                                                               {.level = kNan},
                                                               {.min_sd = 0},
                                                               {.correlation = -0.1},
                                                               {.correlation = 0.95},
                                                               {.correlation = kNan},
                                                               {.groups = few},
                                                               {.groups = negative},
                                                               {.group_sd = -1}})
    EXPECT_EQ(judge_creep(values, anchor, options).status, CreepStatus::bad_options);
  for (double const bad : {kNan, std::numeric_limits<double>::infinity()}) {
    values[7] = bad;
    EXPECT_EQ(judge_creep(values, anchor).status, CreepStatus::not_finite);
  }
  EXPECT_FALSE(Creep{}.beyond(0.005));
}

}  // namespace
}  // namespace perfcheck::stats
