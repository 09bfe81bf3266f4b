// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/protocol/contract.h"

#include "samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace perfcheck::protocol {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(HelloContract, TheDeviceIsTheOneThatWasAskedFor) {
  EXPECT_EQ(hello_breach({.client = "", .device = 1}, samples::hello_answer()), std::nullopt);
  EXPECT_THAT(hello_breach({.client = "", .device = 0}, samples::hello_answer()),
              Optional(HasSubstr("asked for device 0, the worker uses device 1")));
}

TEST(HelloContract, WorkerAndDeviceAreOfOneBackend) {
  HelloAnswer answer = samples::hello_answer();
  answer.device.backend = "cpu";
  EXPECT_THAT(hello_breach({.client = "", .device = 1}, answer), Optional(HasSubstr("backend")));
}

TEST(HelloContract, KernelsAreListedOnce) {
  HelloAnswer answer = samples::hello_answer();
  answer.kernels.push_back(answer.kernels.front());
  EXPECT_THAT(hello_breach({.client = "", .device = 1}, answer),
              Optional(HasSubstr("gemm/simt/naive is listed twice")));
}

TEST(HelloContract, ALibrarysKernelComesWithTheLibrarysVersion) {
  HelloAnswer answer = samples::hello_answer();
  answer.kernels.front().library = "cublas";
  EXPECT_EQ(hello_breach({.client = "", .device = 1}, answer), std::nullopt);
  answer.kernels.front().library = "cudnn";
  EXPECT_THAT(hello_breach({.client = "", .device = 1}, answer), Optional(HasSubstr("cudnn")));
}

TEST(PlanContract, CasesArePlannedOnce) {
  PlanAnswer answer = samples::plan_answer();
  EXPECT_EQ(plan_breach(answer), std::nullopt);
  answer.cases.push_back(answer.cases.front());
  EXPECT_THAT(plan_breach(answer), Optional(HasSubstr("planned twice")));
  EXPECT_EQ(plan_breach({}), std::nullopt);
}

TEST(ResultContract, AGoodResultOfEveryKindPasses) {
  EXPECT_EQ(result_breach(samples::measure_request(), samples::measured_result()), std::nullopt);
  EXPECT_EQ(result_breach(samples::measure_request(), samples::incorrect_result()), std::nullopt);
  model::CaseResult result = samples::incorrect_result();
  for (auto const status : {model::CaseStatus::implausible, model::CaseStatus::invalid, model::CaseStatus::crashed,
                            model::CaseStatus::timed_out, model::CaseStatus::failed}) {
    result.status = status;
    EXPECT_EQ(result_breach(samples::measure_request(), result), std::nullopt);
  }
}

TEST(ResultContract, TheCaseIsTheOneThatWasAskedFor) {
  model::CaseResult result = samples::measured_result();
  result.id = "gemm/simt/other@f32,nn,m8n8k8";
  EXPECT_THAT(result_breach(samples::measure_request(), result),
              Optional(HasSubstr("the result is of gemm/simt/other")));
}

TEST(ResultContract, TheInjectionIsTheOneThatWasAskedFor) {
  model::CaseResult result = samples::measured_result();
  for (double const injected : {0.0, 3.4, 35.0, std::numeric_limits<double>::quiet_NaN()}) {
    result.injected_percent = injected;
    EXPECT_THAT(result_breach(samples::measure_request(), result), Optional(HasSubstr("asked to inject 3.5 percent")));
  }
  MeasureRequest request = samples::measure_request();
  request.options.inject_percent = 1.0 / 3;  // results hold six digits
  result.injected_percent = 0.333333;
  EXPECT_EQ(result_breach(request, result), std::nullopt);
}

TEST(ResultContract, AMeasuredCaseComesWithProof) {
  model::CaseResult result = samples::measured_result();
  result.proof.reset();
  EXPECT_THAT(result_breach(samples::measure_request(), result), Optional(HasSubstr("without \"proof\"")));
}

TEST(ResultContract, ACaseThatShouldRunCannotBeSkipped) {
  model::CaseResult result = samples::measured_result();
  result.status = model::CaseStatus::skipped;
  result.rounds.reset();
  for (auto const reason : {model::SkipReason::refused, model::SkipReason::verify_only}) {
    result.skip_reason = reason;
    EXPECT_THAT(result_breach(samples::measure_request(), result), Optional(HasSubstr("came back skipped")));
  }
}

TEST(ResultContract, VerifyOnlyIsVerifiedAndNotTimed) {
  MeasureRequest request = samples::measure_request();
  request.options.verify_only = true;
  EXPECT_THAT(result_breach(request, samples::measured_result()), Optional(HasSubstr("came back measured")));
  model::CaseResult result = samples::measured_result();
  result.status = model::CaseStatus::skipped;
  result.rounds.reset();
  result.skip_reason = model::SkipReason::verify_only;
  EXPECT_EQ(result_breach(request, result), std::nullopt);
  result.skip_reason = model::SkipReason::architecture;
  EXPECT_THAT(result_breach(request, result), Optional(HasSubstr("another reason than verify_only")));
  EXPECT_EQ(result_breach(request, samples::incorrect_result()), std::nullopt);
}

TEST(LaunchesContract, TheAnswerIsAboutTheCaseAndTellsItsLaunchesOrWhyThereAreNone) {
  LaunchesRequest const request{.case_id = samples::launches_answer().case_id};
  EXPECT_EQ(launches_breach(request, samples::launches_answer()), std::nullopt);
  LaunchesAnswer unread = samples::launches_answer();
  unread.launches.clear();
  EXPECT_EQ(launches_breach(request, unread), std::nullopt) << "as for a library on a CPU";
  LaunchesAnswer other = samples::launches_answer();
  other.case_id = "another@p";
  EXPECT_THAT(launches_breach(request, other).value_or(""), HasSubstr("the answer is about another@p"));
  LaunchesAnswer both = samples::launches_answer();
  both.message = "the kernel threw";
  EXPECT_THAT(launches_breach(request, both).value_or(""), HasSubstr("says that it could not launch it"));
  LaunchesAnswer silent = samples::launches_answer();
  silent.context_lost = true;
  EXPECT_THAT(launches_breach(request, silent).value_or(""), HasSubstr("does not say why"));
}

}  // namespace
}  // namespace perfcheck::protocol
