// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// ci/slurm on a real Slurm on this machine (slurm_cluster.sh), with a real PostgreSQL as the history that all tasks
// share.
#include "program.h"

#include "postgres_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sys/wait.h>
#include <cstdlib>

namespace perfcheck::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// This program's cluster; `why_not` says why there is none.
class SlurmCluster {
 public:
  static SlurmCluster const* shared(std::string& why_not) {
    static SlurmCluster const cluster;
    why_not = cluster.why_not_;
    return cluster.why_not_.empty() ? &cluster : nullptr;
  }

  ~SlurmCluster() {
    (void)!std::system(fmt::format("{} stop {}", PERFCHECK_SLURM_CLUSTER, folder_.path().string()).c_str());
  }
  SlurmCluster(SlurmCluster const&) = delete;
  SlurmCluster& operator=(SlurmCluster const&) = delete;

 private:
  SlurmCluster() {
    std::string const log = (folder_.path() / "start.log").string();
    int const status = std::system(
        fmt::format("{} start {} > {} 2>&1", PERFCHECK_SLURM_CLUSTER, folder_.path().string(), log).c_str());
    constexpr int kSkipped = 77;
    if (WEXITSTATUS(status) == kSkipped) {
      why_not_ = "no Slurm here";
    } else if (status != 0) {
      why_not_ = "Slurm did not start";
    }
    ::setenv("SLURM_CONF", (folder_.path() / "slurm.conf").c_str(), 1);
  }

  history::testing::TemporaryFolder folder_;
  std::string why_not_;
};

class Slurm : public ProgramTest {
 protected:
  void SetUp() override {
    std::string why_not;
    if (SlurmCluster::shared(why_not) == nullptr) {
      ASSERT_EQ(why_not, "no Slurm here") << "it is installed and does not start";
      GTEST_SKIP() << why_not;
    }
    history::testing::PostgresServer* const server = history::testing::PostgresServer::shared(why_not);
    if (server == nullptr) {
      GTEST_SKIP() << why_not;
    }
    database_ = server->address(server->create_database());
    record();
  }

  /// Runs ci/slurm/submit.sh with four shards of the scripted worker.
  Finished submit(std::string const& worker, std::vector<std::string> const& more = {}) const {
    std::string command = fmt::format(
        "cd {0} && {1}/ci/slurm/submit.sh --programs {2} --shards 4 --out {0}/out --gres none --config perfcheck.toml "
        "--baselines baselines --worker \"$WORKER\" --retry-budget 0",
        folder_.string(), PERFCHECK_SOURCE_DIR, std::filesystem::path(PERFCHECK_PROGRAM).parent_path().string());
    for (std::string const& word : more) {
      command += " " + word;
    }
    ::setenv("WORKER", worker.c_str(), 1);
    int const status = std::system(fmt::format("{} > {} 2>&1", command, file("submit.log").string()).c_str());
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, .out = read(file("submit.log")), .err = ""};
  }

  std::string shown_runs() const { return perfcheck({"history", "show", "--history", database_}).out; }

  std::string database_;
};

TEST_F(Slurm, AnArrayOfFourFillsTheDatabaseAndTheMergeDecides) {
  std::string const history = fmt::format("--history '{}'", database_);
  Finished const good = submit(worker(), {history});
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_THAT(shown_runs(), HasSubstr("1 run"));
  EXPECT_THAT(read(file("out/whole/summary.md")), HasSubstr("passed"));
  EXPECT_THAT(read(file("out/whole/run.json")), HasSubstr("\"s4\"")) << "a session of each shard";

  Finished const slow = submit(worker("--slow 'fake/a@*=1.05'"), {history});
  EXPECT_EQ(slow.code, 1) << slow.out;
  EXPECT_THAT(shown_runs(), HasSubstr("2 runs"));
  EXPECT_THAT(read(file("out/whole/summary.md")), HasSubstr("regressed"));
  EXPECT_EQ(outcomes(nlohmann::json::parse(read(file("out/whole/check.json")))),
            outcomes(measure("check", {}, "--slow 'fake/a@*=1.05'").json()))
      << "the shards must be decided as a single run is";
}

TEST_F(Slurm, AShardThatDiesFailsTheWholeByItsName) {
  write("worker.sh", fmt::format("#!/bin/sh\n[ \"$SLURM_ARRAY_TASK_ID\" != 3 ] || exit 1\nexec {}\n", worker()));
  std::filesystem::permissions(file("worker.sh"), std::filesystem::perms::owner_all);
  for (std::string const& history : {std::string(), fmt::format("--history '{}'", database_)}) {
    Finished const finished = submit(file("worker.sh").string(), {history});
    EXPECT_EQ(finished.code, 2) << finished.out;
    EXPECT_THAT(read(file("out/whole/summary.md")), HasSubstr("shard 3 of 4 brought no run file")) << finished.out;
  }
  EXPECT_THAT(shown_runs(), Not(HasSubstr("1 run"))) << "a shard must not be listed as a run";
}

TEST_F(Slurm, ThePasswordOfTheHistoryIsInNoJobAndNoLog) {
  (void)submit(worker(), {"--history 'postgresql://ci:secret-word@localhost:1/perf'"});
  std::string const everywhere =
      fmt::format("scontrol show job > {0}/jobs; grep -rl secret-word {0}/jobs {0}/out", folder_.string());
  EXPECT_NE(std::system(everywhere.c_str()), 0) << "grep found it";
}

}  // namespace
}  // namespace perfcheck::cli::testing
