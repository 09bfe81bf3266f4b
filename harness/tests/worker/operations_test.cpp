// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker with two operations: which problems, kernels and references belong to which.
#include "fake_worker.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

namespace perfcheck::worker {
namespace {

using protocol::ErrorAnswer;
using protocol::HelloAnswer;
using protocol::PlanAnswer;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

KernelRegistration const plain{{.operation = "rows", .set = "rows/cpu", .name = "plain", .file = "rows.cpp"}};
KernelRegistration const library{{.operation = "rows", .set = "rows/cpu", .name = "library", .file = "rows.cpp"}};

/// Problems "r<rows>", which fail on kernels of other operations, as an operation would that reads a kernel's typed
/// part.
class RowsProblem final : public Problem {
 public:
  explicit RowsProblem(std::string text) : text_(std::move(text)) {}
  std::string text() const override { return text_; }
  model::Work work() const override { return {.flop = 10, .bytes = 80}; }
  std::string arithmetic() const override { return "f32"; }
  std::vector<model::Axis> axes() const override { return {{"rows", std::stoi(text_.substr(1))}}; }
  bool concerns(KernelInfo const& kernel) const override { return known(kernel); }
  Refusal refusal(KernelInfo const& kernel) const override {
    (void)known(kernel);
    return std::nullopt;
  }
  model::CaseName reference(KernelInfo const& kernel) const override {
    (void)known(kernel);
    return {.kernel = "rows/cpu/library", .problem = text_};
  }
  model::Verification verify(device::Backend&, KernelInfo const&, uint64_t) override {
    return {.passed = false, .checks = {{.name = "exact", .passed = false, .detail = "row 1 of " + text_}}};
  }
  std::unique_ptr<TimedCase> prepare(device::Backend&, KernelInfo const&) override { return nullptr; }

 private:
  static bool known(KernelInfo const& kernel) {
    if (std::string(kernel.operation) != "rows") throw std::logic_error(kernel.id() + " is no kernel of rows");
    return true;
  }

  std::string text_;
};

class RowsOperation final : public Operation {
 public:
  explicit RowsOperation(std::string name = "rows") : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Problem> parse(std::string_view text) const override {
    if (!text.starts_with('r')) throw std::invalid_argument("must be rows, as in r16");
    return std::make_unique<RowsProblem>(std::string(text));
  }

 private:
  std::string name_;
};

class OperationsTest : public ServerTest {
 protected:
  OperationsTest() { setup_.operations.push_back(std::make_unique<RowsOperation>()); }

  PlanAnswer plan(std::vector<std::string> problems) {
    hello();
    return last<PlanAnswer>(ask(protocol::PlanRequest{.problems = std::move(problems)}));
  }
};

std::vector<std::string> ids_of(PlanAnswer const& plan) {
  std::vector<std::string> ids;
  for (protocol::PlannedCase const& planned : plan.cases) ids.push_back(planned.id);
  return ids;
}

TEST_F(OperationsTest, HelloNamesThemAllAndListsTheKernelsOfAll) {
  auto const answer = last<HelloAnswer>(ask(protocol::HelloRequest{.client = "test"}));
  EXPECT_EQ(answer.worker.operation, "fake");
  EXPECT_THAT(answer.worker.operations, ElementsAre("fake", "rows"));
  EXPECT_THAT(answer.kernels, testing::Contains(testing::Field(&model::KernelEntry::id, "rows/cpu/plain")));
  EXPECT_THAT(answer.kernels, testing::Contains(testing::Field(&model::KernelEntry::id, "fake/set/good")));
}

TEST_F(ServerTest, HelloOfAWorkerWithOneOperationIsWhatItAlwaysWas) {
  auto const answer = last<HelloAnswer>(ask(protocol::HelloRequest{.client = "test"}));
  EXPECT_THAT(answer.worker.operations, ElementsAre());
  EXPECT_THAT(lines_.back(), testing::Not(HasSubstr("operations")));
}

TEST_F(OperationsTest, AProblemWithANameIsOfThatOperationAndItsIdsKeepTheName) {
  PlanAnswer const answer = plan({"rows:r16"});
  EXPECT_THAT(ids_of(answer), ElementsAre("rows/cpu/library@rows:r16", "rows/cpu/plain@rows:r16"));
  EXPECT_EQ(answer.cases.at(1).reference, "rows/cpu/library@rows:r16");
}

TEST_F(OperationsTest, AProblemWithoutANameIsOfTheFirstOperationWhoseNameIsNoPartOfIds) {
  PlanAnswer const answer = plan({"fake:only_good"});
  EXPECT_THAT(ids_of(answer), ElementsAre("fake/set/good@only_good"));
  EXPECT_EQ(answer.cases.at(0).reference, "fake/set/reference@only_good");
  EXPECT_EQ(measure("fake/set/good@only_good").status, model::CaseStatus::measured);
}

TEST_F(OperationsTest, TwoTextsOfOneProblemAreNotPlannedTwice) {
  PlanAnswer const answer = plan({"only_good", "fake:only_good"});
  EXPECT_THAT(ids_of(answer), ElementsAre("fake/set/good@only_good"));
  ASSERT_EQ(answer.rejected.size(), 1U);
  EXPECT_EQ(answer.rejected[0].problem, "fake:only_good");
  EXPECT_EQ(answer.rejected[0].message, "it means the same as \"only_good\"; leave one out");
}

TEST_F(OperationsTest, APlanTellsTheAxesOfProblemsThatHaveAny) {
  EXPECT_THAT(plan({"rows:r16", "p"}).problems,
              ElementsAre(model::ProblemInfo{.text = "rows:r16", .axes = {{"rows", 16}}}));
}

TEST_F(OperationsTest, ATextThatNoOperationReadsIsRejectedWithTheNamesThatMayStandInFront) {
  PlanAnswer const answer = plan({"rows:16", "nonsense"});
  ASSERT_EQ(answer.rejected.size(), 2U);
  EXPECT_EQ(answer.rejected[0].message, "must be rows, as in r16");
  EXPECT_THAT(answer.rejected[1].message,
              AllOf(HasSubstr("is not a problem"), HasSubstr("begins with its name: rows:")));
}

TEST_F(OperationsTest, ACaseIsMeasuredByItsOwnOperation) {
  hello();
  EXPECT_EQ(measure("rows/cpu/plain@rows:r16").verification->checks.at(0).detail, "row 1 of r16");
  EXPECT_EQ(measure("fake/set/good@p").status, model::CaseStatus::measured);
}

TEST_F(OperationsTest, AKernelIsNotGivenAProblemOfAnotherOperation) {
  hello();
  auto const error = last<ErrorAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/good@rows:r16"}));
  EXPECT_EQ(error.code, "unknown_case");
  EXPECT_THAT(error.message, HasSubstr("fake/set/good is a kernel of fake, the problem is of rows"));
  auto const other = last<ErrorAnswer>(ask(protocol::MeasureRequest{.case_id = "rows/cpu/plain@p"}));
  EXPECT_THAT(other.message, HasSubstr("rows/cpu/plain is a kernel of rows, the problem is of fake"));
}

TEST(Operations, ThatShareANameOrHaveNoneAreRefused) {
  Operations operations;
  EXPECT_THAT([&] { (void)names_of(operations); }, ThrowsMessage<std::logic_error>(HasSubstr("OPERATION <operation>")));
  operations.push_back(std::make_unique<RowsOperation>());
  EXPECT_THAT(names_of(operations), ElementsAre("rows"));
  operations.push_back(std::make_unique<RowsOperation>());
  EXPECT_THAT([&] { (void)names_of(operations); },
              ThrowsMessage<std::logic_error>(HasSubstr("two operations of the worker are called rows; rename one")));
  operations.back() = std::make_unique<RowsOperation>("Rows:");
  EXPECT_THAT([&] { (void)names_of(operations); },
              ThrowsMessage<std::logic_error>(HasSubstr("'Rows:' is no operation's name; use lower-case")));
}

}  // namespace
}  // namespace perfcheck::worker
