// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker that dies, hangs or lies costs one case only; a signal leaves no process behind.
#include "program.h"

#include "perfcheck/session/child_process.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <chrono>

namespace perfcheck::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Fault {
  char const* fault;
  char const* outcome;
};

class Failure : public ProgramTest, public ::testing::WithParamInterface<Fault> {};

TEST_P(Failure, CostsOneCase) {
  record();
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[measure]\ncase_timeout_s = 1\n");
  std::string const victim = "fake/b@f32,nn,m65n66k67";
  std::string fault = GetParam().fault;
  fault.replace(fault.find("CASE"), 4, victim);
  Finished const finished = measure("check", {}, "--fault '" + fault + "'");
  EXPECT_EQ(finished.code, 2) << finished.err;
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id == victim ? GetParam().outcome : "pass") << id;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, Failure,
    ::testing::Values(Fault{"during:CASE=segv", "crashed"}, Fault{"during:CASE=abort", "crashed"},
                      Fault{"during:CASE=exit:3", "crashed"}, Fault{"during:CASE=hang", "timed_out"},
                      Fault{"result:CASE=half-line", "crashed"}, Fault{"result:CASE=garbage", "failed"},
                      Fault{"result:CASE=incorrect", "incorrect"}, Fault{"result:CASE=failed", "failed"},
                      Fault{"result:CASE=context-lost", "crashed"}),
    [](auto const& test) {
      std::string name = test.param.fault;
      name.replace(name.find(":CASE="), 6, "_");
      std::ranges::replace_if(name, [](char c) { return c == '-' || c == ':'; }, '_');
      return name;
    });

class Worker : public ProgramTest {};

TEST_F(Worker, WithoutItsDeviceIsBroken) {
  Finished const finished = measure("check", {"--device", "3"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("no_device"));
  EXPECT_THAT(finished.out, IsEmpty());
}

TEST_F(Worker, ThatDoesNotExistIsBrokenInOneLine) {
  Finished const finished = perfcheck({"check", "--worker", "./no-such-worker"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("no-such-worker"));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}

TEST_F(Worker, ThatDiesAtHelloIsBroken) {
  for (char const* fault : {"hello=segv", "hello=garbage", "plan=exit:1"}) {
    Finished const finished = measure("check", {}, std::string("--fault ") + fault);
    EXPECT_EQ(finished.code, 2) << fault;
    EXPECT_THAT(finished.err, HasSubstr("perfcheck: ")) << fault;
  }
}

TEST_F(Worker, ThatTakesTooLongToStartIsBrokenAndTheRemedyIsNamed) {
  auto const begin = std::chrono::steady_clock::now();
  Finished const finished = measure("check", {"--start-timeout", "0.2"}, "--fault hello=hang");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << "the default is 60";
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err,
              HasSubstr("exceeded its time limit while starting and was killed; --start-timeout gives more"));
}

TEST_F(Worker, UsedUpTimeFailsWhatIsLeft) {
  record();
  Finished const finished = measure("check", {"--time-budget", "0.2"}, "--delay-ms 150");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.out, HasSubstr("time budget used up"));
}

TEST_F(Worker, InterruptedLeavesNoFileAndNoProcess) {
  for (int const signal : {SIGINT, SIGTERM}) {
    std::string const pids = file("pids").string();
    session::ChildProcess process({PERFCHECK_PROGRAM, "check", "--config", file("perfcheck.toml").string(), "--worker",
                                   worker("--delay-ms 100000 --pid-file " + pids), "--record-missing-baseline", "--out",
                                   file("run.json").string()});
    std::string line;
    session::Deadline const deadline = session::deadline_after(30);
    while (process.error_tail().find("recording 1 of ") == std::string::npos &&
           std::chrono::steady_clock::now() < deadline) {
      (void)process.read_line(line, session::deadline_after(0.02));
    }
    ASSERT_EQ(kill(process.pid(), signal), 0);
    session::ExitState const state = process.wait_or_kill(deadline);
    EXPECT_FALSE(state.signalled);
    EXPECT_EQ(state.code, 130);
    EXPECT_FALSE(std::filesystem::exists(baseline_file()));
    EXPECT_FALSE(std::filesystem::exists(file("run.json")));
    std::istringstream written(read(pids));
    for (pid_t pid = 0; written >> pid;) {
      EXPECT_NE(kill(pid, 0), 0) << "worker " << pid << " is still there";
    }
  }
}

}  // namespace
}  // namespace perfcheck::cli::testing
