// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A base build measured beside the confirming sessions, and by how much both builds are slower than the accepted
// baseline.
#include "world.h"

#include <gmock/gmock.h>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char const* kCase = "k@p";

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
  EXPECT_EQ(world.decide(kCase).reason_code, "change_within_margin")
      << "the screen flagged the case; the base build must not undo that";
  base.stored(kCase, sessions(quiet_fresh()));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(ConfirmBase, ThatIsAsSlowExcusesNobodyWithoutAWord) {
  // The commit before made it 20 % slower, and this one 0.4 %.
  World world, base;
  base.stored(kCase, slower(sessions(quiet_fresh()), 1.2));
  world.confirm_base = &base.baseline;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.204}));
  world.confirmed(kCase, slower(sessions(quiet_fresh()), 1.204));
  CaseDecision const passed = world.decide(kCase);
  EXPECT_EQ(passed.verdict, Verdict::pass) << passed.reason;
  EXPECT_NEAR(passed.behind.value(), 0.204, 0.002);
  EXPECT_THAT(passed.reason, HasSubstr("+20.4"));
  EXPECT_THAT(world.decide().notes, Contains(HasSubstr("slower than in the accepted baseline")));
  // A slowdown of this commit is reported as such and not blamed on the base build.
  base.stored(kCase, sessions(quiet_fresh()));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed);
  EXPECT_TRUE(world.decide(kCase).behind);
  EXPECT_THAT(world.decide().notes, Not(Contains(HasSubstr("slower than in the accepted baseline"))));
  // A difference within the margin does not count as behind.
  World near;
  near.confirm_base = &base.baseline;
  near.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.03})).confirmed(kCase, sessions(quiet_fresh()));
  EXPECT_FALSE(near.decide(kCase).behind);
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
