// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/calibration_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

calibrate::Calibration calibration(int misses) {
  calibrate::Calibration made_up;
  made_up.places.push_back({.card = "GPU-1",
                            .device = "NVIDIA H100",
                            .driver = "580.1",
                            .commit = "0123456789abcdef",
                            .libraries = {{"cuBLAS", "13.1"}},
                            .baseline_sessions = 8,
                            .blocks = {"block-01.run.json"}});
  made_up.suite = "default";
  made_up.compared_with = "its own sessions";
  made_up.confirm_sessions = 6;
  made_up.rates.cards = {.of = 2, .alarmed = 0};
  made_up.rates.blocks = {.of = 4, .alarmed = 0};
  made_up.rates.baselines = 1;
  made_up.rates.by_card = {{.blocks = {.of = 4, .alarmed = 1},
                            .screens = 28,
                            .false_screens = 2,
                            .untouched = 100,
                            .flagged = 13,
                            .inconclusive = 3}};
  made_up.rates.screens = 28;
  calibrate::CaseRates one{.id = "k@p", .time_ns = 1e5, .seconds = 0.3, .slowed = {}};
  one.device_seconds = 0.11;
  one.untouched = 100;
  one.flagged = 13;
  one.detectable = 0.008;
  one.slowed[calibrate::Origin::device][1] = {.trials = 30, .found = 29, .units = 10};
  one.slowed[calibrate::Origin::equal][3] = {.trials = 20, .found = 20, .units = 10};
  made_up.rates.cases.push_back(one);
  made_up.noise["k@p"].cycles = {.rounds = 0.001, .sessions = 0.002, .cards = {}};
  for (int i = 0; i < misses; ++i) {
    made_up.misses.push_back({.id = "k@p", .goal = calibrate::kGoals[0], .reached = 0.9, .trials = 30});
  }
  made_up.rules.push_back({.name = "perfcheck",
                           .source = "",
                           .untouched = 100,
                           .screens = 28,
                           .device = one.of(calibrate::Origin::device)});
  made_up.rules.push_back({.name = "other tool",
                           .source = "",
                           .untouched = 100,
                           .false_alarms = 54,
                           .screens = 28,
                           .false_screens = 28,
                           .device = {}});
  return made_up;
}

TEST(CalibrationText, StatesRatesWithTheirBounds) {
  std::string const text = calibration_text(calibration(1), false);
  EXPECT_THAT(text, HasSubstr("NVIDIA H100 GPU-1, driver 580.1, cuBLAS 13.1, commit 0123456789ab: 8 sessions"));
  EXPECT_THAT(text, HasSubstr("suite default, compared with its own sessions"));
  // 1 - 0.05^(1/n), the bound of no event in n trials: 4 blocks, 2 cards, 28 checks.
  EXPECT_THAT(text, HasSubstr("0 of 4 blocks called a case, or a kernel as a whole, regressed or improved (95 % sure: "
                              "fewer than 52.7 %)\n  0 of 2 cards (95 % sure: fewer than 77.6 %)\n"
                              "    GPU-1: 1 of 4 blocks, 2 of 28 checks; of 100 decisions 13 were sent to "
                              "confirmation, 3 are inconclusive\n"));
  EXPECT_THAT(text, HasSubstr("0 of 28 checks called an untouched case regressed or improved, 0 a kernel as a whole\n"
                              "    (rotations of the blocks' sessions; were they independent: fewer than 10.1 %)\n"));
  EXPECT_THAT(text, HasSubstr("13.0 % of the cases were sent to confirmation, in 6 fresh sessions"));
  EXPECT_THAT(text, HasSubstr("a case takes 0.30 s of a session in the mean, 0.30 s at most; confirming it 1.8 s\n"
                              "  its launches keep the device busy for 0.11 s of a session in the mean, 0.11 s at "
                              "most; confirming it 0.7 s\n"));
  // The Clopper-Pearson interval of 9 of 10 pairs of case and block: 55.5 to 99.7 %.
  EXPECT_THAT(text, HasSubstr("1 %   96.7 % (55 to 100; 29 of 30)"));
  EXPECT_THAT(
      text, HasSubstr("k@p: 1 % in 90.0 % of 30 trials; sessions differ by 0.20 % in cycles, - in the ratio; 0.80 %"));
}

TEST(CalibrationText, ABoundThatIsSmallIsNotRoundedToNothing) {
  calibrate::Calibration made_up = calibration(0);
  made_up.rates.cases.front().untouched = 6776;
  made_up.rates.cases.front().false_alarms = 0;
  // 1 - 0.05^(1/6776)
  EXPECT_THAT(calibration_text(made_up, false),
              HasSubstr("0 of 6776 decisions about an untouched case (were they independent: fewer than 0.044 %)"));
}

TEST(CalibrationText, SaysAgainstHowManyBaselinesEachBlockWasHeld) {
  calibrate::Calibration held_out = calibration(0);
  held_out.rates.baselines = 7;
  EXPECT_THAT(calibration_text(held_out, false),
              HasSubstr("sessions, each against 7 baselines; were they independent"));
}

TEST(CalibrationText, SaysWhatIsNotCountedAndNamesOtherCodeWhereEveryCaseIsAskedFor) {
  EXPECT_THAT(calibration_text(calibration(0), true), Not(HasSubstr("not counted")));
  calibrate::Calibration made_up = calibration(0);
  made_up.rates.no_alarm_possible = {{"no_baseline", 14}};
  made_up.rates.changed = {"k@p", "k@p2"};
  made_up.rates.cases.push_back({.id = "k@p2", .slowed = {}});
  std::string const text = calibration_text(made_up, false), all = calibration_text(made_up, true);
  EXPECT_THAT(text, HasSubstr("not counted: 14 decisions that could not have been an alarm (no_baseline)\n"));
  EXPECT_THAT(text,
              HasSubstr("not counted: 2 of 2 cases, whose recorded code or launches are not the baseline's (--verbose "
                        "names them)\n"));
  EXPECT_THAT(all, HasSubstr("are not the baseline's:\n    k@p\n    k@p2\n"));
}

TEST(CalibrationText, RulesThatSawNoSlowdownShowADash) {
  std::string const text = calibration_text(calibration(0), false);
  EXPECT_THAT(text, ::testing::ContainsRegex("perfcheck +0.0 % +0/28 +96.7 %"));
  EXPECT_THAT(text, ::testing::ContainsRegex("other tool +54.0 % +28/28 +-\n"));
  calibrate::Calibration alone = calibration(0);
  alone.rules.resize(1);
  EXPECT_THAT(calibration_text(alone, false), Not(HasSubstr("Rules of other tools")))
      << "there are no other rules to compare";
}

TEST(CalibrationText, RecordingsThatDoNotTellHowLongTheDeviceWasBusyClaimNothing) {
  calibrate::Calibration old = calibration(0);
  old.rates.cases.front().device_seconds.reset();
  EXPECT_THAT(calibration_text(old, false), Not(HasSubstr("keep the device busy")));
}

TEST(CalibrationText, LongListsAreCutUnlessEveryCaseIsAskedFor) {
  EXPECT_THAT(calibration_text(calibration(50), false), HasSubstr("and 10 more (--verbose lists them)"));
  EXPECT_THAT(calibration_text(calibration(50), true), Not(HasSubstr("more (--verbose")));
  EXPECT_THAT(calibration_text(calibration(40), false), Not(HasSubstr("more (--verbose")));
}

}  // namespace
}  // namespace perfcheck::report
