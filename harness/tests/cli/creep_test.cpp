// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck history creep and the notes of check --history about creep, end to end. The runs are copies of a measured
// one.
#include "command_line/stream_terminal.h"
#include "program.h"

#include "perfcheck/git/source_info.h"
#include "perfcheck/history/history.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/report_builder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

namespace perfcheck::cli::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string commit_of(int run) {
  return fmt::format("{:08x}{:032x}", 0x9e3779b9U * static_cast<unsigned>(run + 1), run);
}
/// The time of a run: one per hour, from the first of March on.
std::string time_of(int run) { return fmt::format("2026-03-{:02}T{:02}:00:00Z", 1 + run / 24, run % 24); }

class CreepCommand : public ProgramTest {
 protected:
  /// Makes a history of `runs` runs. In each, fake/a is slower by level(number of the run), a share. Runs scatter by
  /// 0.05 %.
  void make_history(int runs, std::function<double(int)> const& level) {
    if (base_.sessions.empty()) {
      ASSERT_EQ(measure("run", {"--out", "base.run.json"}).code, 0);
      base_ = store::read_run(file("base.run.json"));
    }
    history::History history(file("h.sqlite").string(), history::Mode::write);
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal(0, 0.0005);
    for (int number = 0; number < runs; ++number) {
      model::Run run = base_;
      run.id = fmt::format("run-{:03}", number);
      run.started = run.sessions.front().started = time_of(number);
      run.source = {
          .commit = commit_of(number), .subject = fmt::format("Change {}", number), .committed = time_of(number)};
      for (model::CaseResult& result : run.sessions.front().cases) {
        double const factor = (result.id.starts_with("fake/a@") ? 1 + level(number) : 1) * std::exp(normal(random));
        for (double& time : result.rounds->time_ns) time *= factor;
      }
      history.add(run, std::nullopt);
    }
  }
  Finished creep(std::vector<std::string> const& more = {}) const {
    std::vector<std::string> arguments{"history", "creep", "--history", "h.sqlite"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return perfcheck(arguments);
  }
  static nlohmann::json const& case_of(nlohmann::json const& device, std::string const& kernel) {
    for (nlohmann::json const& one : device.at("cases")) {
      if (one.at("id").get<std::string>().starts_with(kernel + "@")) return one;
    }
    throw std::runtime_error("no case of " + kernel);
  }
  void git(std::vector<std::string> args) const {
    args.insert(args.begin(), {"-c", "user.name=A", "-c", "user.email=a@example.org"});
    ASSERT_TRUE(git::git_lines(folder_, args, nullptr)) << args.back();
  }
  /// Makes the baseline's sessions older than every run.
  void age_baseline() const {
    nlohmann::json baseline = nlohmann::json::parse(read(baseline_file()));
    for (nlohmann::json& session : baseline.at("sessions")) session["started"] = "2025-01-01T00:00:00Z";
    write("baselines/scripted-device/gemm.json", baseline.dump(2) + "\n");
    ASSERT_EQ(perfcheck({"baseline", "upgrade"}).code, 0);
  }

  /// Records a baseline without the [renamed] entries of perfcheck.toml, whose old ids the worker still offers.
  void record_under_old_id() const {
    std::string const config = read(file("perfcheck.toml"));
    write("perfcheck.toml", config.substr(0, config.find("[renamed]")));
    record();
    write("perfcheck.toml", config);
  }

  model::Run base_;
};

/// Four steps of +0.4 %, ten runs apart, from run 50 on; 1 % is allowed.
double steps(int run) { return 0.004 * std::clamp((run - 40) / 10, 0, 4); }
double flat(int /*run*/) { return 0; }

TEST_F(CreepCommand, FailsForStepsBelowTheMarginThatAddUpAndNamesTheCommits) {
  make_history(95, steps);
  Finished const found = creep({"--json"});
  EXPECT_EQ(found.code, 1) << found.err;
  nlohmann::json const document = found.json();
  EXPECT_EQ(document.at("schema"), "perfcheck.creep/1");
  EXPECT_EQ(document.at("exit_code"), 1);
  nlohmann::json const& device = document.at("devices").at(0);
  EXPECT_EQ(device.at("device"), "scripted-device");
  EXPECT_EQ(device.at("runs"), 95);
  EXPECT_FALSE(device.contains("release"));
  nlohmann::json const& crept = case_of(device, "fake/a");
  EXPECT_EQ(crept.at("status"), "drifted");
  EXPECT_EQ(crept.at("anchor").at("kind"), "the first runs");
  EXPECT_NEAR(crept.at("drift").get<double>(), 0.016, 0.001);
  EXPECT_GT(crept.at("low").get<double>(), 0.01);
  EXPECT_EQ(crept.at("margin"), 0.01);
  nlohmann::json const& commits = crept.at("commits");
  for (int const run : {50, 60, 70}) {
    EXPECT_THAT(commits.dump(), HasSubstr(commit_of(run)));
  }
  EXPECT_THAT(commits.dump(), Not(HasSubstr(commit_of(30))));
  EXPECT_TRUE(commits.at(0).at("likeliest").get<bool>());
  EXPECT_NEAR(commits.at(0).at("moved").get<double>(), 0.004, 0.001);
  EXPECT_THAT(commits.at(0).at("subject").get<std::string>(), StartsWith("Change "));
  EXPECT_EQ(case_of(device, "fake/b").at("status"), "steady");

  Finished const text = creep();
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, AllOf(HasSubstr("drifted"), HasSubstr("1.00 % allowed"), HasSubstr("may have contributed"),
                              HasSubstr(commit_of(50).substr(0, 12) + " Change 50"), Not(HasSubstr("fake/b@"))));
  EXPECT_THAT(creep({"--verbose"}).out, HasSubstr("fake/b@"));
  Finished const other = creep({"--filter", "fake/b"});
  EXPECT_EQ(other.code, 0) << "the filter limits what is printed and so the exit code";
  EXPECT_EQ(creep({"--filter", "nobody"}).code, 2);
}

TEST_F(CreepCommand, IsQuietAboutAHistoryThatStaysWhereItIs) {
  make_history(60, flat);
  Finished const found = creep();
  EXPECT_EQ(found.code, 0) << found.out;
  EXPECT_THAT(found.out, HasSubstr("6 steady"));
}

TEST_F(CreepCommand, SaysThatAShortHistoryCannotTell) {
  make_history(6, flat);
  Finished const found = creep();
  EXPECT_EQ(found.code, 3);
  EXPECT_THAT(found.out, HasSubstr("6 cannot be told (too few runs)"));
  EXPECT_EQ(creep({"--json"}).json().at("exit_code"), 3);
}

TEST_F(CreepCommand, AnEmptyHistoryIsNoAnswer) {
  history::History(file("h.sqlite").string(), history::Mode::write);
  Finished const found = creep();
  EXPECT_EQ(found.code, 2);
  EXPECT_THAT(found.err, HasSubstr("there is no run in it yet"));
}

TEST_F(CreepCommand, AnAnchorMayBeNamed) {
  make_history(95, steps);
  Finished const late = creep({"--anchor", commit_of(75).substr(0, 12), "--json"});
  EXPECT_EQ(late.code, 0) << "this release leaves only the last step, which is within the margin";
  nlohmann::json const one = case_of(late.json().at("devices").at(0), "fake/a");
  EXPECT_EQ(one.at("anchor").at("kind"), "the release");
  EXPECT_EQ(one.at("anchor").at("to").at("commit"), commit_of(75));
  Finished const unknown = creep({"--anchor", "v9"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("--anchor v9"), HasSubstr("knows such a commit")));
}

TEST_F(CreepCommand, TheLastReleaseIsTheNewestTagWithRunsBehindIt) {
  make_history(95, steps);
  git({"init", "-q"});
  auto const release = [&](int run, std::string const& tag) {
    setenv("GIT_COMMITTER_DATE", time_of(run).c_str(), 1);
    git({"commit", "-q", "--allow-empty", "-m", tag});
    git({"tag", tag});
    unsetenv("GIT_COMMITTER_DATE");
  };
  release(20, "v1.0");
  release(55, "experiment");
  release(94, "v1.1");
  nlohmann::json device = creep({"--json"}).json().at("devices").at(0);
  EXPECT_EQ(device.at("release").at("name"), "v1.0") << "nothing was measured after v1.1";
  EXPECT_EQ(device.at("release").at("commit"), commit_of(20));
  EXPECT_THAT(creep().out, HasSubstr("compared with release v1.0"));
  write("perfcheck.toml", "[creep]\nreleases = \"exp*\"\n" + read(file("perfcheck.toml")));
  device = creep({"--json"}).json().at("devices").at(0);
  EXPECT_EQ(device.at("release").at("name"), "experiment");
  EXPECT_EQ(case_of(device, "fake/a").at("anchor").at("to").at("commit"), commit_of(55));
}

TEST_F(CreepCommand, ACheckSaysItInANoteAndKeepsItsVerdict) {
  record();
  age_baseline();
  make_history(60, [](int run) { return steps(run + 40) - 0.016; });  // in small steps up to today's level
  Finished const checked = measure("check", {"--history", "h.sqlite"});
  EXPECT_EQ(checked.code, 0) << checked.err << checked.out;
  nlohmann::json const result = checked.json();
  EXPECT_THAT(result.at("notes").dump(), AllOf(HasSubstr("creep: 2 cases became slower than is allowed"),
                                               HasSubstr("fake/a@"), HasSubstr("perfcheck history creep")));
  EXPECT_EQ(result.at("creep").at("counts").at("drifted"), 2);
  ASSERT_EQ(result.at("creep").at("cases").size(), 2U) << "steady cases must be left out";
  EXPECT_EQ(result.at("exit_code"), 0);
  EXPECT_EQ(creep().code, 1) << "unlike the note, the command must fail";
  // The history's record of this commit does not contain the note either.
  Finished const kept =
      perfcheck({"history", "show", "--json", "--history", "h.sqlite", result.at("run").at("id").get<std::string>()});
  EXPECT_THAT(kept.out, Not(HasSubstr("creep")));
}

TEST_F(CreepCommand, ABaselineThatWasRecordedAtTheNewLevelEndsIt) {
  make_history(60, [](int run) { return steps(run + 40) - 0.016; });
  EXPECT_EQ(creep().code, 1);
  record();  // newer than every run
  Finished const found = creep();
  EXPECT_EQ(found.code, 3) << found.out;
  EXPECT_THAT(found.out, HasSubstr("too few runs"));
}

TEST_F(CreepCommand, ABaselineOfTheOldIdEndsItUnderTheNewOne) {
  make_history(60, [](int run) { return steps(run + 40) - 0.016; });
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[renamed]\n\"fake/a\" = \"fake/new\"\n");
  Finished const found = creep();
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out, HasSubstr("fake/new@"));
  record_under_old_id();
  EXPECT_EQ(creep().code, 3) << creep().out;
}

TEST_F(CreepCommand, ACheckThatFindsNoneSaysNothing) {
  record();
  Finished const checked = measure("check", {"--history", "h.sqlite"});
  EXPECT_EQ(checked.code, 0);
  EXPECT_THAT(checked.json().at("notes").dump(), Not(HasSubstr("creep")));
  EXPECT_EQ(checked.json().at("creep").at("cases").size(), 0U);
  EXPECT_FALSE(measure("check").json().contains("creep")) << "without a history there is nothing to say about creep";
}

TEST_F(CreepCommand, ACheckWhoseHistoryCannotBeReadSaysSoAndStaysACheck) {
  record();
  make_history(10, flat);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file("h.sqlite").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, "UPDATE run SET head = x'00' WHERE id = 'run-003'", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  Finished const checked = measure("check", {"--history", "h.sqlite"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("kept as run"));
  EXPECT_THAT(checked.json().at("notes").dump(), HasSubstr("creep: nothing can be said about it"));
}

TEST_F(CreepCommand, TheReportTellsIt) {
  make_history(95, steps);
  std::string const place = file("h.sqlite").string();
  history::History history(place, history::Mode::read);
  config::Config const config = config::load_config(file("perfcheck.toml"));
  StreamTerminal terminal(stdout, stderr);
  session::Interrupt const interrupt;
  trends::ReportSource const source{.place = place,
                                    .config = config,
                                    .baselines = folder_ / "baselines",
                                    .terminal = terminal,
                                    .interrupt = interrupt};
  trends::BuiltDevice const built = trends::build_device(source, trends::devices_of(history, {}).at(0), 0,
                                                         [](std::string const&, std::string const&) {});
  ASSERT_TRUE(built.device.creep);
  EXPECT_EQ(built.device.creep->judged, 6);
  std::set<std::string> crept;
  for (report::ReportCase const& one : built.device.cases) {
    if (!one.creep) continue;
    crept.insert(one.id.substr(0, one.id.find('@')));
    EXPECT_EQ(one.creep->status, "drifted");
    EXPECT_EQ(one.creep->metric, report::Metric::ratio);
    EXPECT_EQ(one.creep->anchor_from, 0);
    EXPECT_NEAR(one.creep->onset, 50, 2);
    EXPECT_FALSE(one.creep->commits.empty());
  }
  EXPECT_EQ(crept, std::set<std::string>{"fake/a"});
}

}  // namespace
}  // namespace perfcheck::cli::testing
