// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A check in shards, and perfcheck merge, end to end.
#include "program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace perfcheck::cli::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class Shards : public ProgramTest {
 protected:
  /// Checks each of `count` shards and writes their run files to shards/.
  void check_shards(int count, std::vector<std::string> const& args = {}, std::string const& worker_args = "") const {
    std::filesystem::create_directories(file("shards"));
    for (int index = 1; index <= count; ++index) {
      std::vector<std::string> all{"--shard", fmt::format("{}/{}", index, count), "--out",
                                   fmt::format("shards/{}.run.json", index)};
      all.insert(all.end(), args.begin(), args.end());
      Finished const shard = measure("check", all, worker_args);
      ASSERT_THAT(shard.code, ::testing::AnyOf(0, 1, 3)) << shard.err;
    }
  }

  Finished merge(std::vector<std::string> const& args = {}) const {
    std::vector<std::string> all{"merge", "shards", "--json"};
    all.insert(all.end(), args.begin(), args.end());
    return perfcheck(all);
  }
};

TEST_F(Shards, MergedPassAsOneRunDoes) {
  record();
  check_shards(2);
  Finished const merged = merge();
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(outcomes(merged.json()), outcomes(measure("check").json()));
}

TEST_F(Shards, MergedRegressAsOneRunDoes) {
  record();
  std::string const slow = "--slow 'fake/a@*=1.05'";
  check_shards(2, {}, slow);
  Finished const merged = merge(), whole = measure("check", {}, slow);
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_EQ(whole.code, 1);
  EXPECT_EQ(outcomes(merged.json()), outcomes(whole.json()));
}

TEST_F(Shards, AMissingOneFailsByItsName) {
  record();
  check_shards(2);
  std::filesystem::remove(file("shards/2.run.json"));
  Finished const merged = merge();
  EXPECT_EQ(merged.code, 2);
  EXPECT_THAT(merged.json().at("notes").dump(), HasSubstr("shard 2 of 2 brought no run file"));
  EXPECT_THAT(outcomes(merged.json()), Contains(Pair(::testing::_, "missing")));
}

TEST_F(Shards, OfTwoFanOutsAreNotMixed) {
  record();
  check_shards(2, {"--fan-out", "ci-1"});
  ASSERT_EQ(measure("check", {"--shard", "2/2", "--fan-out", "ci-2", "--out", "shards/2.run.json"}).code, 0);
  Finished const merged = merge();
  EXPECT_EQ(merged.code, 64);
  EXPECT_THAT(merged.err, HasSubstr("not shards of one fan-out"));
}

TEST_F(Shards, AWholeRunIsNoShard) {
  record();
  std::filesystem::create_directories(file("shards"));
  ASSERT_EQ(measure("check", {"--out", "shards/1.run.json"}).code, 0);
  EXPECT_THAT(merge().err, HasSubstr("is no shard"));
}

TEST_F(Shards, WithoutConfirmationAreDecidedFromTheirSessions) {
  record();
  std::filesystem::create_directories(file("shards"));
  for (char const* shard : {"1/2", "2/2"}) {
    ASSERT_EQ(
        measure("run", {"--shard", shard, "--sessions", "5", "--out", fmt::format("shards/{}.run.json", shard[0])},
                "--slow 'fake/b@*=1.05'")
            .code,
        0);
  }
  Finished const merged = merge({"--out", "whole.run.json"});
  EXPECT_EQ(merged.code, 1) << merged.err;
  for (auto const& [id, outcome] : outcomes(merged.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/b@") ? "regressed" : "pass") << id;
  }
  Finished const compared = perfcheck({"compare", "whole.run.json", "--json"});
  EXPECT_EQ(outcomes(compared.json()), outcomes(merged.json())) << "the merged file must give the same outcomes";
}

TEST_F(Shards, WaitInAHistoryUntilTheyAreMerged) {
  record();
  std::vector<std::string> const history{"--fan-out", "ci-1", "--history", "perf.sqlite"};
  check_shards(2, history);
  EXPECT_THAT(perfcheck({"history", "show", "--history", "perf.sqlite"}).out, Not(HasSubstr("1 run")));
  std::vector<std::string> merge_them{"merge", "--json"};
  merge_them.insert(merge_them.end(), history.begin(), history.end());
  Finished const merged = perfcheck(merge_them);
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(outcomes(merged.json()), Each(Pair(::testing::_, "pass")));
  EXPECT_THAT(perfcheck({"history", "show", "--history", "perf.sqlite"}).out, HasSubstr("1 run"));
  Finished const again = perfcheck(merge_them);
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("there is no shard of fan-out ci-1"));
}

TEST_F(Shards, InAHistoryNeedANameAndAllOfThem) {
  record();
  Finished const nameless = measure("check", {"--shard", "1/2", "--history", "perf.sqlite"});
  EXPECT_EQ(nameless.code, 64);
  EXPECT_THAT(nameless.err, HasSubstr("--fan-out ID"));
  ASSERT_EQ(measure("check", {"--shard", "1/2", "--fan-out", "x", "--history", "perf.sqlite"}).code, 0);
  Finished const merged = perfcheck({"merge", "--fan-out", "x", "--history", "perf.sqlite"});
  EXPECT_EQ(merged.code, 2);
  EXPECT_THAT(perfcheck({"history", "show", "--history", "perf.sqlite"}).out, Not(HasSubstr("1 run")))
      << "a shard without the others must not be listed as a run";
}

TEST_F(Shards, ComparedWithABaseBuildAreMergedWithIt) {
  // There is no baseline: the base build must decide about the merged run, as it did about each shard.
  std::string const base = worker();
  check_shards(2, {"--base", base}, "--slow 'fake/a@*=1.05'");
  Finished const merged = merge({"--out", "whole.run.json"});
  EXPECT_EQ(merged.code, 1) << merged.err;
  for (auto const& [id, outcome] : outcomes(merged.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "regressed" : "pass") << id;
  }
  Finished const compared = perfcheck({"compare", "whole.run.json", "--json"});
  EXPECT_EQ(outcomes(compared.json()), outcomes(merged.json()));
}

TEST_F(Shards, ConfirmedAgainstABaseBuildAreConfirmedInTheWhole) {
  // The machine is slower than when the baseline was recorded, and the base build shows it.
  record();
  std::string const slower = "--slow '*=1.05'";
  check_shards(2, {"--base", worker(slower)}, slower);
  Finished const merged = merge();
  EXPECT_EQ(merged.code, 0) << merged.out;
  std::filesystem::remove_all(file("shards"));
  check_shards(2, {}, slower);
  EXPECT_EQ(merge().code, 1) << "without the base build, the slower machine looks like slower code";
}

class Devices : public ProgramTest {};

TEST_F(Devices, OfOneMachineMeasureAShardEachAtOnce) {
  record();
  Finished const finished = measure("check", {"--devices", "all", "--out", "now.run.json", "--history", "perf.sqlite"},
                                    "--devices 3 --slow 'fake/a@*=1.1'");
  EXPECT_EQ(finished.code, 1) << finished.err;
  for (auto const& [id, outcome] : outcomes(finished.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/a@") ? "regressed" : "pass") << id;
  }
  EXPECT_THAT(finished.err, HasSubstr("[device 2]"));
  std::string const run = read(file("now.run.json"));
  EXPECT_THAT(run, HasSubstr("SCRIPTED-0-1"));
  EXPECT_THAT(run, HasSubstr("SCRIPTED-0-2"));
  EXPECT_THAT(perfcheck({"history", "show", "--history", "perf.sqlite"}).out, HasSubstr("1 run"));
}

TEST_F(Devices, OneThatCannotBeUsedFailsTheWhole) {
  record();
  Finished const finished = measure("check", {"--devices", "0,5"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, HasSubstr("[device 5] left no run file"));
  EXPECT_THAT(finished.json().at("notes").dump(), HasSubstr("shard 2 of 2 brought no run file"));
}

TEST_F(Devices, AreNamedAsAllOrByIndices) {
  for (char const* text : {"", "0,", "0,0", "x", "-1"}) {
    Finished const finished = measure("run", {fmt::format("--devices={}", text)});
    EXPECT_EQ(finished.code, 64) << text << finished.err;
  }
}

TEST_F(Shards, ThatCannotBeAreUsageErrors) {
  for (char const* shard : {"0/2", "3/2", "1", "1/2x", "a/b", "-1/2"}) {
    Finished const finished = measure("check", {fmt::format("--shard={}", shard)});
    EXPECT_EQ(finished.code, 64) << shard;
    EXPECT_THAT(finished.err, HasSubstr("--shard")) << shard;
  }
  EXPECT_THAT(perfcheck({"merge", "nowhere.run.json"}).code, 74);
  std::filesystem::create_directories(file("empty"));
  EXPECT_THAT(perfcheck({"merge", "empty"}).err, HasSubstr("there is no *.run.json"));
}

TEST_F(Shards, WithNothingToMeasureAreThereAllTheSame) {
  record();
  check_shards(8);
  Finished const merged = merge();
  EXPECT_EQ(merged.code, 0) << merged.out;
  EXPECT_THAT(outcomes(merged.json()), ::testing::SizeIs(6));
  Finished const nothing = measure("check", {"--filter", "nothing*", "--shard", "1/8"});
  EXPECT_EQ(nothing.code, 2) << "a filter that matches nothing must fail, unlike an empty shard";
}

}  // namespace
}  // namespace perfcheck::cli::testing
