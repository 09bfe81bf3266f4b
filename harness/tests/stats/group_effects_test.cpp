// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Cards of one model that take turns in a history: the differences between them are not changes of the code.
#include "perfcheck/stats/group_effects.h"

#include "made_series.h"
#include "perfcheck/stats/change_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace perfcheck::stats {
namespace {

constexpr double kRunSd = 0.002;
constexpr double kMinSd = 0.0005;

/// A history with a level of its own for each card.
struct Fleet {
  std::vector<double> values;
  std::vector<int> cards;

  Changes found(ChangePointOptions options = {}) const {
    options.groups = cards;
    ChangePoints const result = find_change_points(values, options);
    EXPECT_EQ(result.status, SeriesStatus::analysed);
    Changes changes;
    for (ChangePoint const& change : result.changes) changes.push_back(change.index);
    return changes;
  }
};

Fleet fleet(std::size_t runs, std::vector<double> const& levels, std::function<int(std::size_t)> const& card_of,
            unsigned seed = 1) {
  Random random(seed);
  Fleet made{.values = noise(runs, random), .cards = {}};
  for (std::size_t i = 0; i < runs; ++i) {
    made.cards.push_back(card_of(i));
    made.values[i] = kRunSd * made.values[i] + levels[static_cast<std::size_t>(made.cards.back())];
  }
  return made;
}

TEST(GroupEffects, AreWhatTheGroupsDifferBy) {
  Fleet const made =
      fleet(300, {0.01, -0.02, 0.025}, [](std::size_t i) { return static_cast<int>(i * i % 3 + i / 7) % 3; });
  std::vector<double> const effects = group_effects(made.values, made.cards, kCardSd, kMinSd);
  ASSERT_EQ(effects.size(), 3u);
  EXPECT_NEAR(effects[1] - effects[0], -0.03, 0.001);
  EXPECT_NEAR(effects[2] - effects[0], 0.015, 0.001);
  double sum = 0;
  for (int const card : made.cards) sum += effects[static_cast<std::size_t>(card)];
  EXPECT_NEAR(sum, 0, 1e-9) << "the mean over all runs must stay";
}

TEST(GroupEffects, AreNotMovedByAChangeOfTheCodeWhereTheyMeetMoreThanOnce) {
  for (double const step : {-0.3, -0.05, 0.02, 0.05, 0.3}) {
    Fleet made = fleet(60, {0, 0.01}, [](std::size_t i) { return static_cast<int>(i / 10 % 2); });
    add_step(made.values, 30, step);
    std::vector<double> const effects = group_effects(made.values, made.cards, kCardSd, kMinSd);
    EXPECT_NEAR(effects[1] - effects[0], 0.01, 0.003) << step;
  }
}

TEST(GroupEffects, AreNotMovedBySpikesWhereGroupsMeet) {
  std::vector<int> const cards = {0, 0, 0, 1, 1, 0, 0, 2, 2, 3, 3, 4, 4, 1, 1};
  Fleet made = fleet(cards.size(), {0, 0, 0, 0, 0}, [&](std::size_t i) { return cards[i]; });
  for (std::size_t const spike : {6, 13}) made.values[spike] += 0.06;  // around the only meeting of two cards
  std::vector<double> const effects = group_effects(made.values, made.cards, kCardSd, kMinSd);
  for (std::size_t card = 1; card < effects.size(); ++card) EXPECT_NEAR(effects[card], effects[0], 0.008) << card;
}

TEST(GroupEffects, AreNothingForOneGroupAndNoValues) {
  Fleet const made = fleet(20, {0.01}, [](std::size_t) { return 0; });
  EXPECT_THAT(group_effects(made.values, made.cards, kCardSd, kMinSd), ::testing::ElementsAre(0));
  EXPECT_TRUE(group_effects({}, {}, kCardSd, kMinSd).empty());
  EXPECT_THAT(group_effects(std::vector{1.0, 1.01}, std::vector{0, 1}, 0, kMinSd), ::testing::ElementsAre(0, 0));
  EXPECT_EQ(without_group_effects(made.values, {}, kCardSd, kMinSd), made.values);
  // A group number without runs, and groups that meet only once and are far apart.
  EXPECT_THAT(group_effects(std::vector{1.0, 1.0, 2.0}, std::vector{0, 0, 2}, kCardSd, kMinSd),
              ::testing::ElementsAre(0, 0, 0));
}

TEST(GroupEffects, OfManyGroupsInARowLeaveTheErrorsOfTheirMeetings) {
  std::vector<double> levels;
  for (int card = 0; card < 60; ++card) levels.push_back(0.02 * std::sin(card));
  Fleet made = fleet(600, levels, [](std::size_t i) { return static_cast<int>(i / 10); });
  std::vector<double> const alike = without_group_effects(made.values, made.cards, kCardSd, kMinSd);
  auto const [low, high] = std::minmax_element(alike.begin(), alike.end());
  EXPECT_LT(*high - *low, 0.04) << "each meeting may add its own error, but nothing of the cards' differences";
}

/// The level difference at `split` of runs whose level is 5 + 0.01 times the number of their group, and 0.1 higher from
/// `split` on.
LevelDifference difference_of(std::vector<int> const& groups, std::size_t split, double group_sd,
                              std::size_t min_shared = 1) {
  std::vector<double> values;
  for (std::size_t i = 0; i < groups.size(); ++i) values.push_back(5 + 0.01 * groups[i] + (i < split ? 0 : 0.1));
  return level_difference(values, groups, split, kRunSd, group_sd, min_shared);
}

std::vector<int> stretches(std::vector<int> const& groups) {
  std::vector<int> runs;
  for (int const group : groups) runs.insert(runs.end(), 10, group);
  return runs;
}

TEST(LevelDifferences, OfOneGroupAreThoseOfTwoMeans) {
  for (double const group_sd : {0.0, 0.02}) {
    LevelDifference const found = difference_of(stretches({0, 0, 0}), 10, group_sd);
    EXPECT_NEAR(found.size, 0.1, 1e-12);
    EXPECT_NEAR(found.se, kRunSd * std::sqrt(1.0 / 10 + 1.0 / 20), 1e-12);
  }
}

TEST(LevelDifferences, CountWhatGroupsMayDifferByAsFarAsTheyAreNotOnBothSides) {
  LevelDifference const apart = difference_of(stretches({0, 3}), 10, 0.02);
  EXPECT_NEAR(apart.size, 0.13, 1e-9) << "the difference of the groups cannot be separated from the change";
  EXPECT_NEAR(apart.se, std::hypot(0.02 * std::sqrt(2.0), kRunSd * std::sqrt(0.2)), 1e-9);
  EXPECT_NEAR(difference_of(stretches({0, 1, 2}), 20, 0.02).se, 0.02 * std::sqrt(1.5), 1e-4);
  EXPECT_NEAR(difference_of(stretches({0, 3}), 10, 0).se, kRunSd * std::sqrt(0.2), 1e-12)
      << "with group_sd 0, groups must count as equal";
  // A group on both sides decides the comparison with its own runs.
  LevelDifference const shared = difference_of(stretches({0, 3, 0}), 10, 0.02);
  EXPECT_NEAR(shared.size, 0.1, 0.001);
  EXPECT_NEAR(shared.se, kRunSd * std::sqrt(0.2), 1e-4);
}

TEST(LevelDifferences, AreNotToldByAFewRunsInCommon) {
  std::vector<int> groups = stretches({0, 1});
  groups[18] = groups[19] = 0;
  EXPECT_LT(difference_of(groups, 10, 0.02, 2).se, 0.002);
  EXPECT_GT(difference_of(groups, 10, 0.02, 3).se, 0.02);
}

TEST(LevelDifferences, LeaveOutRunsThatTellNothing) {
  std::vector<int> groups(20, 0);
  groups[3] = groups[15] = -1;
  EXPECT_NEAR(difference_of(groups, 10, 0.02).se, kRunSd * std::sqrt(2.0 / 9), 1e-12);
  std::fill(groups.begin() + 10, groups.end(), -1);
  EXPECT_TRUE(std::isinf(difference_of(groups, 10, 0.02).se));
}

TEST(ChangePointsOfAFleet, CardsThatTakeTurnsAreNoChangeHoweverTheyDo) {
  std::vector<std::function<int(std::size_t)>> const turns = {
      [](std::size_t i) { return static_cast<int>(i % 2); },
      [](std::size_t i) { return static_cast<int>(i / 10 % 2); },
      [](std::size_t i) { return i < 40 ? 0 : 1; },
      [](std::size_t i) { return static_cast<int>(i / 15); },
      [](std::size_t i) { return static_cast<int>(i * 7919 % 13 % 4); },
      [](std::size_t i) { return i % 11 == 5 ? 3 : static_cast<int>(i / 20); },
  };
  std::vector<double> const levels = {0, 0.03, -0.02, 0.015, 0.04, 0.01};
  int without = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    for (unsigned seed = 0; seed < 50; ++seed) {
      Fleet made = fleet(80, levels, turns[i], seed);
      EXPECT_EQ(made.found(), Changes{}) << i << ' ' << seed;
      made.cards.clear();
      without += made.found().empty() ? 0 : 1;
    }
  }
  EXPECT_GT(without, 150) << "without the cards, their differences must look like changes";
}

TEST(ChangePointsOfAFleet, MoreCardsThanASeriesCanTellApartDoNotMakeItSure) {
  Random turns(1);
  int found = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Random random(seed + 1000);
    std::vector<double> levels = noise(16, random);
    for (double& level : levels) level *= 0.02;
    Fleet const made = fleet(30, levels, [&](std::size_t) { return static_cast<int>(turns() % 16); }, seed);
    found += made.found({.min_magnitude = 0, .correlation = 0}).empty() ? 0 : 1;
  }
  EXPECT_LE(found, 4) << "the nominal rate is one in a thousand";
}

TEST(ChangePointsOfAFleet, AChangeOfTheCodeIsFoundOnEveryCard) {
  std::vector<double> const levels = {0, 0.03, -0.02, 0.015};
  for (unsigned seed = 0; seed < 50; ++seed) {
    Fleet made = fleet(80, levels, [](std::size_t i) { return static_cast<int>(i * 7919 % 13 % 4); }, seed);
    add_step(made.values, 37, 0.012);
    ChangePoints const result = find_change_points(made.values, {.groups = made.cards});
    ASSERT_EQ(result.changes.size(), 1u) << seed;
    EXPECT_NEAR(static_cast<double>(result.changes[0].index), 37, 1) << "a step of six sd must be located within a run";
    EXPECT_NEAR(result.changes[0].size, 0.012, 0.003);
    EXPECT_LT(result.changes[0].size_se, 0.001) << "every card has runs on both sides, so the size must be precise";
  }
}

TEST(ChangePointsOfAFleet, AtTheOnlyMeetingOfTwoCardsOnlyWhatNoCardDoesIsAChange) {
  auto const halves = [](std::size_t i) { return i < 40 ? 0 : 1; };
  for (double const step : {0.03, -0.05}) {
    Fleet made = fleet(80, {0, 0.01}, halves);
    add_step(made.values, 40, step);
    EXPECT_EQ(made.found(), Changes{}) << step;
  }
  Fleet made = fleet(80, {0, 0.01}, halves);
  add_step(made.values, 40, 0.4);
  EXPECT_EQ(made.found(), Changes{40});
  // With the change a few runs later, the second card has runs on both sides.
  made = fleet(80, {0, 0.01}, halves);
  add_step(made.values, 43, 0.03);
  EXPECT_EQ(made.found(), Changes{43});
}

TEST(ChangePointsOfAFleet, TwoLevelsThatTakeTurnsAreNoChange) {
  // Most of the first five runs are at the higher level: to take the lower ones for spikes would leave a level.
  std::vector<double> values = fleet(20, {0}, [](std::size_t) { return 0; }).values;
  for (std::size_t const run : {1, 3, 4}) values[run] += 0.06;
  EXPECT_TRUE(find_change_points(values, {.correlation = 0}).changes.empty());
  // If they follow each other, they are a change.
  values = fleet(20, {0}, [](std::size_t) { return 0; }).values;
  for (std::size_t const run : {0, 1, 2, 3}) values[run] += 0.06;
  EXPECT_EQ(find_change_points(values, {.correlation = 0}).changes.size(), 1u);
}

TEST(ChangePointsOfAFleet, OneCardIsNoFleet) {
  Fleet made = fleet(60, {0, 0}, [](std::size_t i) { return static_cast<int>(i % 2); });
  add_step(made.values, 30, 0.03);
  made.values[7] += 0.2;
  std::vector<int> const one(60, 3);
  ChangePoints const plain = find_change_points(made.values), told = find_change_points(made.values, {.groups = one});
  ASSERT_EQ(plain.changes.size(), 1u);
  ASSERT_EQ(told.changes.size(), 1u);
  EXPECT_EQ(plain.changes[0].size, told.changes[0].size);
  EXPECT_EQ(plain.changes[0].size_se, told.changes[0].size_se);
  // Cards that may not differ (group_sd 0) count as one, up to what is not fitted.
  ChangePoints const alike = find_change_points(made.values, {.groups = made.cards, .group_sd = 0});
  ASSERT_EQ(alike.changes.size(), 1u);
  EXPECT_NEAR(alike.changes[0].size, plain.changes[0].size, 0.001);
}

TEST(ChangePointsOfAFleet, BadGroupsAreRefused) {
  std::vector<double> const values(10, 1);
  for (std::vector<int> const& groups : {std::vector(9, 0), std::vector(10, -1)})
    EXPECT_EQ(find_change_points(values, {.groups = groups}).status, SeriesStatus::bad_options);
  EXPECT_EQ(find_change_points(values, {.group_sd = -1}).status, SeriesStatus::bad_options);
  EXPECT_EQ(find_change_points({}, {}).status, SeriesStatus::too_short);
  EXPECT_FALSE(noise_of_series(values, {.groups = std::vector(9, 0)}));
  EXPECT_FALSE(noise_of_series({}, {}));
}

}  // namespace
}  // namespace perfcheck::stats
