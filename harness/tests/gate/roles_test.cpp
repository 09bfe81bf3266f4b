// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The more precise witness decides; the other one may contradict.
#include "world.h"

#include <gmock/gmock.h>

namespace perfcheck::gate::testing {
namespace {

using model::Verdict;
using ::testing::HasSubstr;
using ::testing::Not;

std::string const kCase = "k@p";

/// The witnesses of one session, relative to their usual values.
struct Factors {
  double ratio = 1, cycles = 1, time = 1;
};

std::vector<Session> sessions_of(std::vector<Factors> const& factors) {
  std::vector<Session> result;
  Session const base;
  for (Factors const& factor : factors) {
    result.push_back({.ratio = base.ratio * factor.ratio,
                      .cycles = base.cycles * factor.cycles,
                      .time_ns = base.time_ns * factor.time});
  }
  return result;
}

/// A reference whose speed differs from process to process, like cuBLAS with split k: the ratio scatters by 3 %, cycles
/// by 0.1 %.
World restless_reference() {
  World world;
  world.stored(kCase, sessions_of({{1.0, 1.0}, {1.05, 1.001}, {0.98, 0.999}, {1.03, 1.0005}, {0.97, 0.9995}}));
  return world;
}

/// Cycles that scatter by 3 %, a ratio by 0.1 %: the clock moves and the kernel waits for memory.
World restless_clock() {
  World world;
  world.stored(kCase, sessions_of({{1.0, 1.0}, {1.001, 1.05}, {0.999, 0.98}, {1.0005, 1.03}, {0.9995, 0.97}}));
  return world;
}

TEST(Roles, EquallySharpTheRatioDecides) {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  EXPECT_EQ(world.decide(kCase).decided_by, "ratio");
}

TEST(Roles, TheSharperWitnessDecides) {
  World reference = restless_reference(), clock = restless_clock();
  EXPECT_EQ(reference.screened(kCase, sessions({1.0})).decide(kCase).decided_by, "cycles");
  EXPECT_EQ(clock.screened(kCase, sessions({1.0})).decide(kCase).decided_by, "ratio");
}

TEST(Roles, HowTheNewNumbersCameOutPlaysNoPart) {
  for (double const factor : {0.9, 1.0, 1.1}) {
    World ratio_moved = restless_reference(), cycles_moved = restless_reference();
    EXPECT_EQ(ratio_moved.screened(kCase, sessions_of({{factor, 1}})).decide(kCase).decided_by, "cycles");
    EXPECT_EQ(cycles_moved.screened(kCase, sessions_of({{1, factor}})).decide(kCase).decided_by, "cycles");
  }
}

TEST(Roles, OnASharedDeviceTheRatioDecides) {
  World world = restless_reference();
  world.policy.shared_device = true;
  EXPECT_EQ(world.screened(kCase, sessions({1.0})).decide(kCase).decided_by, "ratio");
}

/// A case on a shared device whose confirming sessions have ratio, cycles and time multiplied by these factors.
World confirmed_on_shared_device(Factors const& now) {
  World world;
  world.policy.shared_device = true;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions_of({now}));
  std::vector<Factors> fresh;
  for (double const factor : quiet_fresh()) {
    fresh.push_back({now.ratio * factor, now.cycles * factor, now.time * factor});
  }
  world.confirmed(kCase, sessions_of(fresh));
  return world;
}

TEST(Roles, OnASharedDeviceARegressionNeedsNoSecondWitness) {
  World world = confirmed_on_shared_device({1.04, 1.002, 1.002});
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::inconclusive) << "cycles clearly show no change";
  world = confirmed_on_shared_device({1.025, 1.0098, 1.0098});
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
  world.policy.shared_device = false;
  EXPECT_EQ(world.decide(kCase).reason_code, "reference_moved");
}

TEST(Roles, OnASharedDeviceAReferenceThatCostsMoreOrLessSaysNothing) {
  // A neighbour that costs the reference 20 % costs the case 70 %.
  World world = confirmed_on_shared_device({1.7 / 1.2, 1.7, 1.7});
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::inconclusive);
  EXPECT_EQ(world.decide(kCase).reason_code, "machine_disturbed");
  EXPECT_THAT(world.decide(kCase).reason, HasSubstr("+20 %"));
  EXPECT_THAT(world.decide(kCase).reason, HasSubstr("(--base-ref)"));
  EXPECT_FALSE(world.decide(kCase).detectable);
  world.policy.reference_tolerance = 0.25;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed);
  // The neighbour was there when the baseline was measured, but not now.
  EXPECT_EQ(confirmed_on_shared_device({1.2 / 0.8, 1.2, 1.2}).decide(kCase).reason_code, "machine_disturbed");
  EXPECT_EQ(confirmed_on_shared_device({0.6 / 0.8, 0.6, 0.6}).decide(kCase).reason_code, "machine_disturbed");
  // The reference excuses no case either: a neighbour that slows only the reference hides a slowdown of the case.
  EXPECT_EQ(confirmed_on_shared_device({1.2 / 1.2, 1.2, 1.2}).decide(kCase).reason_code, "machine_disturbed");
}

TEST(Roles, WhereTheBaseBuildStoodBesideItIsNotAdvised) {
  World world = confirmed_on_shared_device({1.7 / 1.2, 1.7, 1.7});
  World base;
  base.stored(kCase, sessions(quiet_fresh()));
  world.confirm_base = &base.baseline;
  EXPECT_EQ(world.decide(kCase).reason_code, "machine_disturbed");
  EXPECT_THAT(world.decide(kCase).reason, HasSubstr("check again when they are quiet"));
  EXPECT_THAT(world.decide(kCase).reason, Not(HasSubstr("--base-ref")));
}

TEST(Roles, ADisturbedScreenIsMeasuredAgain) {
  // Neither ratio nor cycles are beyond the margin, but the reference costs 6 % more.
  World world;
  world.policy.shared_device = true;
  world.policy.margin = 0.1;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions_of({{0.95, 1.01, 1.01}}));
  EXPECT_TRUE(world.decide(kCase).wants_confirmation);
  world.confirmed(kCase, sessions(quiet_fresh()));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << world.decide(kCase).reason;
}

TEST(Roles, OnAnUnknownCardReferencesCostWhatCardsDifferBy) {
  World world = confirmed_on_shared_device({1.15, 1.07, 1.07});
  world.policy.ratio_card_sd = 0.03;
  EXPECT_EQ(world.decide(kCase).reason_code, "machine_disturbed");
  world.measured_on.device_uuid = "GPU-z";
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(Roles, WithoutAClockTheReferencesTimeTellsOfNeighbours) {
  World world = confirmed_on_shared_device({1.7 / 1.2, 0, 1.7});
  world.baseline.cases[kCase].cycles.clear();
  EXPECT_EQ(world.decide(kCase).reason_code, "machine_disturbed");
}

TEST(Roles, WhereNobodySharesTheDeviceAReferenceMayCostMore) {
  World world = confirmed_on_shared_device({1.7 / 1.2, 1.7, 1.7});
  world.policy.shared_device = false;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::regressed) << world.decide(kCase).reason;
}

TEST(Roles, ARegressionThatTheRatioCannotSeeIsFoundByCycles) {
  World world = restless_reference();
  world.screened(kCase, sessions_of({{0.99, 1.03, 1.03}}))
      .confirmed(kCase,
                 sessions_of({{0.99, 1.0302, 1.03}, {1.06, 1.0291, 1.03}, {1.02, 1.0308, 1.03}, {0.95, 1.0299, 1.03}}));
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::regressed) << decision.reason;
  EXPECT_EQ(decision.reason_code, "cycles_above_margin");
  EXPECT_NEAR(decision.deciding()->change, 0.03, 1e-3);
}

TEST(Roles, AReferenceThatMovesAccusesNobody) {
  // The reference is 5 % faster by chance, as it was before: the screen does not even ask.
  World world = restless_reference();
  world.screened(kCase, sessions_of({{1.05, 1.0}}));
  EXPECT_EQ(world.decide(kCase).reason_code, "not_flagged") << world.decide(kCase).reason;
}

/// Cycles, the slightly more precise witness, rise by 3 % in each fresh session; the ratio is unchanged.
World cycles_alone(double time) {
  World world;
  world.stored(kCase, sessions_of({{1.0, 1.0}, {1.002, 1.0005}, {0.998, 0.9995}, {1.001, 1.0002}, {0.999, 0.9998}}));
  world.screened(kCase, sessions_of({{1.0, 1.03, time}}))
      .confirmed(kCase, sessions_of(
                            {{1.001, 1.0302, time}, {0.999, 1.0298, time}, {1.0, 1.03, time}, {1.0005, 1.0301, time}}));
  return world;
}

TEST(Roles, CyclesThatRiseWithTheClockAccuseNobody) {
  CaseDecision const decision = cycles_alone(1.0).decide(kCase);
  EXPECT_EQ(decision.decided_by, "cycles");
  EXPECT_EQ(decision.verdict, Verdict::pass) << decision.reason;
  EXPECT_EQ(decision.reason_code, "clock_moved");
}

TEST(Roles, CyclesThatRiseWithTimeAndWithTheReferenceAreInconclusive) {
  CaseDecision const decision = cycles_alone(1.03).decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::inconclusive) << decision.reason;
  EXPECT_EQ(decision.reason_code, "witnesses_disagree");
}

/// Cycles decide and are unchanged; the ratio is `ratio` times as large in each fresh session.
World ratio_alone(double time, double ratio = 1.08) {
  World world;
  world.stored(kCase, sessions_of({{1.0, 1.0}, {1.004, 1.001}, {0.996, 0.999}, {1.002, 1.0005}, {0.998, 0.9995}}));
  world.screened(kCase, sessions_of({{ratio, 1.0, time}}))
      .confirmed(kCase, sessions_of({{ratio + 0.001, 1.0002, time},
                                     {ratio - 0.001, 0.9991, time},
                                     {ratio, 1.0008, time},
                                     {ratio, 0.9999, time}}));
  return world;
}

TEST(Roles, ARatioThatRisesWithTimeIsReportedAlthoughCyclesDecide) {
  World world = ratio_alone(1.08);  // the clock fell, as for a kernel that draws more power
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.decided_by, "cycles");
  EXPECT_EQ(decision.verdict, Verdict::inconclusive) << decision.reason;
  EXPECT_EQ(decision.reason_code, "witnesses_disagree");
  EXPECT_THAT(decision.reason, HasSubstr("the clock fell"));
  world.policy.floor_ns = 0.1 * 5e5;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << "the change of time is below the floor";
}

TEST(Roles, AClockThatIsAStepLowerAccusesNobody) {
  // Seen on an H100: WMMA kernels, ratio and time +1.2 % at equal cycles, because the clock settled elsewhere.
  World world = ratio_alone(1.02, 1.02);
  world.policy.clock_step = 0.02;
  EXPECT_EQ(world.decide(kCase).reason_code, "clock_moved") << world.decide(kCase).reason;
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass);
  EXPECT_GT(*world.decide(kCase).at_most, 0.019) << "the pass must not claim that the time is unchanged";
  world.policy.clock_step = 0.005;
  EXPECT_EQ(world.decide(kCase).reason_code, "witnesses_disagree") << world.decide(kCase).reason;
}

TEST(Roles, OnAnUnknownCardARatioThatRisesWithLittleTimeAccusesNobody) {
  // Seen on an H200: cuBLAS 3 % faster and the clock 0.5 % lower than on the cards of the baseline.
  World world = ratio_alone(1.0175);
  EXPECT_EQ(world.decide(kCase).reason_code, "witnesses_disagree") << world.decide(kCase).reason;
  world.measured_on.device_uuid = "GPU-b";
  EXPECT_EQ(world.decide(kCase).decided_by, "cycles");
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << world.decide(kCase).reason;
  World much = ratio_alone(1.08);
  much.measured_on.device_uuid = "GPU-b";
  EXPECT_EQ(much.decide(kCase).reason_code, "witnesses_disagree") << much.decide(kCase).reason;
}

TEST(Roles, ARatioThatRisesAloneAccusesNobody) {
  CaseDecision const decision = ratio_alone(1.0).decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::pass) << decision.reason;
}

TEST(Roles, ARatioThatFallsWithoutCyclesAccusesNobody) {
  World world;
  world.stored(kCase, sessions_of({{1.0, 1.0}, {1.004, 1.001}, {0.996, 0.999}, {1.002, 1.0005}, {0.998, 0.9995}}));
  world.screened(kCase, sessions_of({{0.92, 1.0}}))
      .confirmed(kCase, sessions_of({{0.921, 1.0002}, {0.919, 0.9991}, {0.92, 1.0008}, {0.92, 0.9999}}));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::pass) << world.decide(kCase).reason;
}

/// Two cards whose ratios differ by 4 % (because of their power limits) and whose cycles agree; the third has yet
/// another ratio.
CaseDecision on_third_card(Factors const& now) {
  World world;
  world.cards = {"GPU-a", "GPU-a", "GPU-a", "GPU-a", "GPU-b"};
  world.stored(kCase, sessions_of({{1.0, 1.0},
                                   {1.001, 1.001},
                                   {0.999, 0.999},
                                   {1.0, 1.0},
                                   {1.04, 1.0},
                                   {1.041, 1.001},
                                   {1.039, 0.999},
                                   {1.04, 1.0}}));
  world.measured_on.device_uuid = "GPU-c";
  std::vector<Factors> fresh;
  for (double const wobble : quiet_fresh()) {
    fresh.push_back({now.ratio * wobble, now.cycles * wobble, now.time * wobble});
  }
  world.screened(kCase, sessions_of({now})).confirmed(kCase, sessions_of(fresh));
  return world.decide(kCase);
}

TEST(Roles, OnAnUnknownCardTheWitnessThatCardsShareDecides) {
  CaseDecision const same = on_third_card({1.07, 1.0, 1.0}), slower = on_third_card({1.07, 1.03, 1.03});
  EXPECT_EQ(same.decided_by, "cycles");
  EXPECT_EQ(same.verdict, Verdict::pass) << same.reason;
  EXPECT_EQ(slower.verdict, Verdict::regressed) << slower.reason;
}

TEST(Roles, AnUnknownCardWithAFasterClockAccusesNobody) {
  CaseDecision const decision = on_third_card({1.02, 1.04, 0.99});
  EXPECT_EQ(decision.reason_code, "clock_moved") << decision.reason;
  EXPECT_EQ(decision.verdict, Verdict::pass);
}

}  // namespace
}  // namespace perfcheck::gate::testing
