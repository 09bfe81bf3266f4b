// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the optimum with brute force: for short series with every segmentation, for longer ones with the unpruned
// recursion, which takes quadratic time.
#include "perfcheck/stats/segmentation.h"

#include "made_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfcheck::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double scatter(std::vector<double> const& values, std::size_t begin, std::size_t end) {
  double mean = 0, squares = 0;
  for (std::size_t i = begin; i < end; ++i) mean += values[i] / static_cast<double>(end - begin);
  for (std::size_t i = begin; i < end; ++i) squares += (values[i] - mean) * (values[i] - mean);
  return squares;
}

double cost(std::vector<double> const& values, Changes changes, double penalty) {
  double result = penalty * static_cast<double>(changes.size());
  changes.push_back(values.size());
  std::size_t begin = 0;
  for (std::size_t const end : changes) {
    result += scatter(values, begin, end);
    begin = end;
  }
  return result;
}

bool long_enough(Changes changes, std::size_t n, std::size_t min_segment) {
  changes.push_back(n);
  std::size_t begin = 0;
  for (std::size_t const end : changes) {
    if (end < begin + min_segment) return false;
    begin = end;
  }
  return true;
}

/// The least cost over all 2^(n-1) segmentations.
double least_cost_of_all(std::vector<double> const& values, double penalty, std::size_t min_segment) {
  double best = kInfinity;
  for (unsigned chosen = 0; chosen < 1U << (values.size() - 1); ++chosen) {
    Changes changes;
    for (std::size_t i = 1; i < values.size(); ++i) {
      if ((chosen >> (i - 1) & 1U) != 0) changes.push_back(i);
    }
    if (long_enough(changes, values.size(), min_segment)) best = std::min(best, cost(values, changes, penalty));
  }
  return best;
}

/// The same by the recursion of optimal partitioning, without pruning.
double least_cost_unpruned(std::vector<double> const& values, double penalty, std::size_t min_segment) {
  std::vector<double> best(values.size() + 1, kInfinity);
  best[0] = -penalty;
  for (std::size_t end = min_segment; end <= values.size(); ++end) {
    for (std::size_t begin = 0; begin + min_segment <= end; ++begin)
      best[end] = std::min(best[end], best[begin] + penalty + scatter(values, begin, end));
  }
  return best[values.size()];
}

std::vector<double> random_levels(std::size_t n, double chance, Random& random) {
  std::vector<double> values = noise(n, random);
  std::normal_distribution<double> normal;
  std::bernoulli_distribution changes(chance);
  for (std::size_t i = 1; i < n; ++i) {
    if (changes(random)) add_step(values, i, 5 * normal(random));
  }
  return values;
}

TEST(Segment, IsTheBestOfAllSegmentationsOfShortSeries) {
  Random random(1);
  std::size_t changes_seen = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<double> const values = random_levels(4 + random() % 8, 0.2, random);
    std::size_t const min_segment = 1 + random() % 3;
    for (double const penalty : {0.3, 2.0, 9.0}) {
      Changes const changes = *segment(values, penalty, min_segment);
      ASSERT_TRUE(long_enough(changes, values.size(), min_segment));
      ASSERT_NEAR(cost(values, changes, penalty), least_cost_of_all(values, penalty, min_segment), 1e-9);
      changes_seen += changes.size();
    }
  }
  EXPECT_GT(changes_seen, 300U);
}

TEST(Segment, IsTheBestOfAllSegmentationsOfLongerSeries) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> const values =
        random_levels(20 + random() % 80, 0.01 * static_cast<double>(random() % 20), random);
    std::size_t const min_segment = 1 + random() % 6;
    double const penalty = 0.5 + static_cast<double>(random() % 20);
    Changes const changes = *segment(values, penalty, min_segment);
    ASSERT_TRUE(long_enough(changes, values.size(), min_segment));
    ASSERT_NEAR(cost(values, changes, penalty), least_cost_unpruned(values, penalty, min_segment), 1e-8);
  }
}

TEST(Segment, StaysExactFarFromZeroAndWithStepsMuchLargerThanNoise) {
  Random random(3);
  std::vector<double> values = noise(200, random);
  for (double& value : values) value = 1e6 + 1e-3 * value;
  add_step(values, 60, 10);
  add_step(values, 120, 0.01);
  EXPECT_EQ(*segment(values, 20e-6, 3), (Changes{60, 120}));
}

TEST(Segment, EachChangeOfTheOptimumEarnsItsPenaltyAndNoSplitWouldEarnOne) {
  Random random(4);
  double const penalty = 8;
  for (int round = 0; round < 50; ++round) {
    std::vector<double> const values = random_levels(300, 0.03, random);
    Changes bounds = *segment(values, penalty, 3);
    PrefixSums const sums(values);
    bounds.insert(bounds.begin(), 0);
    bounds.push_back(values.size());
    for (std::size_t i = 1; i + 1 < bounds.size(); ++i)
      ASSERT_GE(split_gain(sums, bounds[i - 1], bounds[i], bounds[i + 1]), penalty * (1 - 1e-9));
    for (std::size_t i = 1; i < bounds.size(); ++i) {
      std::optional<std::size_t> const split = best_split(sums, bounds[i - 1], bounds[i], 3);
      if (!split) continue;
      ASSERT_LE(split_gain(sums, bounds[i - 1], *split, bounds[i]), penalty * (1 + 1e-9));
    }
  }
}

TEST(Segment, FlatAndConstantSeriesHaveNoChange) {
  EXPECT_TRUE(segment(std::vector<double>(50, 3.25), 1, 3)->empty());
  EXPECT_TRUE(segment(std::vector{1.0}, 1, 1)->empty());
  EXPECT_TRUE(segment(std::vector{1.0, 9.0}, 1, 2)->empty());
  EXPECT_EQ(*segment(std::vector{1.0, 9.0}, 1, 1), Changes{1});
}

TEST(Segment, BadInputGivesNothing) {
  std::vector<double> const good(10, 1.0);
  EXPECT_FALSE(segment({}, 1, 1));
  EXPECT_FALSE(segment(std::vector{1.0, 2.0}, 1, 3));
  EXPECT_FALSE(segment(std::vector{1.0, kNan, 2.0}, 1, 1));
  EXPECT_FALSE(segment(std::vector{1.0, kInfinity, 2.0}, 1, 1));
  EXPECT_FALSE(segment(good, 1, 0));
  for (double const penalty : {0.0, -1.0, kNan, kInfinity}) EXPECT_FALSE(segment(good, penalty, 3));
}

TEST(SplitGain, IsHowFarTheSumOfSquaresFalls) {
  std::vector<double> const values = {1, 2, 4, 8, 16, 32};
  PrefixSums const sums(values);
  EXPECT_NEAR(split_gain(sums, 0, 4, 6), scatter(values, 0, 6) - scatter(values, 0, 4) - scatter(values, 4, 6), 1e-10);
  EXPECT_NEAR(split_gain(sums, 1, 3, 5), scatter(values, 1, 5) - scatter(values, 1, 3) - scatter(values, 3, 5), 1e-10);
  EXPECT_EQ(best_split(sums, 0, 6, 1), 5U);
  EXPECT_EQ(best_split(sums, 0, 6, 3), 3U);
  EXPECT_FALSE(best_split(sums, 0, 5, 3));
}

}  // namespace
}  // namespace perfcheck::stats
