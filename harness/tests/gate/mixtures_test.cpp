// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What medians and means do not show: only some rounds are slow, or only some processes.
#include "world.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <random>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::HasSubstr;

constexpr char const* kCase = "k@p";

/// Gives a session rounds of which `slow` in ten are `factor` times as long.
void lengthen(model::CaseResult& result, int slow, double factor) {
  model::Rounds& rounds = *result.rounds;
  double const time = rounds.time_ns[1], reference = rounds.reference_time_ns[1];
  std::vector<double> const clock(10, rounds.clock_mhz[1]);
  rounds.time_ns.assign(10, time);
  rounds.reference_time_ns.assign(10, reference);
  rounds.clock_mhz = rounds.reference_clock_mhz = clock;
  for (int i = 0; i < slow; ++i) {
    rounds.time_ns[static_cast<std::size_t>(2 * i)] *= factor;
  }
}

/// A case with an unchanged median; in the screen and in `tailed` of six fresh sessions, `slow` of ten rounds are
/// longer.
World with_tail(int tailed, int slow, double factor) {
  World world;
  std::vector<double> const fresh = {1.0002, 0.9991, 1.0008, 0.9999, 1.0001, 0.9996};
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0})).confirmed(kCase, sessions(fresh));
  lengthen(world.result(kCase, 0), slow, factor);
  for (int i = 0; i < tailed; ++i) {
    lengthen(world.result(kCase, static_cast<std::size_t>(1 + i)), slow, factor);
  }
  return world;
}

TEST(Tail, FortyPercentOfTheRoundsAHundredTimesSlowerIsARegression) {
  CaseDecision const decision = with_tail(6, 4, 100).decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::regressed) << decision.reason;
  EXPECT_EQ(decision.reason_code, "new_tail");
  EXPECT_THAT(decision.reason, HasSubstr("in 6 of 6 sessions"));
  EXPECT_NEAR(decision.ratio->change, 0, 0.005) << "the medians must not show the slow rounds";
}

TEST(Tail, OneRoundInTenTwiceAsLongIsEnough) {
  EXPECT_EQ(with_tail(6, 1, 2).decide(kCase).reason_code, "new_tail");
  EXPECT_EQ(with_tail(3, 1, 2).decide(kCase).reason_code, "new_tail");
}

TEST(Tail, OfAFreshSessionKeepsALookOpenThatExcludesASlowdown) {
  auto const open = [](bool tail) {
    World world;
    world.stored(kCase, sessions({1.0, 1.002, 0.998, 1.001, 0.999})).screened(kCase, sessions({1.008}));
    world.confirmed(kCase, sessions({1.001, 1.001}));
    if (tail) lengthen(world.result(kCase, 1), 4, 100);
    world.look = Look::first;
    return world.decide(kCase).wants_confirmation;
  };
  EXPECT_FALSE(open(false));
  EXPECT_TRUE(open(true));
}

TEST(Tail, OfTheScreenKeepsEarlyLooksOpen) {
  for (Look const look : {Look::glance, Look::first}) {
    World world = with_tail(0, 4, 100);
    world.look = look;
    EXPECT_TRUE(world.decide(kCase).wants_confirmation) << "the fresh sessions may have missed it by chance";
    EXPECT_FALSE([&] {
      World quiet_screen;
      quiet_screen.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
      quiet_screen.confirmed(kCase, sessions({1.0}));
      quiet_screen.look = look;
      return quiet_screen.decide(kCase).wants_confirmation;
    }());
  }
}

TEST(Tail, TheScreenOnlyAsks) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  lengthen(world.result(kCase), 4, 100);
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::inconclusive);
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Tail, ThatFreshSessionsDoNotRepeatIsTold) {
  CaseDecision const decision = with_tail(1, 4, 100).decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass) << decision.reason;
  EXPECT_THAT(decision.reason, HasSubstr("in 1 of 6 sessions"));
}

TEST(Tail, ThatTheBaselineHasTooIsNotNew) {
  World world = with_tail(4, 1, 2);
  world.baseline.cases[kCase].tail = {1.1, 1.1, 1.1, 1.0, 1.1};
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << world.decide(kCase).reason;
  world.baseline.cases[kCase].tail = {1.0, 1.0, 1.0, 1.0, 1.0};
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed);
}

TEST(Tail, ThatTheBaselineHasTooIsNoExcuseForALongerOne) {
  World world = with_tail(4, 4, 100);
  world.baseline.cases[kCase].tail = {1.1, 1.1, 1.1, 1.0, 1.1};
  EXPECT_EQ(world.decide(kCase).reason_code, "new_tail") << world.decide(kCase).reason;
}

TEST(Tail, IsLongerOnACardThatTheBaselineDoesNotKnow) {
  World world = with_tail(6, 1, 1.4);  // slow rounds cost 4 % on average
  EXPECT_EQ(world.decide(kCase).reason_code, "new_tail") << world.decide(kCase).reason;
  world.measured_on.device_uuid = "GPU-z";
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << world.decide(kCase).reason;
  World longer = with_tail(6, 2, 2);
  longer.measured_on.device_uuid = "GPU-z";
  EXPECT_EQ(longer.decide(kCase).reason_code, "new_tail") << longer.decide(kCase).reason;
}

TEST(Tail, OnASharedDeviceBesideABaseBuildThatHasItTooIsNotNew) {
  World world = with_tail(6, 4, 100);
  world.policy.shared_device = true;
  model::Baseline base = world.baseline;
  base.cases[kCase].tail = {40, 40, 40, 40, 40};
  world.confirm_base = &base;
  EXPECT_NE(world.decide(kCase).reason_code, "new_tail") << "the base build has the tail, too, so it is not new";
  std::swap(base.cases[kCase].tail, world.baseline.cases[kCase].tail);
  base.cases[kCase].tail = {1, 1, 1, 1, 1};
  EXPECT_EQ(world.decide(kCase).reason_code, "new_tail") << "the base build has no tail, whatever was stored";
}

TEST(Tail, OfSlowRoundsThatCostLittleIsNone) { EXPECT_EQ(with_tail(6, 1, 1.2).decide(kCase).verdict, Verdict::pass); }

TEST(Tail, OnASharedDeviceMayBeNeighbours) {
  World world = with_tail(6, 4, 100);
  world.policy.shared_device = true;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::inconclusive);
}

TEST(Tail, FalseAlarmsKeepTheirRate) {
  // Sessions of equal code that have a tail as often as the policy assumes: at most one check in twenty may report it.
  std::mt19937_64 random(7);
  Policy const policy;
  std::bernoulli_distribution tail(policy.tail_rate);
  int alarms = 0;
  constexpr int kChecks = 300;
  for (int check = 0; check < kChecks; ++check) {
    World world;
    for (int i = 0; i < 60; ++i) {
      std::string const id = fmt::format("k{}@p", i);
      world.stored(id, sessions(quiet())).screened(id, sessions({1.0}));
      world.confirmed(id, sessions({1.0002, 0.9991, 1.0008, 0.9999, 1.0001, 0.9996}));
      for (std::size_t j = 0; j < 7; ++j) {
        if (tail(random)) lengthen(world.result(id, j), 3, 3);
      }
    }
    alarms += world.decide().exit_code == model::ExitCode::regressed ? 1 : 0;
  }
  EXPECT_LE(alarms, kChecks / 20);
}

TEST(Mixture, HalfOfTheProcessesSlowerIsToldAndIsNotGreen) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.05}));
  world.confirmed(kCase, sessions({1.05, 1.0002, 1.0498, 0.9995, 1.0001, 1.0503}));
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive) << decision.reason;
  EXPECT_EQ(decision.reason_code, "sessions_differ");
  EXPECT_THAT(decision.reason, HasSubstr("3 of 6 fresh sessions"));
}

TEST(Mixture, ThatTheScreenMissedIsSeenWhereMoreSessionsWereMeasured) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  world.confirmed(kCase, sessions({1.05, 1.0002, 1.0498, 0.9995, 1.0001, 1.0503}));
  EXPECT_EQ(world.decide(kCase).reason_code, "sessions_differ") << world.decide(kCase).reason;
}

TEST(Mixture, ThatTheBaselineHasTooIsNoNews) {
  World world;
  world.stored(kCase, sessions({1.05, 1.0, 1.05, 1.0, 1.05, 1.0, 1.05, 1.0})).screened(kCase, sessions({1.0}));
  world.confirmed(kCase, sessions({1.05, 1.0002, 1.0498, 0.9995, 1.0001, 1.0503}));
  EXPECT_NE(world.decide(kCase).reason_code, "sessions_differ") << world.decide(kCase).reason;
}

TEST(Centre, OneSessionOfEightThatTookTwiceAsLongHidesNothing) {
  for (double const odd : {2.0, 10.0}) {
    World world;
    world.stored(kCase, sessions({1.0, 1.001, 0.999, odd, 1.0005, 0.9995, 1.0, 1.0002}));
    world.screened(kCase, sessions({1.08})).confirmed(kCase, slower(sessions(quiet_fresh()), 1.08));
    CaseDecision const decision = world.decide(kCase);
    EXPECT_NE(decision.verdict, Verdict::pass) << decision.reason;
    EXPECT_NEAR(decision.ratio->change, 0.08, 0.003) << decision.reason;
  }
}

TEST(Pass, SaysWhatItExcludes) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.001}));
  CaseDecision const decision = world.decide(kCase);
  ASSERT_EQ(decision.verdict, Verdict::pass) << decision.reason;
  ASSERT_TRUE(decision.at_most);
  EXPECT_DOUBLE_EQ(*decision.at_most, decision.deciding()->high);
  EXPECT_GT(*decision.at_most, 0.001);
  EXPECT_LT(*decision.at_most, world.policy.margin);
}

TEST(Pass, OfACardThatTheBaselineDoesNotKnowExcludesLess) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.001}));
  double const known = world.decide(kCase).at_most.value();
  world.measured_on.device_uuid = "GPU-z";
  EXPECT_GT(world.decide(kCase).at_most.value(), known + 0.005);
}

TEST(Pass, ThatCouldNotHaveSeenWhatThePolicyAsksForIsNone) {
  World world;
  world.policy.max_detectable = 0.05;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass);
  // Half of the stored sessions are twice as slow: that hides any change of what is measured now.
  World blind;
  blind.policy.max_detectable = 0.05;
  blind.stored(kCase, sessions({1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0})).screened(kCase, sessions({1.3}));
  blind.confirmed(kCase, slower(sessions(quiet_fresh()), 1.3));
  EXPECT_EQ(blind.decide(kCase).verdict, Verdict::inconclusive) << blind.decide(kCase).reason;
  EXPECT_EQ(blind.decide(kCase).reason_code, "could_not_see");
  EXPECT_FALSE(blind.decide(kCase).at_most);
}

/// Decides about a case that is slower by `factor` on a card that the baseline does not know, beside `others` unchanged
/// cases.
CaseDecision on_unknown_card(double factor, int others) {
  World world;
  world.measured_on.device_uuid = "GPU-z";
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({factor}));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), factor));
  for (int i = 0; i < others; ++i) {
    std::string const id = fmt::format("other{}@p", i);
    world.stored(id, sessions(quiet())).screened(id, sessions({1.0}));
  }
  return world.decide(kCase);
}

TEST(Cards, OneOfManyCasesIsOffByChanceOnACardThatTheBaselineDoesNotKnow) {
  // Fresh sessions repeat the card's own difference, so all cases that were looked at count, not only the flagged ones.
  EXPECT_EQ(on_unknown_card(1.05, 0).verdict, Verdict::regressed) << on_unknown_card(1.05, 0).reason;
  CaseDecision const decision = on_unknown_card(1.05, 100);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive) << decision.reason;
  EXPECT_THAT(decision.reason, HasSubstr("perfcheck ab"));
  EXPECT_EQ(on_unknown_card(1.3, 100).verdict, Verdict::regressed) << on_unknown_card(1.3, 100).reason;
  EXPECT_EQ(on_unknown_card(1.01, 100).verdict, Verdict::pass) << on_unknown_card(1.01, 100).reason;
}

TEST(Days, WidenWhatAKnownCardMayBeOffBy) {
  auto const high = [](std::string const& started) {
    World world;
    world.measured_on.started = "2026-11-21T08:00:00Z";
    world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
    world.measured_on.started = started;
    return world.decide(kCase).ratio->high;
  };
  EXPECT_EQ(high("2026-11-21T08:30:00Z"), high("2026-11-21T10:30:00Z"))
      << "both are close enough to the stored session to count as the same occasion";
  EXPECT_GT(high("2026-11-22T08:00:00Z"), high("2026-11-21T08:30:00Z"));
}

TEST(Days, ThatDifferInTheBaselineAreAllowedFor) {
  auto const decide = [](double step) {
    World world;
    std::vector<double> factors;
    for (int day = 0; day < 4; ++day) {
      for (double const factor : {1.0, 1.001, 0.9995}) factors.push_back(factor * (day % 2 == 0 ? 1 : step));
    }
    world.stored(kCase, sessions(factors));
    for (std::size_t i = 0; i < factors.size(); ++i) {
      world.baseline.sessions[i].started = fmt::format("2026-11-{:02}T08:00:00Z", 1 + i / 3);
    }
    world.measured_on.started = "2026-11-21T08:00:00Z";
    world.screened(kCase, sessions({1.02})).confirmed(kCase, slower(sessions(quiet_fresh()), 1.02));
    return world.decide(kCase);
  };
  EXPECT_EQ(decide(1.0).verdict, Verdict::regressed) << decide(1.0).reason;
  EXPECT_NE(decide(1.02).verdict, Verdict::regressed) << decide(1.02).reason;
}

}  // namespace
}  // namespace perfcheck::gate::testing
