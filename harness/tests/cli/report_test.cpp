// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck report, end to end. reports/web/test tests how browsers show it.
#include "program.h"

#include "perfcheck/history/history.h"
#include "perfcheck/trends/case_series.h"
#include "perfcheck/trends/report_app.h"
#include "perfcheck/trends/report_builder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <random>
#include <regex>

namespace perfcheck::cli::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class ReportCommand : public ProgramTest {
 protected:
  ReportCommand() {
    EXPECT_EQ(measure("run", {"--out", "a.run.json"}).code, 0);
    EXPECT_EQ(perfcheck({"history", "add", "a.run.json", "--history", "h.sqlite"}).code, 0);
  }
  void SetUp() override {
    if (trends::report_app_js().empty()) {
      GTEST_SKIP() << "built without Node: the program holds no page";
    }
  }
  Finished report(std::vector<std::string> const& args) const {
    std::vector<std::string> all{"report", "--history", "h.sqlite"};
    all.insert(all.end(), args.begin(), args.end());
    return perfcheck(all);
  }
  static std::set<std::string> keys(std::string const& page) {
    std::set<std::string> found;
    std::regex const element("<script type=\"application/octet-stream\" id=\"([^\"]*)\"");
    for (std::sregex_iterator it(page.begin(), page.end(), element), end; it != end; ++it) {
      found.insert((*it)[1]);
    }
    return found;
  }
  std::set<std::string> files_in(std::string const& folder) const {
    std::set<std::string> names;
    for (auto const& entry : fs::directory_iterator(file(folder))) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
};

TEST_F(ReportCommand, WritesOnePageWithEverySeriesAndNoAddressOfAnythingElse) {
  Finished const finished = report({"--out", "r.html", "--title", "Our <kernels>"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("r.html"));
  std::string const page = read(file("r.html"));
  EXPECT_THAT(page, HasSubstr("Our &lt;kernels"));
  EXPECT_THAT(page, Not(HasSubstr("Our <kernels>")));
  EXPECT_THAT(page, HasSubstr("scripted-device/gemm"));
  EXPECT_THAT(keys(page), AllOf(Contains("d0"), Contains("d0c0"), Contains("d0c0x")));
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=\"?https?://")));
}

TEST_F(ReportCommand, WritesTheSameDataAsASiteAndKeepsWhatElseIsInTheFolder) {
  ASSERT_EQ(report({"--out", "r.html"}).code, 0);
  write("site/CNAME", "perf.example.org");
  write("site/data/d7c3.js", "of an older, larger history");
  Finished const finished = report({"--site", "site"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(files_in("site"), (std::set<std::string>{"CNAME", "data", "index.html"}));
  std::set<std::string> expected{"d0r0.js"};
  for (std::string const& key : keys(read(file("r.html")))) {
    expected.insert(key + ".js");
  }
  EXPECT_EQ(files_in("site/data"), expected);
}

TEST_F(ReportCommand, OfAnEmptyHistoryIsAPageThatSaysSo) {
  ASSERT_EQ(perfcheck({"history", "upgrade", "--history", "h2.sqlite"}).code, 0);
  Finished const finished = perfcheck({"report", "--history", "h2.sqlite", "--out", "r.html"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(read(file("r.html")), HasSubstr("\"devices\":[]"));
}

TEST_F(ReportCommand, OfAHistoryThatIsNotThereChangesNothing) {
  write("r.html", "the old one");
  Finished const finished = perfcheck({"report", "--history", "nowhere.sqlite", "--out", "r.html"});
  EXPECT_EQ(finished.code, 74);
  EXPECT_THAT(finished.err, HasSubstr("nowhere.sqlite"));
  EXPECT_EQ(read(file("r.html")), "the old one");
  EXPECT_FALSE(fs::exists(file("nowhere.sqlite")));
}

TEST_F(ReportCommand, ThatFailsHalfwayLeavesTheOldSite) {
  ASSERT_EQ(report({"--site", "site"}).code, 0);
  std::string const before = read(file("site/index.html"));
  std::set<std::string> const data = files_in("site/data");
  write("baselines/scripted-device/gemm.json", "this is no baseline");
  Finished const finished = report({"--site", "site"});
  EXPECT_EQ(finished.code, 74);
  EXPECT_EQ(read(file("site/index.html")), before);
  EXPECT_EQ(files_in("site/data"), data);
  EXPECT_EQ(files_in("site"), (std::set<std::string>{"data", "index.html"}));
}

TEST_F(ReportCommand, ShowsOnlyTheCasesThatAFilterSelects) {
  ASSERT_EQ(report({"--out", "all.html"}).code, 0);
  ASSERT_EQ(report({"--out", "some.html", "--filter", "fake/a"}).code, 0);
  EXPECT_LT(keys(read(file("some.html"))).size(), keys(read(file("all.html"))).size());
}

class ReportPictures : public ReportCommand {
 protected:
  void SetUp() override {}  // pictures need no Node
};

TEST_F(ReportPictures, AreALadderPerProblemAndATrend) {
  Finished const finished = report({"--svg", "pictures"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  std::set<std::string> const names = files_in("pictures");
  EXPECT_THAT(names, AllOf(Contains("scripted-device-gemm-trend.svg"),
                           Contains(HasSubstr("scripted-device-gemm-ladder-f32-nn-m64n64k64"))));
  for (std::string const& name : names) {
    EXPECT_THAT(read(file("pictures/" + name)), HasSubstr("<svg")) << name;
  }
}

/// 24 cases over 13 runs, each with its own noise; the first case becomes 20 % slower at run 7.
void make_history(fs::path const& place) {
  history::History history(place.string(), history::Mode::write);
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.002);
  for (int number = 0; number < 13; ++number) {
    model::Run run{.id = fmt::format("run-{:02}", number),
                   .started = fmt::format("2026-11-{:02}T00:00:00Z", number + 1)};
    run.imported_from = "made up by a test";
    run.worker = {.name = "made-up", .backend = "cpu", .operation = "gemm"};
    model::Session session{.id = "s1", .started = run.started};
    session.device = {.backend = "cpu", .name = "Made-up", .slug = "made-up"};
    for (int i = 0; i < 24; ++i) {
      std::string const id = fmt::format("gemm/a/kernel_{:02}@f32,nn,m64n64k64", i);
      model::CaseResult one{.id = id, .reference = id, .status = model::CaseStatus::measured};
      double const time = 1000 * (i == 0 && number >= 7 ? 1.2 : 1) * std::exp(noise(random));
      one.rounds = model::Rounds{
          .launches = 1, .reference_launches = 1, .time_ns = {time, time, time}, .reference_time_ns = {1e3, 1e3, 1e3}};
      session.cases.push_back(std::move(one));
    }
    run.sessions.push_back(std::move(session));
    history.add(run, std::nullopt);
  }
}

TEST_F(ReportPictures, OfOneCaseMarkTheChangesThatPicturesOfAllDo) {
  make_history(file("made.sqlite"));
  for (std::vector<std::string> const& args :
       {std::vector<std::string>{"--svg", "all"}, {"--svg", "one", "--filter", "gemm/a/kernel_00"}}) {
    std::vector<std::string> all{"report", "--history", "made.sqlite"};
    all.insert(all.end(), args.begin(), args.end());
    Finished const finished = perfcheck(all);
    ASSERT_EQ(finished.code, 0) << finished.err;
  }
  std::string const picture = read(file("all/made-up-gemm-trend.svg"));
  EXPECT_THAT(picture, AllOf(HasSubstr("kernel_00"), ::testing::ContainsRegex("[+](19|20)[.][0-9] %")));
  EXPECT_EQ(read(file("one/made-up-gemm-trend.svg")), picture);
}

TEST_F(ReportPictures, KnowNothingOfARunThatIsAddedWhileTheyAreDrawn) {
  history::History history(file("h.sqlite").string(), history::Mode::read);
  std::vector<trends::DeviceHistory> const devices = trends::devices_of(history, {});
  ASSERT_EQ(devices.size(), 1U);
  trends::RunAxis const axis(devices[0].runs);
  ASSERT_EQ(measure("run", {"--out", "b.run.json"}).code, 0);
  ASSERT_EQ(perfcheck({"history", "add", "b.run.json", "--history", "h.sqlite"}).code, 0);
  trends::CaseSeries const one = trends::read_case_series(history, devices[0].series.at(0), axis, history.attributes());
  EXPECT_EQ(one.series.run, std::vector<int>{0});
}

TEST(RunAxis, TellsWhichCardMeasuredARun) {
  std::vector<history::RunEntry> runs(5);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].number = static_cast<int64_t>(100 - i);
    runs[i].card = std::array{"GPU-b", "GPU-a", "GPU-b", "", "GPU-a"}[i];
  }
  trends::RunAxis const axis(runs);
  EXPECT_EQ(axis.index(97), 3);
  EXPECT_EQ(axis.index(95), std::nullopt);
  std::vector<int> cards;
  for (int i = 0; i < 5; ++i) {
    cards.push_back(axis.card(i));
  }
  EXPECT_EQ(cards, (std::vector{0, 1, 0, 2, 1}));
}

}  // namespace
}  // namespace perfcheck::cli::testing
