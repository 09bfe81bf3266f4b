// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker that is printed in full in docs/protocol.md behaves as the page says.
#include "perfcheck/session/session_runner.h"
#include "process_check.h"

#include <gtest/gtest.h>

#include <system_error>

namespace perfcheck::session {
namespace {

std::string python_of(std::string const& path) {
  std::ifstream in(path);
  std::string const text{std::istreambuf_iterator<char>(in), {}};
  std::string const fence = "```python\n";
  std::size_t const begin = text.find(fence);
  std::size_t const end = text.find("\n```", begin);
  EXPECT_NE(end, std::string::npos) << "no Python in " << path;
  return text.substr(begin + fence.size(), end - begin - fence.size());
}

class DocumentedWorker : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      ChildProcess python({"python3", "--version"});
      (void)python.wait_or_kill(deadline_after(20));
    } catch (std::system_error const&) {
      GTEST_SKIP() << "no python3 here";
    }
    std::ofstream(file_.path()) << python_of(PERFCHECK_PROTOCOL_DOCUMENT);
    options_.worker.argv = {"python3", file_.path()};
    options_.measure.min_rounds = 3;
  }

  model::Session run(std::vector<std::string> const& problems) {
    WorkerClient planner(options_.worker, nullptr);
    protocol::PlanAnswer const plan = planner.plan(problems, 20);
    rejected_ = plan.rejected;
    SessionObserver nobody;
    return run_session(plan.cases, options_, nullptr, nobody);
  }

  testing::TemporaryFile file_;
  SessionOptions options_;
  std::vector<protocol::RejectedProblem> rejected_;
};

TEST_F(DocumentedWorker, Measures) {
  options_.measure.inject_percent = 10;
  model::Session const session = run({"100", "1000", "many"});
  ASSERT_EQ(session.cases.size(), 4U);
  for (model::CaseResult const& result : session.cases) {
    EXPECT_EQ(result.status, model::CaseStatus::measured) << result.id << ": " << result.message;
  }
  EXPECT_EQ(session.restarts, 0);
  EXPECT_EQ(rejected_.size(), 1U);
}

TEST_F(DocumentedWorker, OnlyVerifiesWhenAsked) {
  options_.measure.verify_only = true;
  for (model::CaseResult const& result : run({"100"}).cases) {
    EXPECT_EQ(result.skip_reason, model::SkipReason::verify_only) << result.message;
  }
}

TEST_F(DocumentedWorker, RefusesADeviceItDoesNotHave) {
  options_.worker.device = 1;
  EXPECT_THROW(WorkerClient(options_.worker, nullptr), WorkerRefused);
}

}  // namespace
}  // namespace perfcheck::session
