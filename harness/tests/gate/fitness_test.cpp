// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/fitness.h"

#include "world.h"

#include <gmock/gmock.h>

namespace perfcheck::gate::testing {
namespace {

using model::CaseStatus;
using model::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string const kCase = "k@p";

TEST(Fitness, NothingKnownIsNothingUnfit) { EXPECT_THAT(unfit_reasons({}, {}, {}), IsEmpty()); }

TEST(Fitness, NamesEveryCause) {
  FitnessPolicy policy;
  policy.driver = "580.*";
  model::Environment environment;
  environment.driver = "590.1";
  model::DeviceState state;
  state.other_processes = 1;
  state.processes = {"pid 8123 (python, user ada)"};
  state.throttle_reasons = {"power cap", "hardware thermal slowdown"};
  state.faults = {"2 uncorrected ECC errors since the driver was loaded"};
  EXPECT_THAT(unfit_reasons(policy, environment, state),
              ElementsAre("wrong driver: 590.1, and [fitness] asks for 580.*",
                          "busy: pid 8123 (python, user ada) on the device", "throttled: hardware thermal slowdown",
                          "faulty: 2 uncorrected ECC errors since the driver was loaded"));
}

TEST(Fitness, ADriverThatIsAskedForAndUnknownIsTheWrongOne) {
  FitnessPolicy policy;
  policy.driver = "580.*";
  EXPECT_THAT(unfit_reasons(policy, {}, {}), ElementsAre(HasSubstr("wrong driver: unknown")));
}

TEST(Fitness, APowerCapIsNoReason) {
  model::DeviceState state;
  state.throttle_reasons = {"power cap"};
  EXPECT_THAT(unfit_reasons({}, {}, state), IsEmpty());
}

TEST(Fitness, NoProcessMakesAResultWrongButAFaultDoes) {
  std::vector<std::string> const busy{"busy: pid 1"}, faulty{"faulty: 1 uncorrected ECC error"};
  for (CaseStatus const status : {CaseStatus::incorrect, CaseStatus::crashed}) {
    EXPECT_THAT(unfit_for(status, busy), IsEmpty());
    EXPECT_THAT(unfit_for(status, faulty), faulty);
  }
  for (CaseStatus const status : {CaseStatus::measured, CaseStatus::timed_out, CaseStatus::failed}) {
    EXPECT_THAT(unfit_for(status, busy), busy);
  }
  EXPECT_THAT(unfit_for(CaseStatus::skipped, faulty), IsEmpty());
}

TEST(Fitness, ExcusesNoImpossibleTimeAndClocksThatDisagreeOnlyWhereOthersTookTurns) {
  std::vector<std::string> const all{"busy: pid 1", "throttled: hardware slowdown", "faulty: ECC", "wrong driver: 1"};
  EXPECT_THAT(unfit_for(CaseStatus::implausible, all), IsEmpty());
  EXPECT_THAT(unfit_for(CaseStatus::invalid, all), ElementsAre("busy: pid 1", "faulty: ECC"));
}

model::Run run_with(std::vector<model::CaseResult> const& results) {
  model::Run run;
  for (model::CaseResult const& result : results) {
    model::Session& session = run.sessions.emplace_back();
    session.device.uuid = kCard;
    session.cases = {result};
  }
  return run;
}

TEST(UnfitResults, AreNeverAVerdictOnTheCode) {
  model::CaseResult unfit;
  unfit.id = unfit.reference = kCase;
  World world;
  world.stored(kCase, sessions(quiet()));
  for (auto const& [status, why] : {std::pair{CaseStatus::measured, "busy: pid 8123"},
                                    {CaseStatus::crashed, "faulty: ECC"},
                                    {CaseStatus::incorrect, "faulty: ECC"}}) {
    unfit.status = status;
    unfit.unfit = {why};
    model::Run const run = run_with({unfit});
    Decisions const decisions = decide(&world.baseline, observations_of(run), {.case_ids = {kCase}}, {});
    ASSERT_EQ(decisions.cases.size(), 1U);
    EXPECT_EQ(decisions.cases[0].verdict, Verdict::incomparable);
    EXPECT_EQ(decisions.cases[0].reason_code, kUnfitCode);
    EXPECT_THAT(decisions.cases[0].reason, HasSubstr(why));
    EXPECT_THAT(decisions.notes, Contains(HasSubstr(std::string("1 result of 1 case was left out, as the machine was "
                                                                "not fit: ") +
                                                    why)));
    EXPECT_EQ(decisions.exit_code, model::ExitCode::undecided);
  }
}

TEST(UnfitResults, AreBelievedWhereTheirCauseExplainsTheStatusAndTheStateShowsIt) {
  model::CaseResult result;
  result.status = CaseStatus::implausible;
  result.unfit = {"busy: pid 8123"};
  EXPECT_THAT(believed_unfit(result), IsEmpty()) << "a neighbour cannot make a kernel impossibly fast";
  result.status = CaseStatus::measured;
  EXPECT_EQ(believed_unfit(result).size(), 1U) << "without a device state, nothing contradicts the cause";
  result.state = model::DeviceState();
  EXPECT_THAT(believed_unfit(result), IsEmpty()) << "the device state shows no other process";
  result.state->other_processes = 1;
  EXPECT_EQ(believed_unfit(result).size(), 1U);
  result.unfit = {"throttled: hardware slowdown", "faulty: ECC", "disturbed: 54 % slower", "wrong driver: 1"};
  EXPECT_THAT(believed_unfit(result), ElementsAre("disturbed: 54 % slower", "wrong driver: 1"));
  result.state->throttle_reasons = {"hardware slowdown"};
  result.state->faults = {"ECC"};
  EXPECT_EQ(believed_unfit(result).size(), 4U);
}

TEST(UnfitResults, AreLeftOutWhereTheCaseWasMeasuredAgain) {
  model::CaseResult unfit, fit;
  fit.id = unfit.id = kCase;
  unfit.unfit = {"busy: pid 8123"};
  model::Run const run = run_with({unfit, fit});
  Observations const seen = observations_of(run);
  ASSERT_EQ(seen.cases.size(), 1U);
  EXPECT_THAT(seen.cases[0].screen, ElementsAre(&run.sessions[1].cases[0]));
}

}  // namespace
}  // namespace perfcheck::gate::testing
