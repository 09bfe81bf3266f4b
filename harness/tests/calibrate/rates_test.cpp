// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/rates.h"

#include "made_up.h"

#include <gtest/gtest.h>

namespace perfcheck::calibrate::testing {
namespace {

using model::Verdict;

Trial trial(int index, std::size_t block, std::size_t screen, Origin origin, double percent, Verdict verdict) {
  return {.id = case_id_of(index),
          .block = block,
          .screen = screen,
          .origin = origin,
          .slowdown_percent = percent,
          .flagged = verdict != Verdict::pass,
          .verdict = verdict,
          .reason_code = {},
          .detectable = 0.01 * static_cast<double>(1 + screen)};
}

SuiteRates rates(std::vector<Trial> trials, std::vector<Trial> kernels = {}) {
  return rates_of({made_up_card({}, "a", 1, {{}, {}})}, {.trials = std::move(trials), .kernels = std::move(kernels)});
}

CaseRates const& of(SuiteRates const& suite, int index) {
  return *std::find_if(suite.cases.begin(), suite.cases.end(),
                       [&](CaseRates const& one) { return one.id == case_id_of(index); });
}

TEST(Rates, AScreenWithAnyAlarmAboutAnUntouchedCaseIsFalse) {
  SuiteRates const suite = rates(
      {trial(0, 0, 0, Origin::none, 0, Verdict::pass), trial(1, 0, 0, Origin::none, 0, Verdict::regressed),
       trial(2, 0, 0, Origin::none, 0, Verdict::improved), trial(0, 0, 1, Origin::none, 0, Verdict::improved),
       trial(0, 0, 2, Origin::none, 0, Verdict::inconclusive), trial(3, 0, 2, Origin::device, 5, Verdict::regressed)});
  EXPECT_EQ(suite.screens, 3);
  EXPECT_EQ(suite.false_screens, 2);
  EXPECT_EQ(suite.inconclusive_screens, 1);
  EXPECT_EQ(of(suite, 0).untouched, 3);
  EXPECT_EQ(of(suite, 0).false_alarms, 1);
  EXPECT_EQ(of(suite, 0).inconclusive, 1);
  EXPECT_EQ(of(suite, 0).flagged, 2);
  EXPECT_EQ(of(suite, 3).untouched, 0);
}

TEST(Rates, ABlockAndACardAreFalseOnceHoweverManyOfTheirChecksAre) {
  Trial other_baseline = trial(0, 0, 0, Origin::none, 0, Verdict::improved);
  other_baseline.baseline = 1;
  Trial other_card = trial(0, 0, 0, Origin::none, 0, Verdict::pass);
  other_card.card = 1;
  SuiteRates const suite =
      rates({trial(0, 0, 0, Origin::none, 0, Verdict::regressed), trial(0, 0, 1, Origin::none, 0, Verdict::regressed),
             other_baseline, trial(0, 1, 0, Origin::none, 0, Verdict::pass), other_card});
  EXPECT_EQ(suite.screens, 5);
  EXPECT_EQ(suite.false_screens, 3);
  EXPECT_EQ(suite.blocks.of, 3);
  EXPECT_EQ(suite.blocks.alarmed, 1);
  EXPECT_EQ(suite.cards.of, 2);
  EXPECT_EQ(suite.cards.alarmed, 1);
  ASSERT_EQ(suite.by_card.size(), 1U) << "only the cards that were passed in count";
  EXPECT_EQ(suite.by_card[0].blocks.of, 2);
  EXPECT_EQ(suite.by_card[0].blocks.alarmed, 1);
  EXPECT_EQ(suite.by_card[0].screens, 4);
  EXPECT_EQ(suite.by_card[0].false_screens, 3);
  EXPECT_EQ(suite.by_card[0].untouched, 4);
  EXPECT_EQ(suite.by_card[0].flagged, 3);
}

TEST(Rates, AKernelAsAWholeMakesItsBlockFalse) {
  SuiteRates const suite =
      rates({trial(0, 0, 0, Origin::none, 0, Verdict::pass)}, {trial(0, 0, 0, Origin::none, 0, Verdict::improved)});
  EXPECT_EQ(suite.blocks.alarmed, 1);
  EXPECT_EQ(suite.cards.alarmed, 1);
}

TEST(Rates, WhatCouldNotHaveBeenAnAlarmIsPartOfNoRate) {
  Trial few_sessions = trial(2, 0, 0, Origin::none, 0, Verdict::inconclusive);
  few_sessions.reason_code = "too_few_baseline_sessions";
  Trial unknown = trial(3, 1, 0, Origin::none, 0, Verdict::no_baseline);
  unknown.reason_code = "no_baseline";
  Trial slowed = trial(4, 0, 0, Origin::device, 5, Verdict::no_baseline);
  SuiteRates const suite =
      rates({trial(0, 0, 0, Origin::none, 0, Verdict::pass), trial(1, 0, 0, Origin::none, 0, Verdict::inconclusive),
             few_sessions, unknown, slowed, trial(4, 0, 0, Origin::device, 3, Verdict::incomparable)});
  EXPECT_EQ(of(suite, 0).untouched + of(suite, 1).untouched, 2);
  EXPECT_EQ(of(suite, 2).untouched + of(suite, 3).untouched, 0);
  EXPECT_EQ(suite.blocks.of, 1) << "no alarm was possible in the second block";
  EXPECT_EQ(suite.screens, 1);
  EXPECT_EQ(suite.no_alarm_possible,
            (std::map<std::string, int>{{"no_baseline", 1}, {"too_few_baseline_sessions", 1}}));
  EXPECT_FALSE(of(suite, 4).of(Origin::device).contains(5)) << "a slowdown without a baseline counts as no trial";
  EXPECT_EQ(of(suite, 4).of(Origin::device).at(3).trials, 1)
      << "an incomparable case counts as a trial, although the slowdown was not found";
}

TEST(Rates, OtherCodeThanTheBaselinesIsPartOfNoRate) {
  Trial changed = trial(0, 0, 0, Origin::none, 0, Verdict::regressed), kernel = changed;
  changed.is_changed = kernel.is_changed = true;
  Trial slowed = trial(0, 0, 0, Origin::device, 1, Verdict::regressed);
  slowed.is_changed = true;
  SuiteRates const suite = rates({changed, slowed, trial(1, 0, 0, Origin::none, 0, Verdict::pass)}, {kernel});
  EXPECT_EQ(suite.changed, std::vector<std::string>{case_id_of(0)});
  EXPECT_EQ(suite.screens, 1);
  EXPECT_EQ(suite.false_screens, 0);
  EXPECT_EQ(suite.false_kernel_screens, 0);
  EXPECT_EQ(suite.blocks.alarmed, 0);
  EXPECT_TRUE(of(suite, 0).of(Origin::device).empty());
}

TEST(Rates, KernelsCountScreensOfTheirOwn) {
  SuiteRates const suite =
      rates({trial(0, 0, 0, Origin::none, 0, Verdict::pass)}, {trial(0, 0, 0, Origin::none, 0, Verdict::regressed)});
  EXPECT_EQ(suite.false_kernel_screens, 1);
  EXPECT_EQ(suite.false_screens, 0);
}

TEST(Rates, OnlyRegressedCountsAsFoundAndUnitsAreCasesInBlocks) {
  SuiteRates const suite = rates(
      {trial(1, 0, 0, Origin::device, 1, Verdict::regressed), trial(1, 0, 1, Origin::device, 1, Verdict::inconclusive),
       trial(1, 1, 0, Origin::device, 1, Verdict::regressed), trial(3, 1, 0, Origin::device, 1, Verdict::improved),
       trial(1, 1, 0, Origin::added, 1, Verdict::regressed)});
  Rate const& rate = of(suite, 1).of(Origin::device).at(1);
  EXPECT_EQ(rate.trials, 3);
  EXPECT_EQ(rate.found, 2);
  EXPECT_EQ(rate.units, 2);
  Rate const both = pooled(suite, Origin::device, {.library = false, .short_launches = false}).at(1);
  EXPECT_EQ(both.trials, 4);
  EXPECT_EQ(both.found, 2);
  EXPECT_EQ(both.units, 3);
  EXPECT_TRUE(pooled(suite, Origin::device, {.library = false, .short_launches = true}).empty());
}

TEST(Rates, GoalsAreThoseOfTheLaunchsLength) {
  std::vector<Trial> trials;
  for (int i = 0; i < 100; ++i) {
    Verdict const often = i < 94 ? Verdict::regressed : Verdict::pass;
    trials.push_back(trial(0, 0, 0, Origin::added, 1, Verdict::pass));  // 10 us: too short for the goal of 1 %
    trials.push_back(trial(0, 0, 0, Origin::added, 3, often));
    trials.push_back(trial(1, 0, 0, Origin::added, 1, often));
    trials.push_back(trial(1, 0, 0, Origin::device, 1, Verdict::regressed));  // 194 of 200 reach 95 %
    trials.push_back(trial(3, 0, 0, Origin::added, 1, often));
    trials.push_back(trial(3, 0, 0, Origin::added, 2, Verdict::regressed));
  }
  std::vector<Miss> const misses = misses_of(rates(std::move(trials)));
  ASSERT_EQ(misses.size(), 2U);
  EXPECT_EQ(misses[0].id, case_id_of(0));
  EXPECT_EQ(misses[0].goal.percent, 3);
  EXPECT_EQ(misses[1].id, case_id_of(3));
  EXPECT_EQ(misses[1].goal.percent, 1);
  EXPECT_NEAR(misses[1].reached, 0.94, 1e-12);
}

TEST(Rates, OnlySizesThatWereTriedSayAnythingAboutGoals) {
  SuiteRates const suite =
      rates({trial(0, 0, 0, Origin::device, 1, Verdict::pass), trial(1, 0, 0, Origin::device, 5, Verdict::pass),
             trial(3, 0, 0, Origin::added, 2, Verdict::regressed)});
  EXPECT_EQ(cases_with_goals_tried(suite), 1U) << "case 0 is a short launch, for which 1 % is not a goal";
  EXPECT_TRUE(misses_of(suite).empty());
}

TEST(Rates, CasesCarryTheirTimeAndWhatTheyCost) {
  Trial disturbed = trial(1, 0, 3, Origin::none, 0, Verdict::inconclusive);
  disturbed.detectable.reset();
  SuiteRates const suite = rates(
      {trial(1, 0, 0, Origin::none, 0, Verdict::pass), trial(1, 0, 1, Origin::none, 0, Verdict::pass),
       trial(1, 0, 2, Origin::none, 0, Verdict::pass), disturbed, trial(1, 0, 4, Origin::added, 5, Verdict::pass)});
  EXPECT_NEAR(of(suite, 1).time_ns, 1e5, 500);
  EXPECT_NEAR(of(suite, 1).seconds, 0.25, 1e-12);
  EXPECT_NEAR(of(suite, 1).device_seconds.value(), 0.15, 1e-12)
      << "the mean of the sessions that have a value: 0.1 and 0.2";
  EXPECT_NEAR(of(suite, 1).detectable.value(), 0.02, 1e-12) << "only unmodified trials with a value count";
  EXPECT_FALSE(of(suite, 2).detectable);
}

}  // namespace
}  // namespace perfcheck::calibrate::testing
