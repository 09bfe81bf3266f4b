// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck history and check --history, end to end.
#include "program.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace perfcheck::cli::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class HistoryCommand : public ProgramTest {
 protected:
  void make_run(std::string const& name) const {
    Finished const finished = measure("run", {"--out", name});
    ASSERT_EQ(finished.code, 0) << finished.err;
  }
  nlohmann::json runs(std::string const& history = "h.sqlite") const {
    Finished const shown = perfcheck({"history", "show", "--json", "--history", history});
    EXPECT_EQ(shown.code, 0) << shown.err;
    return shown.json().at("runs");
  }
  /// Changes h.sqlite directly, without perfcheck.
  void sqlite(char const* statement) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file("h.sqlite").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
};

TEST_F(HistoryCommand, CheckKeepsTheRunAndWhatWasDecided) {
  record();
  Finished const checked = measure("check", {"--history", "h.sqlite"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("kept as run"));
  nlohmann::json const kept = runs();
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].at("id"), checked.json().at("run").at("id"));
  EXPECT_EQ(kept[0].at("exit_code"), 0);
  Finished const one = perfcheck({"history", "show", kept[0].at("id"), "--json", "--history", "h.sqlite"});
  EXPECT_EQ(one.json().at("counts").at("pass"), checked.json().at("counts").at("pass"));
}

TEST_F(HistoryCommand, CheckLeavesRunsWithSlowdownsOnPurposeOut) {
  record();
  Finished const checked = measure("check", {"--history", "h.sqlite", "--inject-slowdown", "fake/a=3"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.err, HasSubstr("not kept in the history"));
  EXPECT_TRUE(runs().empty());
}

TEST_F(HistoryCommand, CheckRefusesAHistoryThatCannotBeWrittenBeforeItMeasures) {
  write("h.sqlite", std::string(4096, 'x'));
  Finished const checked = measure("check", {"--history", "h.sqlite"});
  EXPECT_EQ(checked.code, 74);
  EXPECT_THAT(checked.err, HasSubstr("was not written by perfcheck"));
  EXPECT_EQ(read(file("h.sqlite")), std::string(4096, 'x'));
}

TEST_F(HistoryCommand, ThePlaceMayStandInTheConfiguration) {
  write("perfcheck.toml", "[paths]\nhistory = \"kept/h.sqlite\"\n" + read(file("perfcheck.toml")));
  std::filesystem::create_directories(file("kept"));
  ASSERT_EQ(measure("check").code, 3) << "there is no baseline yet";
  EXPECT_EQ(runs("kept/h.sqlite").size(), 1U);
}

TEST_F(HistoryCommand, WithoutAPlaceSaysHowToNameOne) {
  Finished const shown = perfcheck({"history", "show"});
  EXPECT_EQ(shown.code, 64);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("--history FILE"), HasSubstr("[paths]")));
}

TEST_F(HistoryCommand, AddDecidesAsCompareWouldAndTakesEachRunOnce) {
  record();
  make_run("a.run.json");
  make_run("b.run.json");
  Finished const added = perfcheck({"history", "add", "a.run.json", "b.run.json", "--history", "h.sqlite"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("2 added"));
  for (nlohmann::json const& run : runs()) {
    EXPECT_EQ(run.at("exit_code"), 0);
  }
  EXPECT_THAT(perfcheck({"history", "add", "b.run.json", "--history", "h.sqlite"}).out,
              AllOf(HasSubstr("0 added"), HasSubstr("1 were there already")));
  EXPECT_EQ(runs().size(), 2U);
}

TEST_F(HistoryCommand, AddWithoutABaselineSaysUndecided) {
  make_run("a.run.json");
  ASSERT_EQ(perfcheck({"history", "add", "a.run.json", "--history", "h.sqlite"}).code, 0);
  EXPECT_EQ(runs()[0].at("exit_code"), 3);
}

TEST_F(HistoryCommand, AddOfABrokenFileNamesItAndAddsTheOnesBeforeIt) {
  make_run("a.run.json");
  std::string const text = read(file("a.run.json"));
  write("cut.run.json", text.substr(0, text.size() / 2));
  Finished const added = perfcheck({"history", "add", "a.run.json", "cut.run.json", "--history", "h.sqlite"});
  EXPECT_EQ(added.code, 74);
  EXPECT_THAT(added.err, HasSubstr("cut.run.json"));
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(HistoryCommand, ExportAndImportMakeTheSameHistoryAgain) {
  record();
  ASSERT_EQ(measure("check", {"--history", "h.sqlite"}).code, 0);
  make_run("b.run.json");
  ASSERT_EQ(perfcheck({"history", "add", "b.run.json", "--history", "h.sqlite"}).code, 0);
  ASSERT_EQ(perfcheck({"history", "export", "--out", "h.jsonl", "--history", "h.sqlite"}).code, 0);
  Finished const imported = perfcheck({"history", "import", "h.jsonl", "--history", "again.sqlite"});
  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("2 added"));
  EXPECT_EQ(runs("again.sqlite"), runs());
  ASSERT_EQ(perfcheck({"history", "export", "--out", "again.jsonl", "--history", "again.sqlite"}).code, 0);
  EXPECT_EQ(read(file("again.jsonl")), read(file("h.jsonl")));
}

TEST_F(HistoryCommand, ImportOfADamagedExportNamesFileAndLine) {
  make_run("a.run.json");
  ASSERT_EQ(perfcheck({"history", "add", "a.run.json", "--history", "h.sqlite"}).code, 0);
  ASSERT_EQ(perfcheck({"history", "export", "--out", "h.jsonl", "--history", "h.sqlite"}).code, 0);
  write("h.jsonl", read(file("h.jsonl")) + "{\"schema\":\"perfcheck.history/1\"\n");
  Finished const imported = perfcheck({"history", "import", "h.jsonl", "--history", "again.sqlite"});
  EXPECT_EQ(imported.code, 74);
  EXPECT_THAT(imported.err, HasSubstr("h.jsonl:2"));
}

TEST_F(HistoryCommand, ExportAsCsvHasALinePerCaseAndRun) {
  make_run("a.run.json");
  ASSERT_EQ(perfcheck({"history", "add", "a.run.json", "--history", "h.sqlite"}).code, 0);
  Finished const csv = perfcheck({"history", "export", "--format", "csv", "--history", "h.sqlite"});
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("run,started,committed,commit"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 1 + runs()[0].at("cases").get<int>());
}

TEST_F(HistoryCommand, ShowIsReadableAndNamesAnUnknownRun) {
  make_run("a.run.json");
  ASSERT_EQ(perfcheck({"history", "add", "a.run.json", "--history", "h.sqlite"}).code, 0);
  EXPECT_THAT(perfcheck({"history", "show", "--history", "h.sqlite"}).out,
              HasSubstr("scripted-device, gemm: 1 run of"));
  Finished const unknown = perfcheck({"history", "show", "nobody", "--history", "h.sqlite"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no run nobody"));
}

TEST_F(HistoryCommand, ShowWithAFilterIsACaseOverItsRunsInTheOrderOfTheCommits) {
  record();
  for (char const* const name : {"a.run.json", "b.run.json"}) {
    make_run(name);
  }
  // Adds them in reverse order.
  ASSERT_EQ(perfcheck({"history", "add", "b.run.json", "a.run.json", "--history", "h.sqlite"}).code, 0);
  std::vector<std::string> const show{"history", "show", "--history", "h.sqlite", "--filter"};
  auto const shown = [&](std::vector<std::string> const& more) {
    std::vector<std::string> arguments = show;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return perfcheck(arguments);
  };
  nlohmann::json const found = shown({"fake/a", "--json"}).json();
  EXPECT_EQ(found.at("schema"), "perfcheck.series/1");
  ASSERT_FALSE(found.at("cases").empty());
  nlohmann::json const kept = runs();
  for (nlohmann::json const& one : found.at("cases")) {
    EXPECT_THAT(one.at("id").get<std::string>(), StartsWith("fake/a@"));
    ASSERT_EQ(one.at("results").size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      nlohmann::json const& result = one.at("results")[i];
      EXPECT_EQ(result.at("run"), kept[i].at("id"));
      EXPECT_EQ(result.at("status"), "measured");
      EXPECT_EQ(result.at("verdict"), "pass");
      EXPECT_GT(result.at("time_ns"), 0);
    }
  }
  EXPECT_LE(kept[0].at("started"), kept[1].at("started"));

  Finished const text = shown({"fake/a"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(StartsWith("fake/a@"), HasSubstr(" on scripted-device: 2 runs\n"), HasSubstr("pass\n"),
                              Not(HasSubstr("fake/b"))));
  Finished const nothing = shown({"nobody/*"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("no case matches --filter"));
  EXPECT_EQ(shown({"fake/a", kept[0].at("id")}).code, 64) << "a run and a case together must be refused";
}

TEST_F(HistoryCommand, AnExportThatFailsHalfwayLeavesTheOldFile) {
  make_run("a.run.json");
  make_run("b.run.json");
  ASSERT_EQ(perfcheck({"history", "add", "a.run.json", "b.run.json", "--history", "h.sqlite"}).code, 0);
  std::vector<std::string> const to_file{"history", "export", "--history", "h.sqlite", "--out", "out.jsonl"};
  ASSERT_EQ(perfcheck(to_file).code, 0);
  std::string const before = read(file("out.jsonl"));
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'), 2);

  // Damages the second run's head: the export fails after it has written the first run's line.
  sqlite("UPDATE run SET head = x'00' WHERE run_no = (SELECT max(run_no) FROM run)");
  Finished const failed = perfcheck(to_file);
  EXPECT_EQ(failed.code, 74) << failed.err;
  EXPECT_EQ(read(file("out.jsonl")), before);
}

TEST_F(HistoryCommand, UpgradeOfOneThatIsUpToDateChangesNothing) {
  make_run("a.run.json");
  ASSERT_EQ(perfcheck({"history", "add", "a.run.json", "--history", "h.sqlite"}).code, 0);
  std::string const before = read(file("h.sqlite"));
  EXPECT_EQ(perfcheck({"history", "upgrade", "--history", "h.sqlite"}).code, 0);
  EXPECT_EQ(read(file("h.sqlite")), before);
}

}  // namespace
}  // namespace perfcheck::cli::testing
