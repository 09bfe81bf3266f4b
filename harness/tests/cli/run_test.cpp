// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck run and compare.
#include "program.h"

#include <gmock/gmock.h>

#include <csignal>
#include <iterator>
#include <sstream>

namespace perfcheck::cli::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Pair;

class Run : public ProgramTest {
 protected:
  std::string run_file(std::string const& name, std::string const& sessions, std::vector<std::string> args = {},
                       std::string const& worker_args = "") const {
    std::string const path = file(name).string();
    args.insert(args.end(), {"--sessions", sessions, "--out", path});
    EXPECT_EQ(measure("run", args, worker_args).code, 0);
    return path;
  }
};

TEST_F(Run, MeasuresAndComparesWithNothing) {
  Finished const finished = measure("run");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "measured")));
}

TEST_F(Run, ABrokenCaseFails) { EXPECT_EQ(measure("run", {}, "--fault 'result:fake/a@*=incorrect'").code, 2); }

/// Each worker process leaves a process behind, detached in a session of its own.
class Leftovers : public Run {
 protected:
  std::vector<pid_t> left_by(std::vector<std::string> args) const {
    write("leaving.sh",
          "(setsid sleep 100 > /dev/null 2>&1 & echo $! >> '" + file("left").string() + "')\nexec \"$@\"\n");
    args.insert(args.end(), {"--worker", "sh '" + file("leaving.sh").string() + "' " + worker()});
    EXPECT_EQ(perfcheck(args).code, 0);
    std::istringstream pids(read(file("left")));
    return {std::istream_iterator<pid_t>(pids), {}};
  }
};

TEST_F(Leftovers, OfAWorkerEndWithIt) {
  auto const left = left_by({"run"});
  EXPECT_FALSE(left.empty());
  for (pid_t const pid : left) EXPECT_NE(::kill(pid, 0), 0) << pid;
}

TEST_F(Leftovers, GoOnWhereNothingIsTimed) {
  auto const left = left_by({"run", "--verify-only"});
  EXPECT_FALSE(left.empty());
  for (pid_t const pid : left) EXPECT_EQ(::kill(pid, SIGKILL), 0) << pid;
}

TEST_F(Run, WritesAFileThatHoldsEverySession) {
  auto const run = nlohmann::json::parse(read(run_file("run.json", "3", {"--seed", "7"})));
  EXPECT_EQ(run.at("sessions").size(), 3U);
  EXPECT_EQ(run.at("sessions").at(0).at("seed"), 7);
  EXPECT_EQ(run.at("sessions").at(2).at("seed"), 9);
}

TEST_F(Run, CasesLeftOutByARuleAreListedWithTheReason) {
  Finished const finished = measure("run", {"--suite", "ruled"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/a@f32,nn,m1024n1024k1024", "skipped")));
  Finished const text = perfcheck({"run", "--worker", worker(), "--suite", "ruled"});
  EXPECT_THAT(text.out, HasSubstr("skipped: 1 suite_rule"));
  Finished const verbose = perfcheck({"run", "--worker", worker(), "--suite", "ruled", "--verbose"});
  EXPECT_THAT(verbose.out, HasSubstr("too slow (2.147 GFLOP, the suite's limit for fake/a is 1)"));
}

TEST_F(Run, CompareNeedsNoWorkerAndFindsWhatChanged) {
  std::string const base = run_file("base.json", "6"), same = run_file("same.json", "5");
  std::string const slow = run_file("slow.json", "5", {"--inject-slowdown", "fake/a=4"});
  EXPECT_EQ(perfcheck({"compare", base, same}).code, 0);
  Finished const finished = perfcheck({"compare", base, slow, "--json"});
  EXPECT_EQ(finished.code, 1);
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "regressed" : "pass") << id;
  }
  Finished const swapped = perfcheck({"compare", slow, base, "--json"});
  EXPECT_EQ(swapped.code, 0);
  EXPECT_THAT(outcomes(swapped.json()), Contains(Pair("fake/a@f32,nn,m64n64k64", "improved")));
  EXPECT_EQ(perfcheck({"compare", base, slow, "--filter", "fake/b"}).code, 0);
}

TEST_F(Run, CompareWithTooFewSessionsIsUndecided) {
  std::string const base = run_file("base.json", "1"), now = run_file("now.json", "1");
  Finished const finished = perfcheck({"compare", base, now});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.out, HasSubstr("1 of the 3 sessions"));
}

TEST_F(Run, CompareMissesWhatDidNotRunAgain) {
  std::string const base = run_file("base.json", "5");
  std::string const less = run_file("less.json", "5", {}, "--kernels fake/reference,fake/a");
  EXPECT_EQ(perfcheck({"compare", base, less}).code, 2);
  std::string const filtered = run_file("filtered.json", "5", {"--filter", "fake/a"});
  EXPECT_EQ(perfcheck({"compare", base, filtered}).code, 2)
      << "the run file's own filter must not excuse missing cases";
  EXPECT_EQ(perfcheck({"compare", base, filtered, "--filter", "fake/a"}).code, 0)
      << "the command's own filter asks for less";
}

TEST_F(Run, CompareWithOneFileDecidesByTheStoredBaseline) {
  record();
  std::string const same = run_file("same.json", "5");
  std::string const slow = run_file("slow.json", "5", {"--inject-slowdown", "fake/a=4"});
  EXPECT_EQ(perfcheck({"compare", same}).code, 0);
  Finished const finished = perfcheck({"compare", slow, "--json"});
  EXPECT_EQ(finished.code, 1);
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "regressed" : "pass") << id;
  }
}

TEST_F(Run, CompareWithTheStoredBaselineMissesCasesThatTheCommandDoesNotLeaveOut) {
  record();
  std::string const less = run_file("less.json", "5", {}, "--kernels fake/reference,fake/a");
  Finished const finished = perfcheck({"compare", less, "--json"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/b@f32,nn,m64n64k64", "missing")));
  std::string const problem = "*@f32,nn,m64n64k64";
  EXPECT_EQ(perfcheck({"compare", run_file("part.json", "5", {"--filter", problem}), "--filter", problem}).code, 0);
}

TEST_F(Run, CompareWithoutAStoredBaselineIsUndecidedAndSaysWhereItLooked) {
  std::string const run = run_file("run.json", "3");
  Finished const finished = perfcheck({"compare", run, "--baselines", file("elsewhere").string()});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("elsewhere/scripted-device/gemm.json"));
}

TEST_F(Run, CompareOfARunWithoutSessionsIsBroken) {
  auto run = nlohmann::json::parse(read(run_file("run.json", "1")));
  run["sessions"] = nlohmann::json::array();
  write("empty.json", run.dump());
  Finished const finished = perfcheck({"compare", file("empty.json").string()});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("empty.json"));
}

TEST_F(Run, CompareRefusesAnotherDevice) {
  std::string const base = run_file("base.json", "3");
  std::string const other = run_file("other.json", "3", {}, "--device-name Other");
  Finished const finished = perfcheck({"compare", base, other});
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("scripted-device"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
