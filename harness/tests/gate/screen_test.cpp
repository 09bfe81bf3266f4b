// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The screen: one session against the stored ones.
#include "world.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

namespace perfcheck::gate::testing {
namespace {

using model::ExitCode;
using model::Verdict;
using ::testing::HasSubstr;

std::string const kCase = "k@p";

CaseDecision screen(std::vector<double> const& stored, double factor) {
  World world;
  world.stored(kCase, sessions(stored)).screened(kCase, sessions({factor}));
  return world.decide(kCase);
}

TEST(Screen, ASmallChangeOfAQuietCasePasses) {
  CaseDecision const decision = screen(quiet(), 1.003);
  EXPECT_EQ(decision.verdict, Verdict::pass);
  EXPECT_EQ(decision.reason_code, "not_flagged");
  EXPECT_FALSE(decision.wants_confirmation);
}

TEST(Screen, AnEstimateBeyondTheMarginIsFlaggedAndNotBelieved) {
  for (double const factor : {1.03, 1 / 1.03}) {
    CaseDecision const decision = screen(quiet(), factor);
    EXPECT_EQ(decision.verdict, Verdict::inconclusive);
    EXPECT_EQ(decision.reason_code, "needs_confirmation");
    EXPECT_TRUE(decision.wants_confirmation);
  }
}

TEST(Screen, ASignificantChangeThatMayExceedTheMarginIsFlagged) {
  // sd 0.16 %: the estimate of 0.8 % is within the margin of 1 %, but its upper limit is not.
  EXPECT_TRUE(screen({1.0, 1.002, 0.998, 1.001, 0.999}, 1.008).wants_confirmation);
  EXPECT_TRUE(screen({1.0, 1.002, 0.998, 1.001, 0.999}, 1 / 1.008).wants_confirmation);
  // The same estimate of a case that scatters by 0.05 % cannot be beyond the margin.
  EXPECT_FALSE(screen({1.0, 1.0005, 0.9995, 1.0003, 0.9998}, 1.008).wants_confirmation);
  EXPECT_FALSE(screen({1.0, 1.0005, 0.9995, 1.0003, 0.9998}, 1 / 1.008).wants_confirmation);
}

TEST(Screen, AReferenceThatIsSlowByChanceDoesNotHideASlowerKernel) {
  Session const masked{.ratio = 2.0, .cycles = 1.03e6, .time_ns = 5.15e5};
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, {masked});
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
  world.confirmed(kCase, slower(sessions(quiet_fresh()), 1.03));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed);
}

TEST(Screen, AReferenceThatIsVerySlowByChanceDoesNotTurnASlowdownIntoAGain) {
  Session const masked{.ratio = 2.0 * 0.98, .cycles = 1.03e6, .time_ns = 5.15e5};
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, {masked});
  world.confirmed(kCase, slower(sessions(quiet_fresh()), 1.03));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(Screen, CyclesBringACaseToConfirmationAndDoNotConvictItThere) {
  World world;
  Session const more_cycles{.ratio = 2.0, .cycles = 1.03e6, .time_ns = 5.15e5};
  world.stored(kCase, sessions(quiet()))
      .screened(kCase, {more_cycles})
      .confirmed(kCase, sessions(quiet_fresh(), more_cycles));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass);
}

TEST(Screen, TimeAloneFlagsNothing) {
  World world;
  world.stored(kCase, sessions(quiet(), {.cycles = 0})).screened(kCase, {{.cycles = 0, .time_ns = 6e5}});
  EXPECT_EQ(world.decide(kCase).reason_code, "not_flagged");
}

TEST(Screen, ANoisyCaseIsFlaggedBecauseASlowdownCannotBeExcluded) {
  std::vector<double> const noisy = {1.0, 1.03, 0.97, 1.02, 0.98};
  for (double const factor : {0.99, 1.0, 1.02}) {
    EXPECT_TRUE(screen(noisy, factor).wants_confirmation) << factor;
  }
}

TEST(Screen, ThatACaseMayBeFasterIsNoReasonToAsk) {
  // Both are within the margin; only a slowdown has to be excluded.
  EXPECT_FALSE(screen({1.0, 1.004, 0.996, 1.002, 0.998}, 0.996).wants_confirmation);
  EXPECT_TRUE(screen({1.0, 1.004, 0.996, 1.002, 0.998}, 1.004).wants_confirmation);
}

TEST(Screen, ReportsTheWitnessesAndTheirLimits) {
  CaseDecision const decision = screen(quiet(), 1.03);
  for (std::optional<Witness> const& witness : {decision.ratio, decision.cycles, decision.time}) {
    ASSERT_TRUE(witness);
    EXPECT_NEAR(witness->change, 0.03, 1e-3);
    EXPECT_LT(witness->low, witness->change);
    EXPECT_GT(witness->high, witness->change);
    EXPECT_EQ(witness->baseline_sessions, 5);
    EXPECT_EQ(witness->new_sessions, 1);
  }
  EXPECT_NEAR(decision.margin, 0.01, 1e-12);
}

TEST(Screen, LimitsAreThoseOfStudentsT) {
  // A single case cannot borrow from others: the sd of the five logarithms, 4 degrees of freedom, t(0.95, 4) =
  // 2.131847.
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.004}));
  Witness const ratio = *world.decide(kCase).ratio;
  double sum = 0, squares = 0;
  for (double const factor : quiet()) {
    sum += std::log(factor);
    squares += std::log(factor) * std::log(factor);
  }
  double const sd = std::sqrt((squares - sum * sum / 5) / 4);
  double const change = std::log(1.004) - sum / 5;
  EXPECT_NEAR(ratio.sd, sd, 1e-9);
  EXPECT_NEAR(ratio.change, std::expm1(change), 1e-9);
  EXPECT_NEAR(ratio.high, std::expm1(change + 2.1318467863 * sd * std::sqrt(1.2)), 1e-9);
  EXPECT_NEAR(ratio.low, std::expm1(change - 2.1318467863 * sd * std::sqrt(1.2)), 1e-9);
}

TEST(Screen, IdenticalSessionsAreNotBelievedToHaveNoNoise) {
  CaseDecision const decision = screen({1, 1, 1, 1, 1}, 1.0);
  ASSERT_TRUE(decision.ratio);
  EXPECT_DOUBLE_EQ(decision.ratio->sd, Policy().min_sd);
}

TEST(Screen, NobodyIsBelievedToRepeatBetterThanThePolicySays) {
  // A few wild cases among many that repeat perfectly: a common fit would give the quiet ones an sd below the floor.
  World world;
  world.policy.min_sd = 0.001;
  for (int i = 0; i < 24; ++i) {
    double const swing = i % 4 == 0 ? 0.5 : 0;
    std::string const id = fmt::format("k{}@p", i);
    world.stored(id, sessions({1, 1 + swing, 1 - swing, 1, 1})).screened(id, sessions({1.0}));
  }
  for (CaseDecision const& decision : world.decide().cases) {
    EXPECT_GE(decision.ratio->sd, 0.001) << decision.id;
  }
}

TEST(Screen, TooFewBaselineSessionsAreInconclusiveAndSayWhatToDo) {
  CaseDecision const decision = screen({1.0, 1.001}, 1.0);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive);
  EXPECT_EQ(decision.reason_code, "too_few_baseline_sessions");
  EXPECT_THAT(decision.reason, HasSubstr("2 of the 3"));
  EXPECT_THAT(decision.reason, HasSubstr("baseline accept"));
}

TEST(Screen, OneSessionTellsNothingAboutNoise) {
  World world;
  world.policy.min_baseline_sessions = 1;
  world.stored(kCase, sessions({1.0})).screened(kCase, sessions({1.0}));
  EXPECT_EQ(world.decide(kCase).reason_code, "noise_unknown");
  EXPECT_EQ(world.decide().exit_code, ExitCode::undecided);
}

TEST(Screen, MarginsOfACaseReplaceThePolicys) {
  World world;
  world.policy.margins = {{"k", 0.1}, {"other*", 0.2}};
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.05}));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass);
  EXPECT_NEAR(world.decide(kCase).margin, 0.1, 1e-12);
  world.policy.margins.emplace_back("k@*", 0.02);  // the last match wins
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
}

TEST(Screen, NoiseIsBorrowedFromOtherCases) {
  // A case whose few sessions agree by luck, among many that scatter: its own sd alone would be far smaller.
  World world;
  for (int i = 0; i < 30; ++i) {
    double const phase = 0.37 * i;
    std::vector<double> factors;
    for (int s = 0; s < 5; ++s) {
      factors.push_back(1 + 0.01 * std::sin(phase + 2.1 * s));
    }
    std::string const id = fmt::format("noisy{}@p", i);
    world.stored(id, sessions(factors)).screened(id, sessions({1.0}));
  }
  world.stored(kCase, sessions({1.0, 1.0005, 0.9995, 1.0, 1.0002})).screened(kCase, sessions({1.0}));
  EXPECT_GT(world.decide(kCase).ratio->sd, 0.002);
}

TEST(Screen, BorrowedCertaintyEndsAtWhatAllCasesHoldTogether) {
  // Equal variances suggest infinitely many degrees of freedom, but three cases of five sessions have only twelve.
  // t(0.95, 12)
  // = 1.782288.
  World world;
  for (char const* id : {"a@p", "b@p", "c@p"}) {
    world.stored(id, sessions(quiet())).screened(id, sessions({1.0}));
  }
  Witness const ratio = *world.decide("a@p").ratio;
  EXPECT_NEAR((std::log1p(ratio.high) - std::log1p(ratio.change)) / (ratio.sd * std::sqrt(1.2)), 1.782288, 1e-5);
}

TEST(Screen, ManyMovedCasesPointToTheMachine) {
  World world;
  for (int i = 0; i < 12; ++i) {
    std::string const id = fmt::format("k{}@p", i);
    world.stored(id, sessions(quiet())).screened(id, sessions({i < 4 ? 1.05 : 1.0}));
  }
  EXPECT_THAT(world.decide().notes, ::testing::Contains(HasSubstr("4 of 12 cases moved beyond their limits")));
}

}  // namespace
}  // namespace perfcheck::gate::testing
