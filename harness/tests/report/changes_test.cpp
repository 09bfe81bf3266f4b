// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "report_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace perfcheck::report {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

TEST(Changes, SayWhichRunBeganTheNewLevelAndByHowMuch) {
  std::mt19937_64 random(7);
  Series series = samples::plain_series(100, random);
  samples::add_step(series, 60, 1.05);
  std::vector<ReportChange> const changes = changes_of(series, Metric::ratio);
  ASSERT_EQ(changes.size(), 1u);
  ReportChange const& change = changes[0];
  EXPECT_EQ(change.metric, Metric::ratio);
  EXPECT_EQ(change.run, 60);
  EXPECT_LE(change.from, 60);
  EXPECT_GE(change.to, 60);
  EXPECT_NEAR(change.size, 0.05, 0.002);
  EXPECT_LT(change.low, change.size);
  EXPECT_GT(change.high, change.size);
  EXPECT_NEAR(change.high - change.low, 2 * 1.96 * 0.001 * std::sqrt(1.0 / 60 + 1.0 / 40), 0.0006);
  EXPECT_NEAR(change.before, 1.4, 0.002) << "the level must be in the metric's unit";
  EXPECT_NEAR(change.after, 1.47, 0.002);
  EXPECT_LT(change.p, 0.001);
  EXPECT_FALSE(change.went_away);
}

TEST(Changes, CountRunsOfTheDeviceNotThoseOfTheSeries) {
  std::mt19937_64 random(7);
  Series series = samples::plain_series(100, random);
  for (int& run : series.run) run = 3 * run + 5;
  series.ratio[10] = kMissing;
  series.ratio[11] = -1;
  series.ratio[12] = 0;
  samples::add_step(series, 3 * 60 + 5, 0.9);
  std::vector<ReportChange> const changes = changes_of(series, Metric::ratio);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].run, 3 * 60 + 5);
  EXPECT_NEAR(changes[0].size, -0.1, 0.002);
  for (int const run : {changes[0].from, changes[0].to}) EXPECT_EQ((run - 5) % 3, 0);
}

/// A short history of many cases. The first case changes by 30 % at the fourth run and by 9 % two runs later, too soon
/// for a separate level, so the remainder looks like correlated noise.
std::vector<Series> short_history(int cases) {
  std::mt19937_64 random(11);
  std::vector<Series> all;
  for (int i = 0; i < cases; ++i) all.push_back(samples::plain_series(17, random));
  samples::add_step(all.front(), 3, 0.7);
  samples::add_step(all.front(), 5, 0.91);
  return all;
}

TEST(PooledCorrelations, LetAShortSeriesSeeWhatItCannotSeeAlone) {
  std::vector<Series> const all = short_history(40);
  EXPECT_TRUE(changes_of(all.front(), Metric::ratio).empty())
      << "17 runs that must also estimate their correlation are too few";
  Correlations const pooled = pooled_correlations(all);
  ASSERT_TRUE(pooled.ratio);
  EXPECT_LT(*pooled.ratio, 0.4) << "the runs are independent, so the pooled correlation must be low";
  std::vector<ReportChange> const changes = changes_of(all.front(), Metric::ratio, pooled);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes.front().run, 3);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_TRUE(facts_of(all[i], Metric::ratio, pooled).changes.empty()) << i;
}

TEST(Changes, OfCardsThatTakeTurnsAreNone) {
  std::mt19937_64 random(3);
  Series series = samples::plain_series(60, random);
  for (int run = 0; run < 60; ++run) {
    series.card.push_back(run / 10 % 2);
    if (series.card.back() == 1) series.ratio[static_cast<std::size_t>(run)] *= 1.03;
  }
  EXPECT_TRUE(changes_of(series, Metric::ratio).empty());
  std::vector<int> const cards = std::exchange(series.card, {});
  EXPECT_FALSE(changes_of(series, Metric::ratio).empty())
      << "without the cards, their differences must look like changes";
  series.card = cards;
  samples::add_step(series, 25, 1.02);
  std::vector<ReportChange> const changes = changes_of(series, Metric::ratio);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].run, 25);
  EXPECT_NEAR(changes[0].size, 0.02, 0.002);
}

TEST(Changes, OfASeriesThatDoesNotTellTheCardOfEveryRunAreRefused) {
  std::mt19937_64 random(3);
  Series series = samples::plain_series(8, random);
  series.card = std::vector(7, 0);
  EXPECT_THROW(facts_of(series, Metric::ratio), std::invalid_argument);
  series.card = std::vector(8, -1);
  EXPECT_THROW(facts_of(series, Metric::ratio), std::invalid_argument);
}

TEST(PooledCorrelations, DoNotTakeCardsForNeighboursThatAgree) {
  std::mt19937_64 random(5);
  std::vector<Series> fleet;
  for (int i = 0; i < 40; ++i) {
    fleet.push_back(samples::plain_series(40, random));
    for (int run = 0; run < 40; ++run) {
      fleet.back().card.push_back(run / 2 % 4);
      fleet.back().ratio[static_cast<std::size_t>(run)] *= 1 + 0.004 * fleet.back().card.back();
    }
  }
  EXPECT_LT(*pooled_correlations(fleet).ratio, 0.2);
  for (Series& one : fleet) one.card.clear();
  EXPECT_GT(*pooled_correlations(fleet).ratio, 0.3);
}

TEST(PooledCorrelations, NeedTwentySeriesThatAreLongEnough) {
  EXPECT_TRUE(pooled_correlations(short_history(20)).cycles);
  EXPECT_FALSE(pooled_correlations(short_history(19)).cycles);
  std::mt19937_64 random(1);
  EXPECT_FALSE(pooled_correlations(std::vector<Series>(40, samples::plain_series(5, random))).time);
}

TEST(Changes, FollowEachMetricByItself) {
  std::mt19937_64 random(7);
  Series series = samples::plain_series(100, random);
  for (std::size_t i = 60; i < 100; ++i) series.time_ns[i] *= 1.1;
  for (std::size_t i = 30; i < 100; ++i) series.cycles[i] *= 1.1;
  SeriesFacts const facts = facts_of(series, Metric::time);
  ASSERT_EQ(facts.changes.size(), 2u);
  EXPECT_EQ(facts.changes[0].metric, Metric::cycles) << "changes must be sorted by run";
  EXPECT_EQ(facts.changes[0].run, 30);
  EXPECT_EQ(facts.changes[1].metric, Metric::time);
  EXPECT_EQ(facts.changes[1].run, 60);
}

TEST(Scatter, IsThatOfRunsAroundTheirLevels) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.01);
  Series series = samples::plain_series(200, random);
  for (std::size_t i = 0; i < 200; ++i) {
    series.time_ns[i] = (i < 80 ? 100 : 150) * std::exp(noise(random));
    series.cycles[i] = i < 4 ? series.cycles[i] : kMissing;
  }
  SeriesFacts const facts = facts_of(series, Metric::time);
  ASSERT_EQ(facts.scatter.size(), 2u) << "four runs have too few cycles for a scatter";
  EXPECT_EQ(facts.scatter[0].metric, Metric::ratio);
  EXPECT_EQ(facts.scatter[1].metric, Metric::time);
  EXPECT_NEAR(facts.scatter[1].sd, 0.01, 0.0015);
  EXPECT_NEAR(facts.scatter[1].df, 80, 1);
}

TEST(Scatter, IsNotThatOfALevelTooShortToBeFound) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.001);
  Series series = samples::plain_series(17, random);
  for (std::size_t i = 0; i < 17; ++i) {
    series.time_ns[i] = (i < 3 ? 150 : i < 5 ? 110 : 100) * std::exp(noise(random));
  }
  SeriesFacts const facts = facts_of(series, Metric::time);
  ASSERT_EQ(facts.scatter.size(), 3u);
  EXPECT_EQ(facts.scatter[2].metric, Metric::time);
  EXPECT_LT(facts.scatter[2].sd, 0.003);
  EXPECT_LT(facts.scatter[2].df, 10) << "17 runs must not give many degrees of freedom";
}

TEST(Changes, AreNoneWhereThereIsNothingToSay) {
  std::mt19937_64 random(7);
  EXPECT_TRUE(changes_of({}, Metric::time).empty());
  EXPECT_TRUE(changes_of(samples::plain_series(5, random), Metric::time).empty());
  Series series = samples::plain_series(50, random);
  series.cycles.assign(50, kMissing);
  EXPECT_TRUE(changes_of(series, Metric::cycles).empty());
}

TEST(Spark, HoldsTheLastValuesOverTheirMedian) {
  std::mt19937_64 random(7);
  Series series = samples::plain_series(60, random);
  for (std::size_t i = 0; i < 60; ++i) series.ratio[i] = i < 20 ? 100.0 : 2.0;
  series.ratio[59] = 3;
  series.ratio[58] = kMissing;
  series.ratio[57] = 0;
  SeriesFacts const facts = facts_of(series, Metric::ratio);
  EXPECT_EQ(facts.runs, 60);
  ASSERT_EQ(facts.spark.size(), 40u);
  EXPECT_EQ(facts.spark[0], 1);
  EXPECT_EQ(facts.spark[39], 1.5);
  EXPECT_TRUE(std::isnan(facts.spark[38]));
  EXPECT_TRUE(std::isnan(facts.spark[37]));
  EXPECT_TRUE(facts_of({}, Metric::ratio).spark.empty());
}

TEST(Metric, HasOneTextForEachValue) {
  for (Metric const metric : {Metric::ratio, Metric::cycles, Metric::time})
    EXPECT_EQ(metric_from_text(to_text(metric)), metric);
  EXPECT_EQ(to_text(Metric::ratio), "ratio");
  EXPECT_EQ(to_text(Metric::cycles), "cycles");
  EXPECT_EQ(to_text(Metric::time), "time");
  EXPECT_EQ(metric_from_text("Ratio"), std::nullopt);
}

}  // namespace
}  // namespace perfcheck::report
