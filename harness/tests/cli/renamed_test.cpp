// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// [renamed] and [retired] end to end: after a rename, everything that was measured under the old id still counts.
#include "renamed_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <iterator>
#include <regex>

namespace perfcheck::cli::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

class Renamed : public RenamedTest {};

TEST_F(Renamed, ACaseIsComparedWithTheBaselineOfItsOldId) {
  record();
  EXPECT_EQ(measure("check", {}, kNewA).code, 2) << "without an entry in [renamed], the old case is missing";
  names(kAIsNew);
  Finished const finished = measure("check", {}, kNewA);
  expect_pass(finished, 6);
  EXPECT_EQ(case_of(finished, "fake/new").at("renamed_from"), "fake/a@f32,nn,m64n64k64");
  EXPECT_FALSE(case_of(finished, "fake/b").contains("renamed_from"));
  Finished const slower = measure("check", {}, kNewA + " --slow 'fake/new@*=1.05'");
  EXPECT_EQ(slower.code, 1);
  for (auto const& [id, outcome] : outcomes(slower.json())) {
    EXPECT_EQ(outcome, id.starts_with("fake/new@") ? "regressed" : "pass") << id;
  }
}

TEST_F(Renamed, AReferenceThatWasRenamedIsTheSameReference) {
  record();
  names("[renamed]\n\"fake/reference\" = \"library/reference\"\n");
  Finished const finished =
      measure("check", {}, "--kernels library/reference,fake/a,fake/b --reference library/reference");
  expect_pass(finished, 6);
  EXPECT_TRUE(case_of(finished, "fake/a").contains("ratio_change"));
}

TEST_F(Renamed, MarginsAndRulesOfTheOldIdHold) {
  record();
  std::string const slow = kNewA + " --slow 'fake/new@*=1.05'";
  names(kAIsNew);
  ASSERT_EQ(measure("check", {}, slow).code, 1);
  names(std::string(kAIsNew) + "[policy.cpu.margins]\n\"fake/a\" = 0.2\n");
  expect_pass(measure("check", {}, slow), 6);
  write("perfcheck.toml",
        "[suites.default.cpu]\nproblems = [\"f32,nn,m1024n1024k1024\"]\n"
        "rules = [{kernels = \"fake/a\", max_gflop = 1, reason = \"too slow\"}]\n" +
            std::string(kAIsNew));
  json const planned = perfcheck({"list", "--worker", worker(kNewA), "--json"}).json();
  EXPECT_THAT(planned.at("cases").dump(), HasSubstr("too slow"));
}

TEST_F(Renamed, ChainsGoThroughEveryNameThatThereWas) {
  record();
  std::string const chain = "[renamed]\n\"fake/a\" = \"fake/between\"\n\"fake/between\" = \"fake/new\"\n";
  names(chain);
  expect_pass(measure("check", {}, kNewA), 6);
  names(kNothing);
  make("old.json", "run", {}, "");
  make("between.json", "run", {}, "--kernels fake/reference,fake/between,fake/b --renamed fake/between=fake/a");
  make("now.json", "run", {}, kNewA);
  for (char const* name : {"old.json", "between.json", "now.json"}) {
    ASSERT_EQ(perfcheck({"history", "add", "--history", "h.sqlite", name}).code, 0);
  }
  names(chain);
  EXPECT_THAT(series("fake/new@*m64*"), SizeIs(3));
}

TEST_F(Renamed, AcceptedSessionsJoinThoseOfTheOldId) {
  record();
  make("now.json", "run", {}, kNewA);
  names(kAIsNew);
  Finished const accepted = perfcheck({"baseline", "accept", "now.json", "--why", "one more", "--who", "A"});
  ASSERT_EQ(accepted.code, 0) << accepted.err;
  json const cases = json::parse(read(baseline_file())).at("cases");
  EXPECT_FALSE(cases.contains("fake/a@f32,nn,m64n64k64"));
  EXPECT_EQ(cases.at("fake/new@f32,nn,m64n64k64").at("session").size(), 5U);
  names(kNothing);
  expect_pass(measure("check", {}, kNewA), 6);
}

TEST_F(Renamed, RunFilesOfBeforeAndAfterCompare) {
  make("old.json", "run", {"--sessions", "4"});
  make("now.json", "run", {"--sessions", "4"}, kNewA);
  make("slower.json", "run", {"--sessions", "5"}, kNewA + " --slow 'fake/new@*=1.05'");
  EXPECT_EQ(perfcheck({"compare", "old.json", "now.json"}).code, 2);
  names(kAIsNew);
  expect_pass(perfcheck({"compare", "old.json", "now.json", "--json"}), 6);
  expect_pass(perfcheck({"compare", "now.json", "old.json", "--json"}), 6);
  Finished const slower = perfcheck({"compare", "old.json", "slower.json", "--json"});
  EXPECT_EQ(slower.code, 1) << slower.out;
  EXPECT_THAT(outcomes(slower.json()), Contains(Pair("fake/new@f32,nn,m64n64k64", "regressed")));
}

TEST_F(Renamed, ARunFileOfBeforeComparesWithABaselineOfAfter) {
  make("old.json", "run");
  ASSERT_EQ(measure("check", {"--record-missing-baseline"}, kNewA).code, 0);
  EXPECT_EQ(compare("old.json").code, 2);
  names(kAIsNew);
  expect_pass(compare("old.json"), 6);
}

TEST_F(Renamed, AHistoryKeepsRunsAsTheyWereAndShowsThemAsOneSeries) {
  record();
  make("old.json");
  make("now.json", "run", {}, kNewA);
  names(kAIsNew);
  for (char const* name : {"old.json", "now.json"}) {
    Finished const added = perfcheck({"history", "add", "--history", "h.sqlite", name});
    ASSERT_EQ(added.code, 0) << added.err;
  }
  EXPECT_THAT(series("fake/new@*m64*"), SizeIs(2));
  EXPECT_THAT(perfcheck({"history", "show", "--history", "h.sqlite", "--filter", "fake/a"}).err,
              HasSubstr("no case matches"));
  json const first = perfcheck({"history", "show", "--history", "h.sqlite", "--json"}).json().at("runs").at(0);
  json const decided =
      perfcheck({"history", "show", first.at("id"), "--history", "h.sqlite", "--json"}).json().at("verdicts");
  EXPECT_EQ(decided.at("fake/new@f32,nn,m64n64k64"), "pass") << decided;

  std::string const csv = perfcheck({"history", "export", "--history", "h.sqlite", "--format", "csv"}).out;
  EXPECT_THAT(csv, AllOf(HasSubstr("fake/new@"), Not(HasSubstr("fake/a@"))));
  std::string const lines = perfcheck({"history", "export", "--history", "h.sqlite"}).out;
  EXPECT_THAT(lines, AllOf(HasSubstr("fake/new@"), HasSubstr("fake/a@")));
  write("lines.jsonl", lines);
  names(kNothing);
  Finished const again = perfcheck({"history", "add", "--history", "h.sqlite", "lines.jsonl", "--json"});
  EXPECT_EQ(again.json().at("already_there"), 2) << again.err;
  EXPECT_THAT(series("fake/a@*m64*"), SizeIs(1)) << "stored runs must keep their old ids";
}

TEST_F(Renamed, ShardsOfBeforeAreMergedAndKeptUnderTheIdsThatTheyHave) {
  record();
  make_shards();
  names(kAIsNew);
  expect_pass(merge({"--out", "whole.json", "--history", "h.sqlite"}), 6);
  EXPECT_THAT(read(file("whole.json")), AllOf(HasSubstr("fake/a@"), Not(HasSubstr("fake/new"))));
  json const kept = series("fake/new@*m64*");
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_EQ(kept.at(0).at("verdict"), "pass");
  names(kNothing);
  EXPECT_EQ(series("fake/a@*m64*").at(0).at("verdict"), "pass");
}

TEST_F(Renamed, AReportDrawsOneLineAcrossTheRename) {
  make("old.json", "run");
  make("now.json", "run", {}, kNewA);
  ASSERT_EQ(perfcheck({"history", "add", "--history", "h.sqlite", "old.json", "now.json"}).code, 0);
  record();
  names(kAIsNew);
  Finished const drawn =
      perfcheck({"report", "--history", "h.sqlite", "--svg", "pictures", "--filter", "fake/new@*m64*"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  std::string const trend = read(file("pictures/scripted-device-gemm-trend.svg"));
  EXPECT_THAT(trend, HasSubstr("fake/new@f32,nn,m64n64k64"));
  std::regex const point("class=\"point\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(trend.begin(), trend.end(), point), std::sregex_iterator()), 2);
  EXPECT_THAT(trend, HasSubstr("class=\"baseline\"")) << "the baseline accepted under the old id must be drawn";
}

TEST_F(Renamed, CreepIsFoundAcrossTheRename) {
  make("old.json", "run");
  make("now.json", "run", {}, kNewA + " --slow 'fake/new@*=1.2'");
  ASSERT_EQ(perfcheck({"history", "add", "--history", "h.sqlite", "old.json", "now.json"}).code, 0);
  names(kAIsNew);
  json const device = perfcheck({"history", "creep", "--history", "h.sqlite", "--json"}).json().at("devices").at(0);
  EXPECT_EQ(device.at("cases").size(), 6U) << device.at("cases");
}

TEST_F(Renamed, WhatIsRetiredNeedNotRunAndSaysWhy) {
  record();
  std::string const without_b = "--kernels fake/reference,fake/a";
  make("now.json", "check", {});
  take("now.json", is_b);
  EXPECT_EQ(measure("check", {}, without_b).code, 2);
  names("[retired]\n\"fake/b\" = \"nobody used it\"\n");
  Finished const finished = measure("check", {}, without_b);
  expect_pass(finished, 4);
  EXPECT_THAT(notes(finished), HasSubstr("retired: fake/b (nobody used it): 2 cases need not run"));
  expect_pass(compare("now.json"), 4);
  Finished const back = measure("check", {}, "--slow 'fake/b@*=1.05'");
  EXPECT_EQ(back.code, 1) << "a retired kernel that still runs must be judged";
}

TEST_F(Renamed, ARetiredCaseOfAnEarlierRunFileNeedNotBeInTheLater) {
  make("old.json", "run", {"--sessions", "4"});
  make("now.json", "run", {"--sessions", "4"}, "--kernels fake/reference,fake/a");
  EXPECT_EQ(perfcheck({"compare", "old.json", "now.json"}).code, 2);
  names("[retired]\n\"fake/b@*\" = \"nobody used it\"\n");
  expect_pass(perfcheck({"compare", "old.json", "now.json", "--json"}), 4);
}

TEST_F(Renamed, EntriesThatDoNotFitAreOneLineWithPlaceAndRemedy) {
  record();
  make("now.json", "run", {}, kNewA);
  struct Row {
    char const* entries;
    std::string worker_args;
    char const* message;
  };
  for (Row const& row : std::vector<Row>{
           {"[renamed]\n\"fake/a\" = \"fake/b\"\n", "--kernels fake/reference,fake/b",
            "renamed.fake/a: makes \"fake/b@f32,nn,m64n64k64\" of \"fake/a@f32,nn,m64n64k64\", and "
            "baselines/scripted-device/gemm.json holds another case that is called so"},
           {kAIsNew, "",
            "renamed.fake/a: fake/a@f32,nn,m64n64k64 is to be called fake/new@f32,nn,m64n64k64, but the "
            "worker still offers it"},
           {"[renamed]\n\"fake/aa\" = \"fake/none\"\n", "",
            "renamed.fake/aa: concerns no kernel and no stored case: did you mean \"fake/a\"?"},
           {"[renamed]\n\"x\" = \"y\"\n\"y\" = \"x\"\n", "",
            "renamed.y: together with perfcheck.toml:6: renamed.x it is "
            "a circle"},
           {"[renamed]\n\"fake/a\" = 3\n", "", "renamed.fake/a: must be a text in quotes, not a whole number"},
           {"[retired]\n\"fake/a\" = \"  \"\n", "", "retired.fake/a: the reason is empty; say why it is gone"},
           {"[renamed]\n\"fake/a\" = \"fake/new\"\n[retired]\n\"fake/a\" = \"gone\"\n", "",
            "retired.fake/a: is an old id, which [renamed] makes \"fake/new\": name that one"},
       }) {
    names(row.entries);
    Finished const finished = measure("check", {}, row.worker_args);
    EXPECT_EQ(finished.code, 64) << row.entries << finished.out;
    EXPECT_THAT(finished.err, AllOf(HasSubstr("perfcheck: perfcheck.toml:"), HasSubstr(row.message)));
  }
}

TEST_F(Renamed, AnEntryOfNoUseIsNoneWhileAnyBaselineKnowsOneOfItsNames) {
  record();
  names("[renamed]\n\"other/x\" = \"other/y\"\n");
  EXPECT_EQ(measure("check").code, 64);
  std::filesystem::create_directories(file("baselines/other-device"));
  json other = json::parse(read(baseline_file()));
  other["device_slug"] = "other-device";
  other["cases"]["other/y@f32"] = other["cases"]["fake/a@f32,nn,m64n64k64"];
  write("baselines/other-device/gemm.json", other.dump(2) + "\n");
  ASSERT_EQ(perfcheck({"baseline", "upgrade"}).code, 0);
  expect_pass(measure("check"), 6);
  names("[renamed]\n\"other/x\" = \"other/z\"\n[retired]\n\"other/z\" = \"gone\"\n");
  expect_pass(measure("check"), 6);
}

TEST_F(Renamed, AnEntryForAnotherWorkerStandsWhereBaselinesOfOneAreGiven) {
  record();
  std::filesystem::copy(file("baselines"), file("mine"), std::filesystem::copy_options::recursive);
  names("[renamed]\n\"other/x\" = \"other/y\"\n");
  EXPECT_EQ(measure("check", {"--baselines", "mine"}).code, 64) << "no baseline holds the renamed case";
  json stored = json::parse(read(baseline_file()));
  stored["cases"]["other/x@f32"] = stored["cases"]["fake/a@f32,nn,m64n64k64"];
  write(baseline_file(), stored.dump(2) + "\n");
  ASSERT_EQ(perfcheck({"baseline", "upgrade"}).code, 0);
  expect_pass(measure("check", {"--baselines", "mine"}), 6);
}

TEST_F(Renamed, ARunThatHasBothNamesIsRefusedByWhateverReadsIt) {
  make("both.json", "run", {}, "--kernels fake/reference,fake/a,fake/new");
  ASSERT_EQ(perfcheck({"history", "add", "--history", "h.sqlite", "both.json"}).code, 0);
  names(kAIsNew);
  for (std::vector<std::string> const& command : std::vector<std::vector<std::string>>{
           {"compare", "both.json", "both.json"},
           {"history", "show", "--history", "h.sqlite", "--filter", "fake/new"},
           {"history", "creep", "--history", "h.sqlite"},
           {"report", "--history", "h.sqlite", "--svg", "pictures"},
       }) {
    Finished const finished = perfcheck(command);
    EXPECT_EQ(finished.code, 64) << command.front() << finished.err;
    EXPECT_THAT(finished.err, StartsWith("perfcheck: perfcheck.toml:6: renamed.fake/a: makes \"fake/new@"));
  }
}

}  // namespace
}  // namespace perfcheck::cli::testing
