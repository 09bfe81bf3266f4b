// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Every command with a worker that has two operations. The worker's times are made up, so that the verdicts are
// reproducible; worker_test.cpp has a real worker.
#include "program.h"

#include "perfcheck/history/history.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/report_device.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace perfcheck::cli::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char const* kBoth = "--also rows";
constexpr char const* kGemm = "fake/a@f32,nn,m64n64k64";
constexpr char const* kRows = "rows/a@rows:r64";

class Operations : public ProgramTest {
 protected:
  Operations() {
    write("perfcheck.toml",
          "[policy]\nmargin = 0.01\n[suites.default.cpu]\nproblems = [\"f32,nn,m64n64k64\", \"rows:r64\"]\n"
          "[suites.gemm.cpu]\nproblems = [\"f32,nn,m64n64k64\"]\n");
  }
  model::Baseline stored(std::string const& operation) const {
    return store::read_baseline(folder_ / "baselines", "scripted-device", operation).value();
  }
  void record_both() const {
    Finished const finished = measure("check", {"--record-missing-baseline"}, kBoth);
    ASSERT_EQ(finished.code, 0) << finished.err;
  }
};

TEST_F(Operations, AreListedTogether) {
  Finished const finished = measure("list", {}, kBoth);
  ASSERT_EQ(finished.code, 0) << finished.err;
  std::vector<std::string> ids;
  nlohmann::json const listed = finished.json();
  for (auto const& one : listed.at("cases")) ids.push_back(one.at("id"));
  EXPECT_THAT(ids, ElementsAre(kGemm, "fake/b@f32,nn,m64n64k64", "fake/reference@f32,nn,m64n64k64", kRows,
                               "rows/reference@rows:r64"));
}

TEST_F(Operations, OfWhichTheWorkerHasNoneOfAProblemsNameAreSaidWithTheSuite) {
  Finished const finished = measure("list", {}, "--reject rows:*");
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("suites.default.cpu: the worker cannot read problem \"rows:r64\""));
}

TEST_F(Operations, AreRecordedIntoAFileEach) {
  record_both();
  EXPECT_EQ(stored("gemm").cases.size(), 3U);
  EXPECT_THAT(stored("rows").cases, UnorderedElementsAre(Key(kRows), Key("rows/reference@rows:r64")));
  EXPECT_EQ(stored("gemm").sessions.size(), 4U);
  EXPECT_EQ(stored("rows").sessions.size(), 4U);
}

TEST_F(Operations, AreCheckedTogetherAndEachIsConvictedAlone) {
  record_both();
  Finished const same = measure("check", {}, kBoth);
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(outcomes(same.json()), AllOf(::testing::SizeIs(5), Each(Pair(::testing::_, "pass"))));
  Finished const slower = measure("check", {}, "--also rows --slow 'rows/a@*=1.05'");
  EXPECT_EQ(slower.code, 1) << slower.err;
  EXPECT_THAT(outcomes(slower.json()), AllOf(Contains(Pair(kRows, "regressed")), Contains(Pair(kGemm, "pass"))));
}

TEST_F(Operations, ACaseOfTheSecondThatIsGoneIsMissing) {
  record_both();
  Finished const finished = measure("check", {}, "--also rows --unavailable 'rows/a=no GPU'");
  EXPECT_EQ(finished.code, 2) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair(kRows, "missing")));
}

TEST_F(Operations, ANewOneLeavesIdsAndBaselineOfTheFirstAlone) {
  ASSERT_EQ(measure("check", {"--suite", "gemm", "--record-missing-baseline"}).code, 0);
  std::string const before = read(baseline_file());
  Finished const finished = measure("check", {}, kBoth);
  EXPECT_EQ(finished.code, 3) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), AllOf(Contains(Pair(kGemm, "pass")), Contains(Pair(kRows, "no_baseline"))));
  Finished const recorded = measure("check", {"--record-missing-baseline"}, kBoth);
  EXPECT_EQ(recorded.code, 0) << recorded.err;
  EXPECT_EQ(read(baseline_file()), before);
  EXPECT_EQ(stored("rows").cases.size(), 2U);
}

TEST_F(Operations, TheNameOfTheFirstMayStandInEverySuite) {
  record_both();
  write("perfcheck.toml",
        "[policy]\nmargin = 0.01\n[suites.default.cpu]\nproblems = [\"rows:r64\"]\n[suites.gemm.cpu]\n"
        "problems = [{name = \"square\", problem = \"gemm:f32,nn,m64n64k64\"}]\n");
  Finished const listed = measure("list", {"--suite", "gemm"}, kBoth);
  EXPECT_EQ(listed.json().at("cases").at(0).at("id"), kGemm);
  EXPECT_EQ(listed.json().at("cases").at(0).at("name"), "square");
  Finished const finished = measure("check", {"--suite", "gemm"}, kBoth);
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair(kGemm, "pass")));
  EXPECT_THAT(outcomes(measure("run", {}, kBoth).json()), ::testing::SizeIs(2));
}

TEST_F(Operations, ARenamedCaseIsStoredUnderItsNewIdAndTheOtherFileStays) {
  record_both();
  std::string const rows = read(folder_ / "baselines/scripted-device/rows.json");
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[renamed]\n\"fake/a\" = \"fake/new\"\n");
  std::string const renamed = "--also rows --renamed fake/new=fake/a --kernels fake/reference,fake/new,fake/b";
  Finished const same = measure("check", {}, renamed);
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(outcomes(same.json()), AllOf(::testing::SizeIs(5), Each(Pair(::testing::_, "pass"))));
  Finished const more = measure("check", {"--record-missing-baseline"}, renamed + ",fake/c");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_THAT(stored("gemm").cases,
              UnorderedElementsAre(Key("fake/b@f32,nn,m64n64k64"), Key("fake/c@f32,nn,m64n64k64"),
                                   Key("fake/new@f32,nn,m64n64k64"), Key("fake/reference@f32,nn,m64n64k64")));
  EXPECT_EQ(read(folder_ / "baselines/scripted-device/rows.json"), rows);
}

TEST_F(Operations, TwoBuildsAreComparedWhereOneHasAnOperationMore) {
  Finished const finished = perfcheck({"ab", "--json", "--base", worker("--unavailable 'rows/*=none'"), "--head",
                                       worker("--also rows --slow 'fake/a@*=1.05'"), "--suite", "gemm"});
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_THAT(outcomes(finished.json()), Contains(Pair(kGemm, "regressed")));
}

TEST_F(Operations, AreAcceptedIntoAFileEach) {
  ASSERT_EQ(measure("run", {"--out", "run.json"}, kBoth).code, 0);
  Finished const finished =
      perfcheck({"baseline", "accept", "run.json", "--who", "tester", "--why", "because", "--allow-dirty", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  nlohmann::json const said = finished.json();
  EXPECT_EQ(said.at("accepted_cases"), 3);
  EXPECT_THAT(said.at("file"), HasSubstr("gemm.json"));
  ASSERT_EQ(said.at("also").size(), 1U);
  EXPECT_EQ(said.at("also")[0].at("accepted_cases"), 2);
  EXPECT_THAT(said.at("also")[0].at("file"), HasSubstr("rows.json"));
  Finished const again =
      perfcheck({"baseline", "accept", "run.json", "--who", "tester", "--why", "because", "--allow-dirty"});
  EXPECT_EQ(again.code, 64);
  EXPECT_THAT(again.err, HasSubstr("is in the baseline already"));
}

TEST_F(Operations, ADropOfWhichNothingIsAcceptedIsRefusedAndNothingChanges) {
  record_both();
  ASSERT_EQ(measure("run", {"--out", "run.json", "--filter", "fake/*"}, kBoth).code, 0);
  std::string const before = read(baseline_file());
  Finished const finished = perfcheck(
      {"baseline", "accept", "run.json", "--who", "tester", "--why", "because", "--allow-dirty", "--drop", "rows/a"});
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("--drop: it names cases of rows, and nothing of rows is accepted"));
  EXPECT_EQ(read(baseline_file()), before);
  EXPECT_TRUE(stored("rows").cases.contains(kRows));
}

TEST_F(Operations, ARunFileIsDecidedByTheBaselinesOfBoth) {
  record_both();
  ASSERT_EQ(measure("run", {"--out", "slow.json"}, "--also rows --slow 'rows/a@*=1.3'").code, 0);
  Finished const finished = perfcheck({"compare", "slow.json", "--json"});
  EXPECT_THAT(outcomes(finished.json()), AllOf(::testing::SizeIs(5), Contains(Pair(kGemm, "pass"))));
  EXPECT_NE(outcomes(finished.json()).at(kRows), "pass");
  EXPECT_NE(outcomes(finished.json()).at(kRows), "no_baseline");
}

TEST_F(Operations, ARunFileFromWhichOneWasTakenOutDoesNotPass) {
  record_both();
  ASSERT_EQ(measure("run", {"--out", "run.json"}, kBoth).code, 0);
  nlohmann::json run = nlohmann::json::parse(read(file("run.json")));
  run["worker"].erase("operations");
  for (auto& session : run["sessions"]) {
    auto& cases = session["cases"];
    auto const is_of_rows = [](nlohmann::json const& one) {
      return one.at("id").get<std::string>().starts_with("rows/");
    };
    cases.erase(std::remove_if(cases.begin(), cases.end(), is_of_rows), cases.end());
  }
  write("edited.json", run.dump());
  Finished const finished = perfcheck({"compare", "edited.json"});
  EXPECT_EQ(finished.code, 2) << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("rows:r64"));
}

TEST_F(Operations, AHistoryAndItsReportKnowTheBaselinesOfBoth) {
  record_both();
  ASSERT_EQ(measure("check", {"--history", "h.sqlite"}, "--also rows --axes").code, 0);
  history::History history(file("h.sqlite").string(), history::Mode::read);
  std::vector<trends::DeviceHistory> const devices = trends::devices_of(history, {});
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_THAT(trends::operations_of(devices[0]), ElementsAre("gemm", "rows"));
  report::ReportDevice const frame =
      trends::device_frame(history, devices[0], config::load_config(file("perfcheck.toml")), folder_ / "baselines");
  EXPECT_EQ(frame.operation, "gemm, rows");
  EXPECT_EQ(frame.key, "scripted-device/gemm");
  ASSERT_EQ(frame.cases.size(), 5U);
  for (report::ReportCase const& one : frame.cases) EXPECT_TRUE(one.baseline) << one.id;
}

TEST_F(Operations, AReportShowsAxesAsToldAndReadsGemmTextsOnlyWhereNoRunToldAny) {
  auto const problems = [this] {
    history::History history(file("h.sqlite").string(), history::Mode::read);
    return trends::device_frame(history, trends::devices_of(history, {}).at(0),
                                config::load_config(file("perfcheck.toml")), folder_ / "baselines")
        .problems;
  };
  ASSERT_EQ(measure("check", {"--history", "h.sqlite"}, kBoth).code, 3);
  ASSERT_EQ(problems().size(), 2U);
  EXPECT_EQ(problems()[0].axes,
            (std::vector<model::Axis>{{"types", "f32"}, {"layout", "nn"}, {"m", 64}, {"n", 64}, {"k", 64}}));
  EXPECT_TRUE(problems()[1].axes.empty()) << problems()[1].text;
  ASSERT_EQ(measure("check", {"--history", "h.sqlite"}, "--also rows --axes").code, 3);
  for (report::ReportProblem const& problem : problems()) {
    EXPECT_EQ(problem.axes, (std::vector<model::Axis>{{"m", 64}, {"n", 64}, {"k", 64}})) << problem.text;
  }
}

TEST_F(Operations, AreDiagnosedWithABaselineEach) {
  record_both();
  std::filesystem::remove(folder_ / "baselines/scripted-device/rows.json");
  Finished const finished = perfcheck({"doctor", "--worker", worker(kBoth)});
  EXPECT_THAT(finished.out, AllOf(HasSubstr("3 cases, 4 sessions in"), HasSubstr("none at"), HasSubstr("rows.json")));
}

TEST_F(Operations, AreTooManyForTuning) {
  Finished const finished = measure("tune", {"--suite", "default"}, kBoth);
  EXPECT_EQ(finished.code, 64);
  EXPECT_THAT(finished.err, HasSubstr("holds the operations gemm and rows, and what is tuned is stored for one; name"));
}

TEST_F(Operations, ARunFileKeepsTheAxesThatTheWorkerTold) {
  ASSERT_EQ(measure("run", {"--out", "run.json", "--filter", "fake/*"}, "--also rows --axes").code, 0);
  model::Run const run = store::read_run(file("run.json"));
  EXPECT_EQ(run.worker.operations, (std::vector<std::string>{"gemm", "rows"}));
  EXPECT_EQ(run.problems,
            (std::vector<model::ProblemInfo>{{.text = "f32,nn,m64n64k64", .axes = {{"m", 64}, {"n", 64}, {"k", 64}}}}))
      << "only problems of measured cases belong into the file";
}

}  // namespace
}  // namespace perfcheck::cli::testing
