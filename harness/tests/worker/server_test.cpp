// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The answers of a worker other than results.
#include "fake_worker.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace perfcheck::worker {
namespace {

using protocol::ErrorAnswer;
using protocol::HelloAnswer;
using protocol::PlanAnswer;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(ServerTest, HelloListsKernelsWithThoseThatCannotRunAndWhy) {
  auto const answer = last<HelloAnswer>(ask(protocol::HelloRequest{.client = "test"}));
  EXPECT_EQ(answer.worker.operation, "fake");
  EXPECT_EQ(answer.device.backend, "cpu");
  std::vector<std::string> ids;
  for (auto const& kernel : answer.kernels) {
    ids.push_back(kernel.id);
    if (kernel.id == "fake/set/needs_gpu") {
      EXPECT_EQ(kernel.unavailable, model::SkipReason::architecture);
      EXPECT_THAT(kernel.reason, HasSubstr("9.0"));
    }
    if (kernel.id == "fake/tensor/*") {
      EXPECT_EQ(kernel.unavailable, model::SkipReason::not_built);
    }
  }
  EXPECT_THAT(ids, ElementsAre("fake/set/good", "fake/set/hungry", "fake/set/needs_gpu", "fake/set/reference",
                               "fake/set/refuses", "fake/set/spoils_later", "fake/set/throws", "fake/set/wrong",
                               "fake/tensor/*"));
}

TEST_F(ServerTest, HelloTellsWhichKernelsAreALibrarysAndItsVersion) {
  auto const answer = last<HelloAnswer>(ask(protocol::HelloRequest{.client = "test"}));
  for (auto const& kernel : answer.kernels) {
    EXPECT_EQ(kernel.library, kernel.id == "fake/set/reference" ? "FakeBLAS" : "") << kernel.id;
  }
  EXPECT_THAT(answer.environment.libraries, ElementsAre(testing::Pair("FakeBLAS", "1.2.3")));
}

TEST_F(ServerTest, AnythingBeforeHelloIsRefusedAndTheWorkerLivesOn) {
  EXPECT_EQ(last<ErrorAnswer>(ask(protocol::PlanRequest{.problems = {"p"}})).code, "protocol");
  EXPECT_TRUE(alive_);
}

TEST_F(ServerTest, AnotherProtocolVersionIsRefusedWithBothVersionsNamed) {
  auto const error = last<ErrorAnswer>(ask(protocol::HelloRequest{.protocol = 99, .client = "test"}));
  EXPECT_EQ(error.code, "protocol");
  EXPECT_THAT(error.message, HasSubstr("99"));
}

TEST_F(ServerTest, AMissingDeviceIsAnErrorThatSaysSo) {
  auto const error = last<ErrorAnswer>(ask(protocol::HelloRequest{.client = "test", .device = 1}));
  EXPECT_EQ(error.code, "no_device");
  EXPECT_THAT(error.message, HasSubstr("no device 1"));
}

TEST_F(ServerTest, ALineThatIsNotAProtocolMessageIsAnswered) {
  EXPECT_EQ(last<ErrorAnswer>(ask_line("not json")).code, "protocol");
  EXPECT_TRUE(alive_);
}

TEST_F(ServerTest, ThePlanHoldsRefusedCasesWithReasonsAndRejectedProblems) {
  hello();
  auto const plan = last<PlanAnswer>(ask(protocol::PlanRequest{.problems = {"p", "nonsense", "only_good"}}));
  ASSERT_EQ(plan.rejected.size(), 1U);
  EXPECT_EQ(plan.rejected[0].problem, "nonsense");
  ASSERT_EQ(plan.cases.size(), 9U);
  for (auto const& planned : plan.cases) {
    EXPECT_EQ(planned.work.flop, 1000);
    if (planned.id == "fake/set/refuses@p") {
      EXPECT_EQ(planned.skip_reason, model::SkipReason::refused);
      EXPECT_EQ(planned.reason, "m must be even");
    }
    if (planned.id == "fake/set/needs_gpu@p") {
      EXPECT_EQ(planned.skip_reason, model::SkipReason::architecture);
    }
    if (planned.id == "fake/set/good@p") {
      EXPECT_EQ(planned.reference, "fake/set/reference@p");
      EXPECT_FALSE(planned.skip_reason.has_value());
    }
  }
}

TEST_F(ServerTest, AnUnknownKernelOrProblemIsAnError) {
  hello();
  EXPECT_EQ(last<ErrorAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/none@p"})).code, "unknown_case");
  EXPECT_EQ(last<ErrorAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/good@nonsense"})).code, "unknown_case");
}

TEST_F(ServerTest, ByeEndsTheWorker) {
  hello();
  (void)ask(protocol::ByeRequest{});
  EXPECT_FALSE(alive_);
}

}  // namespace
}  // namespace perfcheck::worker
