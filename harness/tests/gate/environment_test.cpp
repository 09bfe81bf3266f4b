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

/// Sessions on two cards that differ by nothing in the ratio and by `cycles_step` in cycles.
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
  // Equal cards do not make the assumed spread smaller: t(0.975, 5) = 2.5706, times 0.5 % * sqrt(1 + 1/2).
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
  EXPECT_NE(world.decide(kCase).verdict, Verdict::pass) << "one who knows this card and this way decides as before";
}

TEST(Cards, ThreePercentIsStillFoundOnAnUnknownCard) {
  World world = two_cards(1.0);
  world.measured_on.device_uuid = "GPU-c";
  world.screened(kCase, sessions({1.03})).confirmed(kCase, slower(sessions(quiet_fresh()), 1.03));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(Cards, WhereCyclesDifferFromCardToCardTheyDoNotAcquit) {
  World world = two_cards(1.05);
  world.measured_on.device_uuid = "GPU-c";
  // This card needs 5 % fewer cycles than the first, which hides the change from them.
  Session const now{.ratio = 2 * 1.04, .cycles = 1e6 * 1.04 * 0.95, .time_ns = 5e5 * 1.04};
  world.screened(kCase, sessions({1.0}, now)).confirmed(kCase, sessions(quiet_fresh(), now));
  EXPECT_EQ(world.decide(kCase).decided_by, "ratio");
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
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

/// A case that is its own control, 12 % slower than stored.
World moved_control() {
  Session const control{.ratio = 0};
  World world;
  world.stored(kCase, sessions(quiet(), control)).screened(kCase, slower(sessions({1.0}, control), 1.12));
  return world;
}

TEST(Controls, ALibraryKernelOfUnchangedVersionCannotRegress) {
  for (char const* card : {kCard, "GPU-z"}) {
    World world = moved_control();
    world.of_library(kCase);
    world.measured_on.device_uuid = card;
    EXPECT_EQ(world.decide(kCase).reason_code, "control_moved") << card;
    EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << card;
    EXPECT_TRUE(world.decide(kCase).library_control);
  }
}

TEST(Controls, OneThatIsNotALibrarysIsJudged) { EXPECT_TRUE(moved_control().decide(kCase).wants_confirmation); }

TEST(Controls, OneThatLaunchesSomethingElseIsJudged) {
  // Less workspace, say: the library then chooses another of its kernels.
  World world = moved_control();
  world.of_library(kCase).result(kCase).launches.front().function = "g";
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Controls, OneWhoseLaunchesAreNotKnownIsJudged) {
  World world = moved_control();
  world.of_library(kCase).result(kCase).launches.clear();
  world.baseline.cases[kCase].launches.clear();
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Controls, OnASharedDeviceALibraryNeedsNoLaunchesToBeOne) {
  // As on a CPU, where nothing but its time tells a slower call from a busy neighbour.
  World world = moved_control();
  world.of_library(kCase).result(kCase).launches.clear();
  world.baseline.cases[kCase].launches.clear();
  world.policy.shared_device = true;
  EXPECT_EQ(world.decide(kCase).reason_code, "control_moved");
  world.result(kCase).injected_percent = 12;
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Controls, UnknownMachineCodeMakesNone) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03}));
  world.policy.shared_device = true;
  world.result(kCase).launches.clear();
  world.baseline.cases[kCase].launches.clear();
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Controls, OneOfAnotherVersionIsJudged) {
  World world = moved_control();
  world.of_library(kCase);
  world.measured_on.libraries[kLibrary] = "14.0";
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Controls, AnInjectedSlowdownIsNotExcused) {
  World world = moved_control();
  world.of_library(kCase);
  world.result(kCase).injected_percent = 12;
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Controls, OnesThatMovedDoNotMakeOthersHarderToConvict) {
  // Significant as the only suspect, not as one of thirty (Confirm.HolmHoldsTheErrorRateOverAllFlaggedCases).
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03}));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), 1.0115));
  for (int i = 0; i < 174; ++i) {  // one in six moved: not so many that the machine did
    std::string const id = fmt::format("control{}@p", i);
    Session const control{.ratio = 0};
    double const factor = i % 6 == 0 ? 1.03 : 1.0;
    world.stored(id, sessions(quiet(), control)).screened(id, slower(sessions({1.0}, control), factor));
    world.confirmed(id, sessions(quiet_fresh(), control)).of_library(id);
  }
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

/// Eight controls and one case that fresh sessions confirm to be `change` times as slow.
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
    World const world = beside_controls({1.02, 1.02, 1, 1, 1, 1, 1, 1}, change);
    CaseDecision const decision = world.decide(kCase);
    EXPECT_EQ(decision.verdict, Verdict::incomparable) << decision.reason;
    EXPECT_EQ(decision.reason_code, "environment_moved");
    EXPECT_FALSE(decision.wants_confirmation);
    EXPECT_THAT(decision.reason, HasSubstr("2 of 8 controls"));
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

/// A case 3 % slower than stored whose machine code is known.
World of_known_code(std::string const& stored, std::string const& now) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03}));
  model::LaunchAttributes& launch = world.result(kCase).launches.front();
  launch.machine_code = stored;
  world.baseline.cases[kCase].machine_code = model::machine_code_of(world.result(kCase));
  launch.machine_code = now;
  return world;
}

TEST(Controls, EqualMachineCodeCannotRegress) {
  CaseDecision const decision = of_known_code("abc", "abc").decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass);
  EXPECT_EQ(decision.reason_code, "control_moved");
  EXPECT_TRUE(of_known_code("abc", "abd").decide(kCase).wants_confirmation);
  EXPECT_TRUE(of_known_code("", "").decide(kCase).wants_confirmation) << "code that nobody could read is not equal";
}

TEST(Controls, EqualMachineCodeLaunchedInAnotherWayIsJudged) {
  World world = of_known_code("abc", "abc");
  world.result(kCase).launches.front().grid = {7, 1, 1};
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Controls, EqualMachineCodeIsJudgedWhereThePolicySaysSo) {
  World world = of_known_code("abc", "abc");
  world.policy.equal_code_is_control = false;
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(ConfirmBase, ConfirmationComparesWithTheBaseBuildMeasuredBesideIt) {
  // The machine is 3 % slower than when the baseline was stored, for the base build as well.
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03}));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), 1.03));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed);
  World base;
  base.stored(kCase, slower(sessions(quiet_fresh()), 1.03));
  world.confirm_base = &base.baseline;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << world.decide(kCase).reason;
  EXPECT_EQ(world.decide(kCase).ratio->baseline_sessions, 4);
  EXPECT_EQ(world.decide(kCase).reason_code, "change_within_margin") << "the screen has asked, whatever the base says";
  base.stored(kCase, sessions(quiet_fresh()));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(ConfirmBase, OnACardThatTheBaselineDoesNotKnowTheBaseBuildNeedsNoAllowance) {
  World world, base;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.05}));
  world.measured_on.device_uuid = base.measured_on.device_uuid = "GPU-z";
  base.cards = {"GPU-z"};
  base.stored(kCase, sessions(quiet_fresh()));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), 1.015));
  EXPECT_NE(world.decide(kCase).verdict, Verdict::regressed);
  world.confirm_base = &base.baseline;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
  EXPECT_NEAR(world.decide(kCase).margin, 0.01, 1e-12);
}

}  // namespace
}  // namespace perfcheck::gate::testing
