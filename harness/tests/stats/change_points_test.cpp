// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/stats/change_points.h"

#include "made_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfcheck::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Runs that scatter by 0.2 % around steps.
std::vector<double> history(std::size_t n, std::vector<std::pair<std::size_t, double>> const& steps,
                            unsigned seed = 1) {
  Random random(seed);
  std::vector<double> values = noise(n, random);
  for (double& value : values) value *= 0.002;
  for (auto const& [index, size] : steps) add_step(values, index, size);
  return values;
}

Changes indices(ChangePoints const& result) {
  EXPECT_EQ(result.status, SeriesStatus::analysed);
  Changes found;
  for (ChangePoint const& change : result.changes) found.push_back(change.index);
  return found;
}

TEST(ChangePoints, SayWhereHowMuchAndHowSure) {
  ChangePoints const result = find_change_points(history(120, {{40, 0.03}, {90, -0.02}}));
  ASSERT_EQ(indices(result), (Changes{40, 90}));
  EXPECT_NEAR(result.noise.sd, 0.002, 0.0003);
  ChangePoint const& up = result.changes[0];
  EXPECT_NEAR(up.size, 0.03, 4 * up.size_se);
  EXPECT_NEAR(up.after - up.before, up.size, 1e-12);
  EXPECT_NEAR(up.size_se, result.noise.long_run_sd() * std::hypot(1 / std::sqrt(40), 1 / std::sqrt(50)), 1e-12);
  EXPECT_GE(up.statistic, result.critical);
  EXPECT_LT(up.p, 1e-9);
  EXPECT_EQ(up.positions, Changes{40});
  EXPECT_NEAR(result.changes[1].size, -0.02, 4 * result.changes[1].size_se);
  EXPECT_EQ(result.changes[1].before, up.after);
}

TEST(ChangePoints, AreFoundAtBothEndsFromThreeRunsOn) {
  EXPECT_EQ(indices(find_change_points(history(60, {{3, 0.05}}))), Changes{3});
  EXPECT_EQ(indices(find_change_points(history(60, {{57, 0.05}}))), Changes{57});
  EXPECT_EQ(indices(find_change_points(history(60, {{57, 0.05}}), {.min_segment = 4})), Changes{});
}

TEST(ChangePoints, OneOrTwoSpikesAreNoChangeWhereverTheyStand) {
  for (std::size_t const spike : {0, 1, 2, 30, 57, 58}) {
    for (double const size : {0.03, 0.3, 3.0, -3.0}) {
      std::vector<double> values = history(60, {});
      values[spike] += size;
      EXPECT_EQ(indices(find_change_points(values)), Changes{}) << spike << ' ' << size;
      values[spike + 1] += size;
      EXPECT_EQ(indices(find_change_points(values)), Changes{}) << spike << ' ' << size;
    }
  }
  // Spikes do not hide a change either.
  std::vector<double> values = history(60, {{30, 0.03}});
  for (std::size_t const spike : {5, 26, 33, 50}) values[spike] += 3;
  ChangePoints const result = find_change_points(values);
  ASSERT_EQ(indices(result), Changes{30});
  EXPECT_NEAR(result.changes[0].size, 0.03, 0.003);
}

TEST(ChangePoints, BelowTheMagnitudeAreMergedIntoWhatTheyAddUpTo) {
  std::vector<double> const small = history(200, {{100, 0.005}});
  EXPECT_EQ(indices(find_change_points(small)), Changes{});
  EXPECT_EQ(indices(find_change_points(small, {.min_magnitude = 0})), Changes{100});
  // Eight steps of 0.6 %: fewer changes are reported, each above 1 %; together they are most of the rise.
  std::vector<std::pair<std::size_t, double>> steps;
  for (std::size_t i = 1; i <= 8; ++i) steps.emplace_back(25 * i, 0.006);
  ChangePoints const result = find_change_points(history(225, steps));
  EXPECT_EQ(find_change_points(history(225, steps), {.min_magnitude = 0}).changes.size(), 8U);
  ASSERT_GE(result.changes.size(), 2U);
  double sum = 0;
  for (ChangePoint const& change : result.changes) {
    EXPECT_GE(change.size, std::log1p(0.01));
    EXPECT_GE(change.statistic, result.critical);
    sum += change.size;
  }
  EXPECT_GT(sum, 0.03);
}

TEST(ChangePoints, ThatAreLeftAfterMergingHaveTheBestPlaceBetweenTheirNeighbours) {
  std::size_t seen = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    Random random(seed);
    std::vector<std::pair<std::size_t, double>> steps;
    for (std::size_t i = 4; i < 196; i += 12 + random() % 25)
      steps.emplace_back(i, 0.001 * (static_cast<double>(random() % 17) - 5));
    std::vector<double> const values = history(200, steps, seed);
    Changes bounds = indices(find_change_points(values));
    seen += bounds.size();
    bounds.insert(bounds.begin(), 0);
    bounds.push_back(values.size());
    PrefixSums const sums(without_spikes(values, 0.0005, 3));
    for (std::size_t i = 1; i + 1 < bounds.size(); ++i)
      EXPECT_EQ(best_split(sums, bounds[i - 1], bounds[i + 1], 3), bounds[i]) << seed;
  }
  EXPECT_GT(seen, 30U);
}

TEST(ChangePoints, StepsAreFoundSoonWhateverTheCorrelationIsTakenFor) {
  struct Row {
    double size;
    std::size_t after;
    double share;
  };
  for (Row const& row : {Row{8, 5, 0.98}, Row{5, 10, 0.97}, Row{3, 25, 0.97}, Row{2, 50, 0.95}}) {
    Random random(37);
    int found = 0;
    for (int round = 0; round < 500; ++round) {
      std::vector<double> values = noise(50 + row.after, random);
      add_step(values, 50, row.size);
      found += find_change_points(values, {.min_magnitude = 0}).changes.empty() ? 0 : 1;
    }
    EXPECT_GE(found, row.share * 500) << row.size;
  }
}

TEST(ChangePoints, SaysWhenOneWentAway) {
  ChangePoints const back = find_change_points(history(100, {{40, 0.03}, {60, -0.03}}));
  ASSERT_EQ(indices(back), (Changes{40, 60}));
  EXPECT_TRUE(back.changes[0].went_away);
  EXPECT_FALSE(back.changes[1].went_away);
  // A change that is half reverted has not gone away, nor has one in the last five runs.
  EXPECT_FALSE(find_change_points(history(100, {{40, 0.03}, {60, -0.015}})).changes[0].went_away);
  EXPECT_FALSE(find_change_points(history(100, {{97, 0.03}})).changes[0].went_away);
  EXPECT_TRUE(find_change_points(history(100, {{40, 0.03}, {95, -0.03}})).changes[0].went_away);
}

TEST(ChangePoints, PositionsCoverTheTruePlaceAsOftenAsTheySay) {
  for (double const size : {1.5, 3.0}) {
    Random random(31);
    int found = 0, covered = 0;
    for (int round = 0; round < 600; ++round) {
      std::vector<double> values = noise(100, random);
      add_step(values, 50, size);
      ChangePoints const result = find_change_points(values, {.min_magnitude = 0, .correlation = 0.0});
      if (result.changes.size() != 1) continue;
      found += 1;
      covered += testing::Value(result.changes[0].positions, testing::Contains(50U)) ? 1 : 0;
      EXPECT_THAT(result.changes[0].positions, testing::Contains(result.changes[0].index));
    }
    EXPECT_GT(found, 400) << size;
    EXPECT_GT(covered, 0.93 * found) << size;
  }
  // More confidence gives more positions.
  std::vector<double> const values = history(100, {{50, 0.0035}});
  ChangePointOptions options{.min_magnitude = 0};
  auto const usual = find_change_points(values, options).changes.at(0).positions;
  options.confidence = 0.9999;
  auto const more = find_change_points(values, options).changes.at(0).positions;
  EXPECT_GT(more.size(), usual.size());
  EXPECT_TRUE(std::includes(more.begin(), more.end(), usual.begin(), usual.end()));
}

TEST(ChangePoints, ShiftedSeriesHaveTheSame) {
  std::vector<double> values = history(150, {{50, 0.02}, {100, 0.015}}, 3);
  ChangePoints const original = find_change_points(values);
  for (double& value : values) value -= 12.5;
  ChangePoints const shifted = find_change_points(values);
  ASSERT_EQ(indices(shifted), indices(original));
  for (std::size_t i = 0; i < original.changes.size(); ++i) {
    EXPECT_EQ(shifted.changes[i].positions, original.changes[i].positions);
    EXPECT_NEAR(shifted.changes[i].before, original.changes[i].before - 12.5, 1e-12);
    EXPECT_NEAR(shifted.changes[i].statistic, original.changes[i].statistic, 1e-6);
  }
}

TEST(ChangePoints, ReversedAndNegatedSeriesMirrorThem) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::vector<double> const values = history(150, {{50, 0.004}, {80, -0.02}, {110, 0.003}}, seed);
    ChangePointOptions const options{.min_magnitude = 0};
    ChangePoints const original = find_change_points(values, options);
    ChangePoints const reversed = find_change_points(std::vector(values.rbegin(), values.rend()), options);
    ASSERT_EQ(reversed.changes.size(), original.changes.size());
    std::vector<double> negated = values;
    for (double& value : negated) value = -value;
    ASSERT_EQ(indices(find_change_points(negated, options)), indices(original));
    for (std::size_t i = 0; i < original.changes.size(); ++i) {
      ChangePoint const& change = original.changes[i];
      ChangePoint const& mirrored = reversed.changes[original.changes.size() - 1 - i];
      EXPECT_EQ(mirrored.index, 150 - change.index);
      EXPECT_EQ(mirrored.positions.size(), change.positions.size());
      EXPECT_NEAR(mirrored.size, -change.size, 1e-12);
    }
  }
}

TEST(ChangePoints, ScaledNoiseAndStepsChangeNothing) {
  for (double const factor : {1e-6, 1e-3, 1e6}) {
    std::vector<double> values = history(150, {{50, 0.006}, {100, -0.02}}, 5);
    ChangePointOptions const options{.min_magnitude = 0, .min_sd = 0};
    ChangePoints const original = find_change_points(values, options);
    for (double& value : values) value *= factor;
    ChangePoints const scaled = find_change_points(values, options);
    ASSERT_EQ(indices(scaled), indices(original));
    ASSERT_EQ(original.changes.size(), 2U);
    EXPECT_NEAR(scaled.changes[0].size / factor, original.changes[0].size, 1e-9);
    EXPECT_NEAR(scaled.changes[0].statistic, original.changes[0].statistic, 1e-6);
    EXPECT_NEAR(scaled.noise.correlation, original.noise.correlation, 1e-9);
  }
}

TEST(ChangePoints, OfManyLevelsAreAllFound) {
  std::vector<std::pair<std::size_t, double>> steps;
  Changes truth;
  for (std::size_t i = 10; i < 1000; i += 10) {
    steps.emplace_back(i, i / 10 % 3 == 0 ? -0.05 : 0.03);
    truth.push_back(i);
  }
  EXPECT_EQ(indices(find_change_points(history(1000, steps))), truth);
}

TEST(ChangePoints, SeriesWithoutNoiseAreJudgedByTheFloorOrByRounding) {
  for (double const min_sd : {0.0, 0.0005}) {
    std::vector<double> values(20, -3.5);
    EXPECT_EQ(indices(find_change_points(values, {.min_sd = min_sd})), Changes{});
    add_step(values, 12, 0.02);
    EXPECT_EQ(indices(find_change_points(values, {.min_sd = min_sd})), Changes{12});
  }
}

TEST(ChangePoints, BadInputHasANamedResult) {
  EXPECT_EQ(find_change_points({}).status, SeriesStatus::too_short);
  EXPECT_EQ(find_change_points(std::vector<double>(5, 1.0)).status, SeriesStatus::too_short);
  EXPECT_EQ(find_change_points(std::vector<double>(6, 1.0)).status, SeriesStatus::analysed);
  EXPECT_EQ(find_change_points(std::vector<double>(7, 1.0), {.min_segment = 4}).status, SeriesStatus::too_short);
  for (double const bad : {kNan, kInfinity, -kInfinity}) {
    std::vector<double> values(20, 1.0);
    values[7] = bad;
    EXPECT_EQ(find_change_points(values).status, SeriesStatus::not_finite);
  }
  EXPECT_EQ(find_change_points(std::vector{1e308, -1e308, 1e308, -1e308, 1e308, -1e308}).status,
            SeriesStatus::not_finite);
  std::vector<double> const good(20, 1.0);
  for (ChangePointOptions const& options : std::vector<ChangePointOptions>{{.level = 0},
                                                                           {.level = kNan},
                                                                           {.min_magnitude = -0.01},
                                                                           {.min_magnitude = kNan},
                                                                           {.min_segment = 2},
                                                                           {.min_sd = kNan},
                                                                           {.correlation = -0.1},
                                                                           {.correlation = 0.95},
                                                                           {.confidence = 1}})
    EXPECT_EQ(find_change_points(good, options).status, SeriesStatus::bad_options);
  EXPECT_EQ(find_change_points(good, {.min_segment = std::numeric_limits<std::size_t>::max()}).status,
            SeriesStatus::too_short);
}

}  // namespace
}  // namespace perfcheck::stats
