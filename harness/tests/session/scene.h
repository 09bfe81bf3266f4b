// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Sessions of the scripted worker.
#pragma once

#include "perfcheck/session/session_runner.h"

#include "scripted.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace perfcheck::session::testing {

class Recorder final : public SessionObserver {
 public:
  void case_started(std::string const& id, std::size_t index, std::size_t count) override {
    EXPECT_EQ(index, started.size());
    EXPECT_GT(count, index);
    started.push_back(id);
  }
  void case_phase(std::string const& id, std::string const& phase) override {
    EXPECT_EQ(id, started.back());
    phases.push_back(phase);
  }
  void case_finished(model::CaseResult const& result, std::size_t index, std::size_t /*count*/) override {
    EXPECT_EQ(result.id, started.back());
    EXPECT_EQ(index + 1, started.size());
    ++finished;
  }
  void worker_restarted(std::string const& why) override { restarts.push_back(why); }

  std::vector<std::string> started, phases, restarts;
  std::size_t finished = 0;
};

/// A session of the scripted worker over two problems: six cases, in the order of the plan.
struct Scene {
  SessionOptions options;
  Recorder recorder;
  Interrupt const* interrupt = nullptr;
  std::vector<protocol::PlannedCase> cases;

  explicit Scene(WorkerCommand worker, std::vector<std::string> const& problems = {"p1", "p2"}) {
    options.worker = std::move(worker);
    options.measure.max_rounds = 20;
    options.shuffle = false;
    WorkerClient planner(scripted(), nullptr);
    cases = planner.plan(problems, 20).cases;
  }

  model::Session run() { return run_session(cases, options, interrupt, recorder); }
};

inline std::map<std::string, model::CaseResult> by_id(model::Session const& session) {
  std::map<std::string, model::CaseResult> results;
  for (model::CaseResult const& result : session.cases) {
    EXPECT_TRUE(results.emplace(result.id, result).second) << result.id << " has two results";
  }
  return results;
}

}  // namespace perfcheck::session::testing
