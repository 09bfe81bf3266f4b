// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Other cards, other libraries, other references.
#include "world.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

namespace perfcheck::gate::testing {
namespace {

using model::ExitCode;
using model::Verdict;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string const kCase = "k@p";

TEST(Environment, TheSameEverywhereNeedsNoNote) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  EXPECT_THAT(world.decide().notes, IsEmpty());
}

TEST(Environment, DifferencesAreNoted) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  world.baseline.sessions[0].power_limit_w = 700;
  for (auto& session : world.baseline.sessions) {
    session.power_limit_w = 700;
  }
  world.measured_on.driver = "590.2";
  world.measured_on.power_limit_w = 500;
  world.measured_on.device_uuid = "GPU-z";
  auto const notes = world.decide().notes;
  EXPECT_THAT(notes, Contains(HasSubstr("driver is 590.2 now; the baseline was measured with 580.1")));
  EXPECT_THAT(notes, Contains(HasSubstr("power limit is 500 W")));
  EXPECT_THAT(notes, Contains(HasSubstr("GPU-z")));
}

TEST(Environment, AnotherLibraryVersionLetsCyclesStandIn) {
  World world;
  Session const now{.ratio = 2 * 1.5, .cycles = 1e6, .time_ns = 5e5};  // the reference became faster
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}, now));
  world.measured_on.libraries[kLibrary] = "14.0";
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass);
  EXPECT_FALSE(decision.ratio);
  EXPECT_THAT(decision.reason, HasSubstr("cublas 14.0 now, in the baseline from 13.1"));
  EXPECT_THAT(world.decide().notes, Contains(HasSubstr("cublas is 14.0 now")));
}

TEST(Environment, AnotherVersionOfSomeOtherLibraryLeavesTheRatio) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  world.measured_on.libraries["cudnn"] = "9.1";
  EXPECT_TRUE(world.decide(kCase).ratio);
}

TEST(Environment, UnderAnotherLibraryVersionCyclesConvict) {
  World world;
  world.stored(kCase, sessions(quiet()))
      .screened(kCase, sessions({1.03}))
      .confirmed(kCase, slower(sessions(quiet_fresh()), 1.03));
  world.measured_on.libraries[kLibrary] = "14.0";
  EXPECT_EQ(world.decide(kCase).reason_code, "cycles_above_margin");
}

TEST(Environment, TheRatioIsJudgedBySessionsOfTheSameLibraryVersion) {
  // Four sessions with the old library, three with the new one, whose reference is twice as fast.
  World world;
  std::vector<Session> stored = sessions({1.0, 1.001, 0.999, 1.0}, {.ratio = 2});
  for (Session const& session : sessions({1.0, 1.001, 0.999}, {.ratio = 4})) {
    stored.push_back(session);
  }
  world.stored(kCase, stored).screened(kCase, sessions({1.0}, {.ratio = 4}));
  for (std::size_t i = 4; i < 7; ++i) {
    world.baseline.sessions[i].libraries[kLibrary] = "14.0";
  }
  world.measured_on.libraries[kLibrary] = "14.0";
  CaseDecision const decision = world.decide(kCase);
  ASSERT_TRUE(decision.ratio);
  EXPECT_EQ(decision.ratio->baseline_sessions, 3);
  EXPECT_EQ(decision.cycles->baseline_sessions, 7);
  EXPECT_EQ(decision.verdict, Verdict::pass);
}

TEST(Environment, AnotherReferenceLetsCyclesStandIn) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  world.baseline.cases[kCase].reference = "old@p";
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass);
  EXPECT_FALSE(decision.ratio);
  EXPECT_THAT(decision.reason, HasSubstr("in the baseline old@p"));
}

TEST(Environment, WithoutClocksALostRatioCannotBeReplaced) {
  for (bool const other_reference : {true, false}) {
    World world;
    world.stored(kCase, sessions(quiet(), {.cycles = 0})).screened(kCase, sessions({1.0}, {.cycles = 0}));
    if (other_reference) {
      world.baseline.cases[kCase].reference = "old@p";
    } else {
      world.measured_on.libraries[kLibrary] = "14.0";
    }
    CaseDecision const decision = world.decide(kCase);
    EXPECT_EQ(decision.verdict, Verdict::incomparable);
    EXPECT_EQ(decision.reason_code, other_reference ? "reference_changed" : "reference_library_changed");
    EXPECT_THAT(decision.reason, HasSubstr("baseline accept"));
  }
}

/// Sessions on two cards that have equal ratios and differ by the factor `cycles_step` in cycles.
World two_cards(double cycles_step) {
  World world;
  world.cards = {"GPU-a", "GPU-a", "GPU-a", "GPU-a", "GPU-b"};
  std::vector<Session> stored = sessions({1.0, 1.001, 0.999, 1.0});
  for (Session const& session : sessions({1.0, 1.001, 0.999, 1.0}, {.cycles = 1e6 * cycles_step})) {
    stored.push_back(session);
  }
  world.stored(kCase, stored);
  return world;
}

TEST(Cards, AKnownCardIsJudgedAgainstItself) {
  World world = two_cards(1.06);
  world.measured_on.device_uuid = "GPU-b";
  world.screened(kCase, sessions({1.0}, {.cycles = 1e6 * 1.06}));
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.cycles->baseline_sessions, 4);
  EXPECT_NEAR(decision.cycles->change, 0, 1e-3);
  EXPECT_NEAR(decision.margin, 0.01, 1e-9);
}

TEST(Cards, AnUnknownCardWidensTheMarginAndSaysSo) {
  World world = two_cards(1.0);
  world.measured_on.device_uuid = "GPU-c";
  world.screened(kCase, sessions({1.012}));
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass);
  // Equal cards do not reduce the assumed spread: t(0.975, 5) = 2.5706, times 0.5 % * sqrt(1 + 1/2).
  EXPECT_NEAR(decision.margin, 1.01 * std::exp(2.5706 * 0.005 * std::sqrt(1.5)) - 1, 1e-4);
  EXPECT_THAT(decision.reason, HasSubstr("does not know this card"));
}

TEST(Cards, ThatWereTimedInAnotherWayAreNoBetterKnownThanOthers) {
  World world = two_cards(1.0);
  world.measured_on.device_uuid = "GPU-b";
  world.screened(kCase, sessions({1.012}));
  EXPECT_NE(world.decide(kCase).verdict, Verdict::pass);
  world.measured_on.timing = 2;
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass);
  EXPECT_NEAR(decision.margin, 1.01 * std::exp(2.5706 * 0.005 * std::sqrt(1.5)) - 1, 1e-4);
  EXPECT_THAT(world.decide().notes, ::testing::Contains(HasSubstr("times in another way now (2)")));
  for (auto& session : world.baseline.sessions) session.timing = 2;
  EXPECT_NE(world.decide(kCase).verdict, Verdict::pass)
      << "with the card and the way of timing known, the decision must be as before";
}

TEST(Cards, ThreePercentIsStillFoundOnAnUnknownCard) {
  World world = two_cards(1.0);
  world.measured_on.device_uuid = "GPU-c";
  world.screened(kCase, sessions({1.03})).confirmed(kCase, slower(sessions(quiet_fresh()), 1.03));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(Cards, WhereCyclesDifferFromCardToCardTheyNeitherAcquitNorConvict) {
  World world = two_cards(1.05);
  world.measured_on.device_uuid = "GPU-c";
  // This card needs 5 % fewer cycles than the first one, so cycles do not show the change.
  Session const now{.ratio = 2 * 1.04, .cycles = 1e6 * 1.04 * 0.95, .time_ns = 5e5 * 1.04};
  world.screened(kCase, sessions({1.0}, now)).confirmed(kCase, sessions(quiet_fresh(), now));
  EXPECT_EQ(world.decide(kCase).decided_by, "ratio");
  EXPECT_EQ(world.decide(kCase).reason_code, "unknown_card") << world.decide(kCase).reason;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::inconclusive) << world.decide(kCase).reason;
  EXPECT_THAT(world.decide(kCase).reason, HasSubstr("perfcheck ab"));
}

TEST(Cards, CyclesThatRoseAsMuchAsTheRatioExcuseNothing) {
  // On an unknown card, each of 12 cases needs more than 4.2 % of cycles to be significant. That its cycles stay below
  // this is no sign of a fallen clock.
  World world;
  world.measured_on.device_uuid = "GPU-c";
  for (int i = 0; i < 12; ++i) {
    std::string const id = fmt::format("k{}@p", i);
    world.stored(id, sessions(quiet())).screened(id, slower(sessions({1.0}), 1.042));
    world.confirmed(id, slower(sessions(quiet_fresh()), 1.042));
  }
  Decisions const decisions = world.decide();
  EXPECT_NE(decisions.exit_code, model::ExitCode::ok);
  for (CaseDecision const& decision : decisions.cases) {
    EXPECT_EQ(decision.decided_by, "cycles");
    EXPECT_NE(decision.verdict, Verdict::pass) << decision.reason;
  }
}

TEST(Cards, CasesThatDifferBetweenKnownCardsGetMoreRoomOnAnUnknownOne) {
  auto const margin = [](double step) {
    World world;
    world.cards = {"GPU-a", "GPU-a", "GPU-a", "GPU-a", "GPU-b"};
    std::vector<Session> stored = sessions({1.0, 1.001, 0.999, 1.0});
    for (Session const& session : slower(sessions({1.0, 1.001, 0.999, 1.0}), step)) {
      stored.push_back(session);
    }
    world.stored(kCase, stored).screened(kCase, sessions({1.0}));
    world.measured_on.device_uuid = "GPU-c";
    return world.decide(kCase).margin;
  };
  EXPECT_GT(margin(1.02), margin(1.0) + 0.005);
}

/// Cases of libraries, slower than stored by the factors `controls`, and one case that fresh sessions confirm to be
/// `change` times as slow.
World beside_controls(std::vector<double> const& controls, double change) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({change}));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), change));
  for (std::size_t i = 0; i < controls.size(); ++i) {
    std::string const id = fmt::format("control{}@p", i);
    Session const control{.ratio = 0};
    world.stored(id, sessions(quiet(), control)).screened(id, slower(sessions({1.0}, control), controls[i]));
    world.of_library(id);
  }
  return world;
}

TEST(Environment, ControlsThatMovedTogetherInvalidateTheRun) {
  for (double const change : {1.03, 0.97}) {
    World const world = beside_controls({1.02, 1.02, 1.02, 1, 1, 1, 1, 1}, change);
    CaseDecision const decision = world.decide(kCase);
    EXPECT_EQ(decision.verdict, Verdict::incomparable) << decision.reason;
    EXPECT_EQ(decision.reason_code, "environment_moved");
    EXPECT_FALSE(decision.wants_confirmation);
    EXPECT_THAT(decision.reason, HasSubstr("3 of 9 libraries' kernels and references"));
    EXPECT_EQ(world.decide().exit_code, ExitCode::undecided);
    EXPECT_THAT(world.decide().notes, ::testing::Contains(HasSubstr("perfcheck doctor")));
  }
}

TEST(Environment, OnASharedDeviceNeighboursMoveControls) {
  World world = beside_controls({1.02, 1.02, 1.02, 1.02, 1, 1, 1, 1}, 1.03);
  world.policy.shared_device = true;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed);
}

TEST(Environment, OneControlThatMovedDoesNot) {
  EXPECT_EQ(beside_controls({1.05, 1, 1, 1, 1, 1, 1, 1}, 1.03).decide(kCase).verdict, Verdict::regressed);
}

TEST(Environment, ControlsThatMovedApartDoNot) {
  EXPECT_EQ(beside_controls({1.05, 0.95, 1, 1, 1, 1, 1, 1}, 1.03).decide(kCase).verdict, Verdict::regressed);
}

TEST(Environment, TooFewControlsSayNothing) {
  EXPECT_EQ(beside_controls({1.05, 1.05, 1.05}, 1.03).decide(kCase).verdict, Verdict::regressed);
}

TEST(Environment, ACaseThatPassesStillPasses) {
  EXPECT_EQ(beside_controls({1.02, 1.02, 1.02, 1, 1, 1, 1, 1}, 1.0).decide(kCase).verdict, Verdict::pass);
}

TEST(Environment, AllOwnKernelsSlowerBesideReferencesThatAreNotIsTheCodes) {
  // Even with equal machine code: a table, an argument or a callee may differ.
  World world;
  for (int i = 0; i < 12; ++i) {
    std::string const id = fmt::format("own{}@p{}", i, i);
    world.stored(id, sessions(quiet())).screened(id, sessions({3.0}));
    world.confirmed(id, slower(sessions(quiet_fresh()), 3.0));
    for (std::size_t j = 0; j < 5; ++j) {
      world.result(id, j).launches.front().machine_code = "abc";
    }
    world.baseline.cases[id].machine_code = model::machine_code_of(world.result(id));
  }
  Decisions const decisions = world.decide();
  EXPECT_EQ(decisions.exit_code, ExitCode::regressed);
  for (CaseDecision const& decision : decisions.cases) {
    EXPECT_EQ(decision.verdict, Verdict::regressed) << decision.reason;
  }
}

TEST(Environment, ReferencesThatMovedAreControlsThoughNobodyMeasuredThemAlone) {
  World world;
  for (int i = 0; i < 12; ++i) {
    std::string const id = fmt::format("own{}@p{}", i, i);
    Session const now{.ratio = 2.0, .cycles = 1.1e6, .time_ns = 5.5e5};  // case and reference are both 10 % slower
    world.stored(id, sessions(quiet())).screened(id, sessions({1.0}, now)).confirmed(id, sessions(quiet_fresh(), now));
  }
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03}));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), 1.03));
  EXPECT_EQ(world.decide(kCase).reason_code, "environment_moved") << world.decide(kCase).reason;
  EXPECT_EQ(world.decide().exit_code, ExitCode::undecided);
}

}  // namespace
}  // namespace perfcheck::gate::testing
