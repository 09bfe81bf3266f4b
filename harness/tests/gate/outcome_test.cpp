// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The status of a case decides before any number does, and missing cases fail.
#include "world.h"

#include <gmock/gmock.h>

#include <limits>

namespace perfcheck::gate::testing {
namespace {

using model::CaseStatus;
using model::ExitCode;
using model::Verdict;
using ::testing::HasSubstr;

std::string const kCase = "k@p";

World healthy() {
  World world;
  world.stored(kCase, sessions(quiet())).screened(kCase, sessions({1.0}));
  return world;
}

struct StatusRow {
  CaseStatus status;
  Verdict verdict;
};

class EveryFailure : public ::testing::TestWithParam<StatusRow> {};

TEST_P(EveryFailure, BreaksTheRunAndKeepsItsMessage) {
  World world;
  world.stored(kCase, sessions(quiet())).saw(kCase, GetParam().status, "the reason");
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, GetParam().verdict);
  EXPECT_THAT(decision.reason, HasSubstr("the reason"));
  EXPECT_EQ(world.decide().exit_code, ExitCode::broken);
}

TEST_P(EveryFailure, InOneSessionOutranksGoodSessions) {
  World world = healthy();
  world.saw(kCase, GetParam().status);
  EXPECT_EQ(world.decide(kCase).verdict, GetParam().verdict);
}

INSTANTIATE_TEST_SUITE_P(Outcome, EveryFailure,
                         ::testing::Values(StatusRow{CaseStatus::incorrect, Verdict::incorrect},
                                           StatusRow{CaseStatus::implausible, Verdict::implausible},
                                           StatusRow{CaseStatus::invalid, Verdict::invalid},
                                           StatusRow{CaseStatus::crashed, Verdict::crashed},
                                           StatusRow{CaseStatus::timed_out, Verdict::timed_out},
                                           StatusRow{CaseStatus::failed, Verdict::failed}),
                         [](auto const& test) { return std::string(model::to_text(test.param.status)); });

TEST(Outcome, IncorrectOutranksCrashed) {
  World world;
  world.saw(kCase, CaseStatus::crashed).saw(kCase, CaseStatus::incorrect);
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::incorrect);
}

TEST(Outcome, TheMostTellingOfSeveralFailuresDecides) {
  std::vector<CaseStatus> const in_order = {CaseStatus::incorrect, CaseStatus::implausible, CaseStatus::invalid,
                                            CaseStatus::crashed,   CaseStatus::timed_out,   CaseStatus::failed};
  for (std::size_t i = 0; i + 1 < in_order.size(); ++i) {
    World world;
    world.saw(kCase, in_order[i + 1]).saw(kCase, in_order[i]);
    EXPECT_EQ(world.decide(kCase).reason_code, model::to_text(in_order[i]));
  }
}

TEST(Outcome, AnImprovementHidesNoImpossibleTime) {
  for (CaseStatus const status : {CaseStatus::implausible, CaseStatus::invalid}) {
    World world;
    world.stored(kCase, sessions(quiet())).screened(kCase, slower(sessions({1.0}), 0.5));
    world.confirmed(kCase, slower(sessions(quiet_fresh()), 0.5));
    EXPECT_EQ(world.decide(kCase).verdict, Verdict::improved);
    world.saw(kCase, status, "faster than the device can");
    EXPECT_EQ(world.decide(kCase).reason_code, model::to_text(status));
    EXPECT_EQ(world.decide().exit_code, ExitCode::broken);
  }
}

TEST(Outcome, AHealthyCasePasses) {
  Decisions const decisions = healthy().decide();
  ASSERT_EQ(decisions.cases.size(), 1U);
  EXPECT_EQ(decisions.cases[0].verdict, Verdict::pass);
  EXPECT_EQ(decisions.exit_code, ExitCode::ok);
}

TEST(Outcome, NothingAtAllIsBroken) {
  Decisions const decisions = World().decide();
  EXPECT_EQ(decisions.exit_code, ExitCode::broken);
  ASSERT_FALSE(decisions.notes.empty());
  EXPECT_THAT(decisions.notes.back(), HasSubstr("no case matched"));
}

TEST(Outcome, OnlySkippedCasesAreBroken) {
  World world;
  world.saw(kCase, CaseStatus::skipped);
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::skipped);
  EXPECT_EQ(world.decide().exit_code, ExitCode::broken);
}

TEST(Outcome, ASkippedCaseBesideAMeasuredOneIsFine) {
  World world = healthy();
  world.saw("skipped@p", CaseStatus::skipped);
  EXPECT_EQ(world.decide().exit_code, ExitCode::ok);
}

TEST(Outcome, ASkippedCaseThatTheBaselineMeasuredIsMissing) {
  World world;
  world.stored(kCase, sessions(quiet())).saw(kCase, CaseStatus::skipped, "not built");
  CaseDecision const decision = world.decide(kCase);
  EXPECT_EQ(decision.verdict, Verdict::missing);
  EXPECT_EQ(decision.reason_code, "in_baseline_but_skipped");
  EXPECT_THAT(decision.reason, HasSubstr("not built"));
}

TEST(Outcome, ACaseInScopeThatDidNotRunIsMissing) {
  World world = healthy();
  world.stored("gone@p", sessions(quiet()));
  world.scope.case_ids = {kCase, "gone@p", "never stored@p"};
  EXPECT_EQ(world.decide("gone@p").reason_code, "in_baseline_but_not_run");
  EXPECT_EQ(world.decide("never stored@p").reason_code, "planned_but_not_run");
  EXPECT_EQ(world.decide("gone@p").verdict, Verdict::missing);
  EXPECT_EQ(world.decide().exit_code, ExitCode::broken);
}

TEST(Outcome, ABaselineCaseOutsideTheScopeIsNoConcern) {
  World world = healthy();
  world.stored("elsewhere@p", sessions(quiet()));
  EXPECT_EQ(world.decide().cases.size(), 1U);
  EXPECT_EQ(world.decide().exit_code, ExitCode::ok);
}

TEST(Outcome, ANewCaseHasNoBaseline) {
  World world = healthy();
  world.screened("new@p", sessions({1.0}));
  CaseDecision const decision = world.decide("new@p");
  EXPECT_EQ(decision.verdict, Verdict::no_baseline);
  EXPECT_EQ(decision.reason_code, "new_case");
  EXPECT_EQ(world.decide().exit_code, ExitCode::undecided);
}

TEST(Outcome, WithoutABaselineFileEveryCaseHasNone) {
  World world = healthy();
  world.has_baseline = false;
  EXPECT_EQ(world.decide(kCase).reason_code, "no_baseline_on_this_device");
}

TEST(Outcome, DemotedVerdictsShowButDoNotFail) {
  World world = healthy();
  world.screened("new@p", sessions({1.0}));
  world.policy.demoted = {Verdict::no_baseline};
  EXPECT_EQ(world.decide("new@p").verdict, Verdict::no_baseline);
  EXPECT_EQ(world.decide().exit_code, ExitCode::ok);
}

TEST(Outcome, SessionsThatMeasuredAndSkippedAreInvalid) {
  World world = healthy();
  world.saw(kCase, CaseStatus::skipped);
  EXPECT_EQ(world.decide(kCase).reason_code, "mixed_statuses");
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::invalid);
}

TEST(Outcome, EveryUnusableNumberIsInvalid) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (double const bad : {nan, 0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    World world = healthy();
    world.result(kCase).rounds->time_ns[1] = bad;
    EXPECT_EQ(world.decide(kCase).verdict, Verdict::invalid) << bad;
    EXPECT_EQ(world.decide().exit_code, ExitCode::broken) << bad;
  }
  World empty = healthy();
  empty.result(kCase).rounds.reset();
  EXPECT_EQ(empty.decide(kCase).verdict, Verdict::invalid);
  World uneven = healthy();
  uneven.result(kCase).rounds->clock_mhz.pop_back();
  EXPECT_EQ(uneven.decide(kCase).verdict, Verdict::invalid);
}

TEST(Outcome, UnusableNumbersOfANewCaseAreInvalidToo) {
  World world;
  world.screened(kCase, sessions({1.0}));
  world.result(kCase).rounds->time_ns.clear();
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::invalid);
}

TEST(Outcome, UnusableBaselineNumbersAreInvalid) {
  World world = healthy();
  world.baseline.cases[kCase].ratio[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::invalid);
  World uneven = healthy();
  uneven.baseline.cases[kCase].cycles.pop_back();
  EXPECT_EQ(uneven.decide(kCase).verdict, Verdict::invalid);
  World empty = healthy();
  empty.baseline.cases[kCase] = {};
  EXPECT_EQ(empty.decide(kCase).verdict, Verdict::invalid);
}

TEST(Outcome, SessionsWithDifferentReferencesAreInvalid) {
  World world = healthy();
  world.screened(kCase, sessions({1.0}));
  world.result(kCase, 1).reference = "another@p";
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::invalid);
}

TEST(Outcome, ACaseMeasuredOnlyToConfirmIsInvalid) {
  World world;
  world.stored(kCase, sessions(quiet())).confirmed(kCase, sessions(quiet_fresh()));
  EXPECT_EQ(world.decide(kCase).verdict, Verdict::invalid);
}

TEST(Outcome, BrokenOutranksRegressed) {
  World world;
  world.stored("slow@p", sessions(quiet()))
      .screened("slow@p", slower(sessions({1.0}), 1.1))
      .confirmed("slow@p", slower(sessions(quiet_fresh()), 1.1));
  EXPECT_EQ(world.decide().exit_code, ExitCode::regressed);
  world.saw(kCase, CaseStatus::crashed);
  EXPECT_EQ(world.decide("slow@p").verdict, Verdict::regressed);
  EXPECT_EQ(world.decide().exit_code, ExitCode::broken);
}

TEST(Outcome, DecisionsAreSortedById) {
  World world = healthy();
  world.screened("z@p", sessions({1.0})).saw("b@p", CaseStatus::crashed);
  Decisions const decisions = world.decide();
  ASSERT_EQ(decisions.cases.size(), 3U);
  EXPECT_EQ(decisions.cases[0].id, "b@p");
  EXPECT_EQ(decisions.cases[2].id, "z@p");
}

}  // namespace
}  // namespace perfcheck::gate::testing
