// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How often a case is timed again if its numbers disagree.
#include "measure_case.h"

#include "scripted_device.h"

#include <gmock/gmock.h>

#include <limits>

namespace perfcheck::worker {
namespace {

using testing::HasSubstr;

/// A problem whose kernel passes verification. Each prepare() sets the next length of launches on their own.
class ScriptedProblem final : public Problem {
 public:
  ScriptedProblem(Script& script, std::vector<double> alone_ns) : script_(script), alone_ns_(std::move(alone_ns)) {}
  std::string text() const override { return "p"; }
  model::Work work() const override { return {}; }
  std::string arithmetic() const override { return "f32"; }
  bool concerns(KernelInfo const&) const override { return true; }
  Refusal refusal(KernelInfo const&) const override { return {}; }
  model::CaseName reference(KernelInfo const&) const override { return {}; }
  model::Verification verify(device::Backend&, KernelInfo const&, uint64_t) override {
    ++verified_;
    return {.passed = true, .checks = {}};
  }
  std::unique_ptr<TimedCase> prepare(device::Backend&, KernelInfo const&) override {
    script_.disturbed_steps = prepared_ < disturbed_ ? std::numeric_limits<int>::max() : 0;
    script_.alone_ns = alone_ns_[std::min(prepared_++, alone_ns_.size() - 1)];
    return std::make_unique<ScriptedCase>(script_);
  }
  std::size_t prepared() const { return prepared_; }
  int verified() const { return verified_; }
  /// Pretends that something else uses the core in the first `timings` timings.
  void disturb_first(double alone_ns, std::size_t timings = 1) {
    disturbed_ = timings;
    script_.disturbed_ns = alone_ns;
  }

 private:
  Script& script_;
  std::vector<double> alone_ns_;
  std::size_t prepared_ = 0;
  int verified_ = 0;
  std::size_t disturbed_ = 0;
};

class MeasuredCases : public testing::Test {
 protected:
  MeasuredCases() { script_.backend = "cuda"; }
  model::CaseResult measure(ScriptedProblem& problem, bool verified = false) {
    return measure_case(problem, verified).result;
  }
  MeasuredCase measure_case(ScriptedProblem& problem, bool verified = false) {
    KernelInfo const kernel;
    Subject const subject{.kernel = &kernel, .problem = &problem, .case_id = "k@p"};
    KnownCases known;
    // A scripted replay takes 1 ms, however many launches it has. So one launch seems to take 1 ms, and 8 ms ask for 8.
    protocol::MeasureOptions const options{
        .replay_ms = 8, .max_seconds = 0.01, .min_rounds = 4, .max_rounds = 4, .verified = verified};
    return worker::measure_case(backend_, subject, subject, options, known, [](char const*) {});
  }

  Script script_;
  ScriptedBackend backend_{script_};
  double const honest_ns_ = 1e6 / 8;
};

TEST_F(MeasuredCases, AreTimedOnceWhereNumbersAgree) {
  ScriptedProblem problem(script_, {honest_ns_});
  EXPECT_EQ(measure(problem).status, model::CaseStatus::measured);
  EXPECT_EQ(problem.prepared(), 1U);
}

TEST_F(MeasuredCases, AreTimedAnewWhereNumbersDisagreedOnceOrTwice) {
  ScriptedProblem problem(script_, {2 * honest_ns_, 2 * honest_ns_, honest_ns_});
  auto const result = measure(problem);
  EXPECT_EQ(result.status, model::CaseStatus::measured) << result.message;
  EXPECT_EQ(result.rounds->time_ns.size(), 4U) << "only the rounds of the last timing must count";
  EXPECT_EQ(problem.prepared(), 3U);
}

TEST_F(MeasuredCases, HaveNoTimeWhereNumbersDisagreeAgainAndAgain) {
  ScriptedProblem problem(script_, {2 * honest_ns_});
  auto const [result, context_lost, wants_fresh_process] = measure_case(problem);
  EXPECT_EQ(result.status, model::CaseStatus::invalid);
  EXPECT_THAT(result.message, HasSubstr("on its own"));
  EXPECT_EQ(problem.prepared(), 5U);
  EXPECT_FALSE(context_lost);
  EXPECT_TRUE(wants_fresh_process) << "in a fresh process the case may be at another level";
}

TEST_F(MeasuredCases, GetNoSecondChanceOnAQuietCoreWhereThreadsMayGainByIt) {
  script_.backend = "cpu";
  ScriptedProblem problem(script_, {2 * honest_ns_, honest_ns_});
  auto const measured = measure_case(problem);
  EXPECT_EQ(measured.result.status, model::CaseStatus::invalid);
  EXPECT_EQ(problem.prepared(), 1U);
  EXPECT_FALSE(measured.wants_fresh_process);
}

TEST_F(MeasuredCases, GetNoOtherProcessOnACpuHoweverOftenNumbersDisagree) {
  script_.backend = "cpu";
  ScriptedProblem problem(script_, {honest_ns_});
  problem.disturb_first(2 * honest_ns_, 5);
  auto const measured = measure_case(problem);
  EXPECT_EQ(measured.result.status, model::CaseStatus::invalid);
  EXPECT_FALSE(measured.wants_fresh_process);
}

TEST_F(MeasuredCases, AreTimedAnewOnACpuWhereOthersUsedTheCoreAllTheWhile) {
  script_.backend = "cpu";
  ScriptedProblem problem(script_, {honest_ns_});
  problem.disturb_first(2 * honest_ns_);
  auto const result = measure(problem);
  EXPECT_EQ(result.status, model::CaseStatus::measured) << result.message;
  EXPECT_EQ(problem.prepared(), 2U);
}

TEST_F(MeasuredCases, ThatWereVerifiedBeforeAreTimedAtOnceAndTheirTimedOutputsCompared) {
  ScriptedProblem problem(script_, {honest_ns_});
  auto const result = measure(problem, true);
  EXPECT_EQ(result.status, model::CaseStatus::measured) << result.message;
  EXPECT_EQ(problem.verified(), 0);
  ASSERT_EQ(result.verification->checks.size(), 1U);
  EXPECT_EQ(result.verification->checks[0].name, "timed_output");
  script_.wrong = "buffers 1 of 8: D[0,0] is 0";
  EXPECT_EQ(measure(problem, true).status, model::CaseStatus::incorrect);
}

TEST_F(MeasuredCases, ThatWereVerifiedBeforeAndDisagreeHaveNeitherTimeNorVerification) {
  ScriptedProblem problem(script_, {2 * honest_ns_});
  auto const result = measure(problem, true);
  EXPECT_EQ(result.status, model::CaseStatus::invalid);
  EXPECT_FALSE(result.verification);
}

TEST_F(MeasuredCases, GetNoSecondChanceForAWrongResult) {
  ScriptedProblem problem(script_, {honest_ns_});
  script_.wrong = "buffers 1 of 8: D[0,0] is 0";
  EXPECT_EQ(measure(problem).status, model::CaseStatus::incorrect);
  EXPECT_EQ(problem.prepared(), 1U);
}

}  // namespace
}  // namespace perfcheck::worker
