// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Confirmation: fresh sessions convict or acquit what the screen flagged.
#include "world.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace perfcheck::gate::testing {
namespace {

using model::ExitCode;
using model::Verdict;
using ::testing::HasSubstr;

std::string const kCase = "k@p";

/// A case that is `screen` times as slow in the screen, and slower by the factors `confirm` in fresh sessions.
World changed(double screen, Session const& confirm) {
  World world;
  Session const base;
  world.stored(kCase, sessions(quiet()))
      .screened(kCase, sessions({screen}))
      .confirmed(kCase, sessions(quiet_fresh(), {.ratio = base.ratio * confirm.ratio,
                                                 .cycles = base.cycles * confirm.cycles,
                                                 .time_ns = base.time_ns * confirm.time_ns}));
  return world;
}

struct Row {
  char const* name;
  double screen;
  Session confirm;  ///< factors
  Verdict verdict;
  char const* code;
};

class Confirmation : public ::testing::TestWithParam<Row> {};

TEST_P(Confirmation, DecidesAs) {
  CaseDecision const decision = changed(GetParam().screen, GetParam().confirm).decide(kCase);
  EXPECT_EQ(model::to_text(decision.verdict), model::to_text(GetParam().verdict)) << decision.reason;
  EXPECT_EQ(decision.reason_code, GetParam().code) << decision.reason;
  EXPECT_FALSE(decision.wants_confirmation);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Confirmation,
    ::testing::Values(
        Row{"slower in everything", 1.03, {1.03, 1.03, 1.03}, Verdict::regressed, "ratio_and_cycles_above_margin"},
        Row{"cycles undecided", 1.03, {1.03, 1.0098, 1.03}, Verdict::regressed, "ratio_above_margin"},
        Row{"cycles acquit", 1.03, {1.03, 1.0, 1.03}, Verdict::inconclusive, "witnesses_disagree"},
        Row{"cycles and time acquit", 1.03, {1.03, 1.0, 1.0}, Verdict::pass, "reference_moved"},
        Row{"only time moved", 1.03, {1.0, 1.0, 1.2}, Verdict::pass, "change_within_margin"},
        Row{"not repeated", 1.03, {1.0, 1.0, 1.0}, Verdict::pass, "change_within_margin"},
        Row{"on the margin", 1.03, {1.0099, 1.0099, 1.0}, Verdict::pass, "not_confirmed"},
        Row{"just beyond the margin", 1.03, {1.0105, 1.0105, 1.0}, Verdict::inconclusive, "not_significant"},
        Row{"faster in everything", 0.97, {0.97, 0.97, 0.97}, Verdict::improved, "ratio_and_cycles_improved"},
        Row{"ratio faster, cycles not", 0.97, {0.97, 1.0, 0.97}, Verdict::pass, "witnesses_disagree"},
        Row{"ratio alone faster", 0.97, {0.97, 1.0, 1.0}, Verdict::pass, "reference_moved"},
        Row{"just faster than the margin", 0.97, {0.9895, 0.9895, 1.0}, Verdict::pass, "improvement_not_significant"},
        Row{"screen slower, in truth faster", 1.03, {0.9, 0.9, 0.9}, Verdict::pass, "change_within_margin"}),
    [](auto const& row) {
      std::string name = row.param.name;
      std::replace_if(name.begin(), name.end(), [](char c) { return c == ' ' || c == ','; }, '_');
      return name;
    });

TEST(Confirm, ScreenDataConvictsNobody) {
  // The screen's session is far off; the fresh sessions are not.
  EXPECT_EQ(changed(3.0, {1, 1, 1}).decide(kCase).verdict, Verdict::pass);
}

TEST(Confirm, RegressedFailsWithItsOwnExitCode) {
  EXPECT_EQ(changed(1.03, {1.03, 1.03, 1.03}).decide().exit_code, ExitCode::regressed);
  EXPECT_EQ(changed(0.97, {0.97, 0.97, 0.97}).decide().exit_code, ExitCode::ok);
}

TEST(Confirm, ReasonCarriesItsNumbers) {
  CaseDecision const decision = changed(1.03, {1.03, 1.03, 1.03}).decide(kCase);
  EXPECT_THAT(decision.reason, HasSubstr("ratio +3.00 %"));
  EXPECT_THAT(decision.reason, HasSubstr("allowed 1.00 %"));
}

TEST(Confirm, InconclusiveSaysWhatWouldHaveBeenSeen) {
  CaseDecision const decision = changed(1.03, {1.0105, 1.0105, 1.0}).decide(kCase);
  ASSERT_TRUE(decision.detectable);
  EXPECT_GT(*decision.detectable, 0.0105);
  EXPECT_LT(*decision.detectable, 0.02);
}

TEST(Confirm, WithoutRatioCyclesConvictAlone) {
  World world;
  Session const control{.ratio = 0};
  world.stored(kCase, sessions(quiet(), control))
      .screened(kCase, slower(sessions({1.0}, control), 1.03))
      .confirmed(kCase, slower(sessions(quiet_fresh(), control), 1.03));
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.reason_code, "cycles_above_margin");
  EXPECT_FALSE(decision.ratio);
}

TEST(Confirm, OnTheCpuTheRatioConvictsUnlessTimeContradicts) {
  Session const cpu{.ratio = 2, .cycles = 0};
  for (double const time_factor : {1.3, 1.0}) {
    World world;
    world.policy.margin = 0.1;
    Session const now{.ratio = 2 * 1.3, .cycles = 0, .time_ns = 5e5 * time_factor};
    world.stored(kCase, sessions(quiet(), cpu))
        .screened(kCase, sessions({1.0}, now))
        .confirmed(kCase, sessions(quiet_fresh(), now));
    EXPECT_EQ(world.decide(kCase).reason_code, time_factor > 1 ? "ratio_and_time_above_margin" : "witnesses_disagree");
  }
}

TEST(Confirm, OnTheCpuTimeConvictsAControl) {
  World world;
  Session const control{.ratio = 0, .cycles = 0};
  world.stored(kCase, sessions(quiet(), control))
      .screened(kCase, slower(sessions({1.0}, control), 1.25))
      .confirmed(kCase, slower(sessions(quiet_fresh(), control), 1.25));
  EXPECT_EQ(world.decide(kCase).reason_code, "time_above_margin");
}

TEST(Confirm, ALostClockIsNotReplacedByTime) {
  World world;
  world.stored(kCase, sessions(quiet(), {.ratio = 0})).screened(kCase, sessions({1.0}, {.ratio = 0, .cycles = 0}));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::incomparable);
  EXPECT_EQ(world.decide(kCase).reason_code, "clock_unreadable");
}

/// A session whose time is `time` times as long and whose cycles are unchanged.
Session at_lower_clock(double time) { return {.ratio = 2.0, .cycles = 1e6, .time_ns = 5e5 * time}; }

TEST(Confirm, TimeThatRoseAloneIsUndecidedWhereTheRatioIsLost) {
  auto const decide = [](double time, bool other_reference) {
    World world;
    world.stored(kCase, sessions(quiet())).screened(kCase, {at_lower_clock(time)});
    if (other_reference) world.result(kCase).reference = "other@p";
    return world.decide(kCase);
  };
  CaseDecision const lost = decide(1.2, true);
  EXPECT_EQ(lost.verdict, Verdict::inconclusive) << lost.reason;
  EXPECT_EQ(lost.reason_code, "reference_changed");
  EXPECT_THAT(lost.reason, HasSubstr("time rose by 20.00 %"));
  EXPECT_FALSE(lost.at_most.has_value());
  EXPECT_EQ(decide(1.2, false).verdict, Verdict::pass) << "the reference became slower, too, so it was the clock";
  EXPECT_EQ(decide(1.01, true).verdict, Verdict::pass) << "clocks differ by this much anyway";
}

TEST(Confirm, TimeThatRoseAloneIsUndecidedWhereTheClockIsLost) {
  auto const decide = [](double time) {
    World world;
    world.stored(kCase, sessions(quiet()));
    world.screened(kCase, {{.ratio = 2.0, .cycles = 0, .time_ns = 5e5 * time}});
    return world.decide(kCase);
  };
  EXPECT_EQ(decide(1.2).reason_code, "clock_unreadable");
  EXPECT_EQ(decide(1.2).verdict, Verdict::inconclusive);
  EXPECT_EQ(decide(1.0).verdict, Verdict::pass);
}

TEST(Confirm, ChangesBelowTheFloorAreNoRegression) {
  World world = changed(1.03, {1.03, 1.03, 1.03});
  world.policy.floor_ns = 0.029 * 5e5;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed);
  world.policy.floor_ns = 0.031 * 5e5;
  EXPECT_EQ(world.decide(kCase).reason_code, "below_floor");
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass);
}

TEST(Confirm, HolmHoldsTheErrorRateOverAllFlaggedCases) {
  // Significant if it is the only flagged case of thirty, but not if all thirty are flagged.
  auto const decide_among = [](double screen_of_others) {
    World world = changed(1.03, {1.0115, 1.0115, 1.0115});
    for (int i = 0; i < 29; ++i) {
      std::string const id = fmt::format("other{}@p", i);
      world.stored(id, sessions(quiet())).screened(id, sessions({screen_of_others}));
      world.confirmed(id, sessions(quiet_fresh()));
    }
    return world.decide(kCase);
  };
  EXPECT_EQ(decide_among(1.0).verdict, Verdict::regressed) << decide_among(1.0).reason;
  EXPECT_EQ(decide_among(1.03).reason_code, "not_significant") << decide_among(1.03).reason;
  EXPECT_GT(*decide_among(1.03).detectable, *decide_among(1.0).detectable);
}

TEST(Confirm, FreshSessionsThatDisagreeAreNoise) {
  World world;
  std::vector<double> const wild = {0.95, 1.2, 1.0, 1.15};
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03})).confirmed(kCase, sessions(wild));
  EXPECT_GT(world.decide(kCase).ratio->sd, 0.05)
      << "the scatter of fresh sessions must count although the stored ones are quiet";
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::inconclusive);
  EXPECT_EQ(world.decide(kCase).reason_code, "sessions_differ");
}

TEST(Confirm, AFlaggedCaseThatCrashesWhenMeasuredAgainIsCrashed) {
  World world = changed(1.03, {1.03, 1.03, 1.03});
  world.saw(kCase, model::CaseStatus::crashed);
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::crashed);
}

}  // namespace
}  // namespace perfcheck::gate::testing
