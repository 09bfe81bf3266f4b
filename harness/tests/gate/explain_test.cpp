// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which decisions report what else changed.
#include "world.h"

#include <gmock/gmock.h>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::IsEmpty;

std::string const kCase = "k@p";

/// A case that is `factor` times as slow as stored, screened and confirmed, and needs more registers now.
World changed(double factor) {
  World world;
  world.stored(kCase, sessions(quiet()));
  world.screened(kCase, slower(sessions({1.0}), factor)).confirmed(kCase, slower(sessions(quiet_fresh()), factor));
  model::LaunchAttributes before;
  before.function = "f";
  before.registers = 128;
  world.baseline.cases[kCase].launched = {before};
  for (std::size_t i = 0; i < 5; ++i) {
    world.result(kCase, i).launches.front().registers = 168;
  }
  return world;
}

TEST(Explain, ARegressionAndAnImprovementSayWhatElseChanged) {
  for (auto const& [factor, verdict] : {std::pair(1.05, Verdict::regressed), std::pair(0.95, Verdict::improved)}) {
    CaseDecision const decision = changed(factor).decide(kCase);
    ASSERT_EQ(decision.verdict, verdict) << decision.reason;
    ASSERT_EQ(decision.differences.size(), 1U);
    EXPECT_EQ(decision.differences[0].what, "registers");
    EXPECT_EQ(decision.differences[0].text, "registers 128 -> 168");
  }
}

TEST(Explain, WhatPassesSaysNothing) {
  CaseDecision const decision = changed(1.0).decide(kCase);
  ASSERT_EQ(decision.verdict, Verdict::pass) << decision.reason;
  EXPECT_THAT(decision.differences, IsEmpty());
}

TEST(Explain, AnInconclusiveCaseSaysWhatElseChanged) {
  World world = changed(1.05);
  world.policy.min_baseline_sessions = 6;
  ASSERT_EQ(world.decide(kCase).reason_code, "too_few_baseline_sessions");
  EXPECT_EQ(world.decide(kCase).differences.size(), 1U);
}

TEST(Explain, TheScreenIsExplainedWhereNothingConfirmedIt) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.05}));
  world.measured_on.driver = "590.2";
  ASSERT_EQ(world.decide(kCase).reason_code, "needs_confirmation");
  ASSERT_EQ(world.decide(kCase).differences.size(), 1U);
  EXPECT_EQ(world.decide(kCase).differences[0].text, "driver 580.1 -> 590.2");
}

TEST(Explain, ConfirmationIsExplainedAndNotTheScreen) {
  World world = changed(1.05);
  world.result(kCase, 0).launches.front().registers = 200;  // the screen's
  EXPECT_EQ(world.decide(kCase).differences.at(0).text, "registers 128 -> 168");
  world.result(kCase, 4).launches.front().registers = 200;  // the last confirmation's
  EXPECT_EQ(world.decide(kCase).differences.at(0).text, "registers 128 -> 200");
}

TEST(Explain, WhatBrokeOrHasNoBaselineSaysNothing) {
  World world = changed(1.05);
  world.result(kCase).status = model::CaseStatus::crashed;
  EXPECT_THAT(world.decide(kCase).differences, IsEmpty());
  world = changed(1.05);
  world.has_baseline = false;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::no_baseline);
  EXPECT_THAT(world.decide(kCase).differences, IsEmpty());
}

TEST(Explain, ChangesNoVerdict) {
  for (double const factor : {0.95, 1.0, 1.05}) {
    World const with = changed(factor);
    World without = changed(factor);
    without.baseline.cases[kCase].launched.clear();
    EXPECT_EQ(with.decide(kCase).verdict, without.decide(kCase).verdict);
    EXPECT_EQ(with.decide(kCase).reason, without.decide(kCase).reason);
    EXPECT_EQ(with.decide().exit_code, without.decide().exit_code);
  }
}

}  // namespace
}  // namespace perfcheck::gate::testing
