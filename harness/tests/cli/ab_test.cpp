// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Two builds against each other, end to end.
#include "program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

namespace perfcheck::cli::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

std::string const kA64 = "fake/a@f32,nn,m64n64k64";

class Ab : public ProgramTest {
 protected:
  Finished ab(std::string const& base_args, std::string const& head_args, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--base", worker(base_args)});
    return measure("ab", more, head_args);
  }
};

TEST_F(Ab, EqualBuildsPassWithoutAnyBaseline) {
  Finished const finished = ab("", "");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "pass")));
  EXPECT_FALSE(std::filesystem::exists(baseline_file()));
}

TEST_F(Ab, ASlowerHeadRegressedAndASlowerBaseMeansItImproved) {
  Finished const slower = ab("", "--slow 'fake/a@*=1.05'"), faster = ab("--slow 'fake/a@*=1.05'", "");
  EXPECT_EQ(slower.code, 1) << slower.err;
  EXPECT_EQ(faster.code, 0) << faster.err;
  for (auto const& [id, outcome] : outcomes(slower.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "regressed" : "pass") << id;
  }
  for (auto const& [id, outcome] : outcomes(faster.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "improved" : "pass") << id;
  }
}

TEST_F(Ab, BothBuildsAreMeasuredInAsManyFreshProcesses) {
  std::string const head = file("head.json").string(), base = file("base.json").string();
  ASSERT_EQ(ab("", "--slow 'fake/a@*m64*=1.05'", {"--out", head, "--out-base", base, "--pairs", "3"}).code, 1);
  auto const purposes = [&](std::string const& name) {
    std::map<std::string, int> count;
    nlohmann::json const run = nlohmann::json::parse(read(name));
    for (auto const& session : run.at("sessions")) {
      ++count[session.at("purpose")];
    }
    return count;
  };
  auto const of_head = purposes(head);
  EXPECT_EQ(of_head, purposes(base));
  EXPECT_EQ(of_head.at("screen"), 3);
  EXPECT_THAT(of_head.at("confirm"), ::testing::AnyOf(2, 4))
      << "two confirming sessions usually suffice for so clear a change, else four";
}

TEST_F(Ab, CasesAreVerifiedInTheFirstPairIfBothBuildsCanLeaveItOut) {
  std::string const head = file("head.json").string(), base = file("base.json").string();
  // For each session, the largest number of checks of a case.
  auto const checks = [&](std::string const& name) {
    std::vector<std::size_t> most;
    nlohmann::json const run = nlohmann::json::parse(read(name));
    for (auto const& session : run.at("sessions")) {
      most.push_back(0);
      for (auto const& one : session.at("cases")) {
        most.back() = std::max(most.back(), one.at("verification").at("checks").size());
      }
    }
    return most;
  };
  std::string const can = "--skips-verification";
  ASSERT_EQ(ab(can, can, {"--out", head, "--out-base", base, "--pairs", "3"}).code, 0);
  std::size_t const all = checks(head)[0];
  ASSERT_GT(all, 1U);
  EXPECT_THAT(checks(head), ElementsAre(all, 1, 1));
  EXPECT_THAT(checks(base), ElementsAre(all, 1, 1));
  for (auto const& [of_base, of_head] : {std::pair(can, std::string()), std::pair(std::string(), can)}) {
    ASSERT_EQ(ab(of_base, of_head, {"--out", head, "--out-base", base, "--pairs", "2"}).code, 0);
    EXPECT_THAT(checks(head), ElementsAre(all, all)) << "both builds must be verified in the same way";
    EXPECT_THAT(checks(base), ElementsAre(all, all));
  }
}

TEST_F(Ab, HowFarBothAreBehindWhatWasAcceptedIsSaid) {
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}).code, 0);
  Finished const finished = ab("--slow 'fake/a@*=1.2'", "--slow 'fake/a@*=1.204'");
  EXPECT_EQ(finished.code, 0) << finished.out;
  EXPECT_THAT(finished.json().at("notes").dump(),
              HasSubstr("2 cases are slower than in the accepted baseline by more than the margin"));
  for (auto const result = finished.json(); auto const& entry : result.at("cases")) {
    EXPECT_EQ(entry.contains("behind"), entry.at("id").get<std::string>().starts_with("fake/a@")) << entry;
  }
}

TEST_F(Ab, SlowdownsAreInjectedIntoTheHeadOnly) {
  Finished const finished = ab("", "", {"--inject-slowdown", "fake/b=4"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair("fake/b@f32,nn,m64n64k64", "regressed")));
}

TEST_F(Ab, ACaseThatTheHeadLostIsMissingAndANewOneHasNothingToCompareWith) {
  Finished const lost = ab("", "--kernels fake/reference,fake/b");
  EXPECT_EQ(lost.code, 2);
  EXPECT_THAT(outcomes(lost.json()), Contains(Pair(kA64, "missing")));
  Finished const fresh = ab("--kernels fake/reference,fake/b", "");
  EXPECT_EQ(fresh.code, 0) << fresh.err;
  EXPECT_THAT(outcomes(fresh.json()), Contains(Pair(kA64, "no_baseline")));
  EXPECT_THAT(fresh.out, HasSubstr("the base build has no such case"));
}

TEST_F(Ab, BuildsOnDifferentDevicesAreNotCompared) {
  Finished const finished = ab("--device-uuid OTHER", "");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("OTHER"));
}

TEST_F(Ab, SaysHowToMeasureAgainWithTheSameBase) {
  std::string const base = worker();
  Finished const finished = perfcheck({"ab", "--base", base, "--head", worker("--slow 'fake/a@*=1.1'")});
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("perfcheck ab --worker"));
  EXPECT_THAT(finished.out, HasSubstr("--base '"));
}

TEST_F(Ab, WithoutABaseBuildIsAUsageError) {
  EXPECT_EQ(measure("ab").code, 64);
  EXPECT_EQ(measure("ab", {"--base", "x", "--base-ref", "y"}).code, 64);
}

TEST_F(Ab, ABrokenHeadFailsAsEver) { EXPECT_EQ(ab("", "--fault 'result:fake/a@*=incorrect'").code, 2); }

class CheckWithBase : public Ab {
 protected:
  Finished check(std::string const& both, std::string const& head = "") const {
    return measure("check", {"--base", worker(both)}, both + " " + head);
  }
};

TEST_F(CheckWithBase, AMachineThatBecameSlowerAccusesNobody) {
  record();
  std::string const slower_machine = "--slow 'fake/a@*=1.05'";
  ASSERT_EQ(measure("check", {}, slower_machine).code, 1);
  Finished const finished = check(slower_machine);
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Each(Pair(::testing::_, "pass")));
}

TEST_F(CheckWithBase, ARealRegressionIsConfirmedAgainstTheBaseBuild) {
  record();
  Finished const finished = check("", "--slow 'fake/a@*=1.05'");
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.err, Not(HasSubstr("does not know this card")));
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair(kA64, "regressed")));
}

TEST_F(CheckWithBase, WithoutAnyBaselineTheBaseBuildStandsIn) {
  Finished const finished = check("", "--slow 'fake/a@*=1.05'");
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.err, HasSubstr("there is no baseline"));
}

TEST_F(CheckWithBase, OnAnUnknownCardTheBaseBuildStandsInForTheBaseline) {
  record();
  std::string const other_card = "--device-uuid OTHER";
  EXPECT_EQ(check(other_card).code, 0);
  Finished const finished = check(other_card, "--slow 'fake/a@*=1.025'");
  EXPECT_THAT(finished.err, HasSubstr("does not know this card"));
  EXPECT_EQ(finished.code, 1) << finished.out;
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair(kA64, "regressed")));
}

class BaseRef : public ProgramTest {
 protected:
  /// A repository whose worker is a script: at normal speed in the first commit, 5 % slower in fake/a in the second.
  void two_commits(std::string const& build) const {
    write("perfcheck.toml",
          read(file("perfcheck.toml")) + fmt::format("\n[base.cpu]\nbuild = \"{}\"\nworker = \"out/worker\"\n", build));
    write("worker.in", script(""));
    git("init -q -b main . && git add worker.in && git commit -q -m first");
    write("worker.in", script("--slow 'fake/a@*=1.05'"));
    git("commit -q -a -m second");
    write("worker", script("--slow 'fake/a@*=1.05'"));
    std::filesystem::permissions(file("worker"), std::filesystem::perms::owner_all);
  }
  std::string script(std::string const& args) const { return "#!/bin/sh\nexec " + worker(args) + "\n"; }
  void git(std::string const& words) const {
    std::string const command = fmt::format(
        "cd '{}' && export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org "
        "GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org && git {}",
        folder_.string(), words);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  Finished ab(std::string const& ref) const {
    return perfcheck({"ab", "--json", "--worker", file("worker").string(), "--base-ref", ref});
  }
  static constexpr char const* kBuild = "mkdir -p out && cp worker.in out/worker && chmod +x out/worker";
};

TEST_F(BaseRef, BuildsTheCommitOnceAndComparesWithIt) {
  two_commits(kBuild);
  Finished const first = ab("HEAD~1");
  EXPECT_EQ(first.code, 1) << first.err;
  EXPECT_THAT(outcomes(first.json()), Contains(Pair(kA64, "regressed")));
  EXPECT_THAT(first.err, HasSubstr("building HEAD~1"));
  Finished const again = ab("HEAD~1");
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.err, HasSubstr("built before"));
  EXPECT_EQ(ab("HEAD").code, 0) << "the second commit does not differ from itself";
}

TEST_F(BaseRef, LeavesThePresentTreeAsItIs) {
  two_commits(kBuild);
  write("worker.in", "changed and not committed");
  ASSERT_EQ(ab("HEAD~1").code, 1);
  EXPECT_EQ(read(file("worker.in")), "changed and not committed");
}

TEST_F(BaseRef, ABuildThatFailsShowsItsLastLinesAndIsTriedAgain) {
  two_commits("test ! -e ../../../broken && " + std::string(kBuild) + " || { echo no such luck; exit 7; }");
  write("broken", "");
  Finished const failed = ab("HEAD~1");
  EXPECT_EQ(failed.code, 3);
  EXPECT_THAT(failed.err, HasSubstr("no such luck"));
  EXPECT_THAT(failed.err, HasSubstr("exit code 7"));
  std::filesystem::remove(file("broken"));
  EXPECT_EQ(ab("HEAD~1").code, 1);
}

TEST_F(BaseRef, ABuildWithoutAWorkerIsAnError) {
  two_commits("true");
  Finished const finished = ab("HEAD~1");
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("base.cpu.worker"));
}

TEST_F(BaseRef, NamesThatAreNoCommitAreUsageErrors) {
  two_commits(kBuild);
  for (std::string const ref : {"nonsense", "--help", "HEAD:worker.in", ""}) {
    EXPECT_EQ(ab(ref).code, 64) << ref;
  }
}

TEST_F(BaseRef, WithoutARecipeSaysWhatToWrite) {
  Finished const finished = perfcheck({"ab", "--worker", worker(), "--base-ref", "HEAD"});
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("[base.cpu]"));
}

}  // namespace
}  // namespace perfcheck::cli::testing
