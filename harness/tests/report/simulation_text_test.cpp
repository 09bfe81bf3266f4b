// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/simulation_text.h"

#include <gmock/gmock.h>

namespace perfcheck::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

calibrate::Simulation simulation() {
  calibrate::Simulation made_up;
  made_up.confirm_sessions = 6;
  made_up.result = {.checks = 1000, .alarms = 2, .kernel_alarms = 1, .undecided = 250};
  made_up.equal = {.checks = 500};
  made_up.rebuilt = {.checks = 500, .alarms = 2, .kernel_alarms = 1, .undecided = 250};
  made_up.cards = {{.name = "gpu-1", .recorded_sessions = 22, .baseline_sessions = 8, .result = made_up.result}};
  made_up.left_out = {"gpu-2"};
  made_up.decisions = 181'000;
  made_up.flagged = 18'100;
  made_up.findings = {
      {.check = 7, .id = "k@p", .verdict = model::Verdict::inconclusive, .reason_code = "not_significant"},
      {.check = 9, .id = "k@p", .verdict = model::Verdict::inconclusive, .reason_code = "not_significant"},
      {.check = 9, .id = "k", .verdict = model::Verdict::regressed, .reason_code = "x", .is_kernel = true}};
  return made_up;
}

TEST(SimulationText, StatesAlarmsWithTheirBound) {
  std::string const text = simulation_text(simulation(), false);
  EXPECT_THAT(text, HasSubstr("gpu-1: noise of 22 recorded sessions; a check has 8 to compare with, 1 that screens and "
                              "6 that confirm\ngpu-2: left out, too few sessions are recorded\n"));
  // The one-sided Clopper-Pearson limit: 0.63 %; for none in 500 checks: 1 - 0.05^(1/500).
  EXPECT_THAT(text,
              HasSubstr("2 of 1000 called a case, or a kernel as a whole, regressed or improved (95 % sure: fewer "
                        "than 0.6 %); of these 1 a kernel\n"));
  EXPECT_THAT(text,
              HasSubstr("250 of 1000 more were undecided: a case or a kernel neither passed nor was an alarm (25.0 "
                        "%)\n"));
  EXPECT_THAT(text, HasSubstr("10.0 % of the 181000 decisions"));
  EXPECT_THAT(text,
              ::testing::ContainsRegex("machine code of the baseline +500 checks +0 with an alarm .95 % sure: fewer "
                                       "than 0.6 %., 0 undecided"));
}

TEST(SimulationText, CountsWhatDidNotPassAndListsItCheckByCheckWhereAsked) {
  std::string const text = simulation_text(simulation(), false), all = simulation_text(simulation(), true);
  EXPECT_THAT(text, HasSubstr("      2  k@p  inconclusive (not_significant)\n"));
  EXPECT_THAT(text, Not(HasSubstr("Check by check")));
  EXPECT_THAT(all, HasSubstr("Check by check\n      7  k@p  inconclusive (not_significant)\n      9  k@p"));
}

}  // namespace
}  // namespace perfcheck::report
