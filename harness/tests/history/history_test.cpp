// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/history/history.h"

#include "packing.h"
#include "perfcheck/model/json.h"
#include "samples.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>

namespace perfcheck::history {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::sample_decision;
using testing::sample_run;
using ::testing::ThrowsMessage;

class HistoryTest : public ::testing::Test {
 protected:
  HistoryTest() {
    std::string pattern = (fs::temp_directory_path() / "perfcheck_history_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    place_ = (folder_ / "history.sqlite").string();
  }
  ~HistoryTest() override { fs::remove_all(folder_); }

  History open(Mode mode = Mode::write) const { return History(place_, mode); }
  void sql(char const* text) const {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(place_.c_str(), &connection), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(connection, text, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(connection);
    sqlite3_close(connection);
  }

  fs::path folder_;
  std::string place_;
};

std::string text(model::Run const& run) { return model::run_to_text(run); }

TEST_F(HistoryTest, GivesBackEveryRunAsItWasAdded) {
  History history = open();
  for (int number : {3, 1, 2}) {
    EXPECT_EQ(history.add(sample_run(number), std::nullopt), History::Added::added);
  }
  std::vector<RunEntry> const runs = open(Mode::read).runs();
  ASSERT_EQ(runs.size(), 3U);
  for (int number : {1, 2, 3}) {
    // In the order of the commits, not in the order of adding.
    RunEntry const& entry = runs[static_cast<std::size_t>(number - 1)];
    EXPECT_EQ(text(history.run(entry)), text(sample_run(number)));
    EXPECT_EQ(entry.cases, 6);
    EXPECT_EQ(entry.exit_code, std::nullopt);
    EXPECT_EQ(history.decision(entry), std::nullopt);
    EXPECT_EQ(history.head(entry).run.source.author, "A. Developer");
  }
}

TEST_F(HistoryTest, KeepsWhatWasDecidedAboutEachCaseAndTheRun) {
  model::Run const run = sample_run(1);
  RunDecision const decision = sample_decision(run);
  History history = open();
  history.add(run, decision);
  RunEntry const entry = history.runs().front();
  EXPECT_EQ(entry.exit_code, 1);
  EXPECT_EQ(entry.cases, 7) << "the missing case must count";
  EXPECT_EQ(history.decision(entry), decision);
}

TEST_F(HistoryTest, AnswersWithMediansAndIntervalsForEachCase) {
  History history = open();
  model::Run const run = sample_run(1);
  history.add(run, sample_decision(run));
  std::map<std::string, Result> results;
  for (SeriesEntry const& series : history.series()) {
    EXPECT_EQ(series.device_slug, "test-device");
    EXPECT_EQ(series.operation, "gemm");
    history.read(series, [&](Result const& result) { results[series.case_id] = result; });
  }
  ASSERT_EQ(results.size(), 7U);
  Result const& own = results.at("gemm/simt/k0@f32,nn,m512n512k512");
  EXPECT_EQ(own.sessions, 2);
  EXPECT_NEAR(own.time_ns.value(), 1010, 5);
  EXPECT_GT(own.time_hw.value(), 0);
  EXPECT_EQ(own.ratio, std::nullopt) << "a case that is its own control has no ratio";
  Result const& second = results.at("gemm/simt/k1@f32,nn,m512n512k512");
  EXPECT_NEAR(second.ratio.value(), 1 / 0.9, 0.01);
  EXPECT_NEAR(second.cycles.value(), 2020 * 1.755, 20);
  EXPECT_NEAR(second.clock_mhz.value(), 1755, 5);
  EXPECT_EQ(second.power_w, 400.5);
  EXPECT_EQ(second.decision->verdict, model::Verdict::regressed);
  Result const& wrong = results.at("gemm/simt/wrong@f32,nn,m512n512k512");
  EXPECT_EQ(wrong.status, model::CaseStatus::incorrect);
  EXPECT_EQ(wrong.time_ns, std::nullopt);
  EXPECT_THAT(wrong.message, HasSubstr("expected 2"));
  Result const& gone = results.at("gemm/simt/gone@f32,nn,m512n512k512");
  EXPECT_EQ(gone.decision->verdict, model::Verdict::missing);
  EXPECT_EQ(gone.time_ns, std::nullopt);
}

TEST_F(HistoryTest, StoresEqualAttributesOnceAndTellsDifferentOnesApart) {
  History history = open();
  model::Run second = sample_run(2);
  for (model::Session& session : second.sessions) {
    session.cases[1].launches[0].registers = 168;
    session.cases[0].launches[0].arguments = "of another process";
  }
  history.add(sample_run(1), std::nullopt);
  history.add(second, std::nullopt);
  EXPECT_EQ(history.attributes().size(), 5U) << "four cases, one of them with two different launches";
  for (SeriesEntry const& series : history.series()) {
    std::vector<int64_t> numbers;
    history.read(series, [&](Result const& result) { numbers.push_back(result.attributes); });
    bool const changed = series.case_id == "gemm/simt/k1@f32,nn,m512n512k512";
    EXPECT_EQ(numbers[0] != numbers[1], changed) << series.case_id;
  }
}

TEST_F(HistoryTest, LeavesARunThatIsThereAloneAndRefusesAnotherWithItsId) {
  History history = open();
  model::Run run = sample_run(1);
  history.add(run, std::nullopt);
  EXPECT_EQ(history.add(run, sample_decision(run)), History::Added::already_there);
  run.sessions[0].cases[0].rounds->time_ns[5] *= 2;
  EXPECT_THAT([&] { history.add(run, std::nullopt); },
              ThrowsMessage<HistoryError>(AllOf(HasSubstr(run.id), HasSubstr("other content"))));
  EXPECT_EQ(history.runs().size(), 1U);
  EXPECT_EQ(text(history.run(history.runs().front())), text(sample_run(1)));
}

TEST_F(HistoryTest, RefusesWhatIsNoHistoryOfTheCode) {
  History history = open();
  model::Run injected = sample_run(1);
  injected.injected = {"gemm/simt/k0=3"};
  EXPECT_THAT([&] { history.add(injected, std::nullopt); }, ThrowsMessage<HistoryError>(HasSubstr("on purpose")));
  model::Run empty = sample_run(1);
  empty.sessions.clear();
  EXPECT_THAT([&] { history.add(empty, std::nullopt); }, ThrowsMessage<HistoryError>(HasSubstr("no session")));
  model::Run mixed = sample_run(1);
  mixed.sessions[1].device.slug = "another-device";
  EXPECT_THAT([&] { history.add(mixed, std::nullopt); }, ThrowsMessage<HistoryError>(HasSubstr("several devices")));
  model::Run unfit = sample_run(1);
  unfit.sessions[0].cases[0].reference = "no case";
  EXPECT_THAT([&] { history.add(unfit, std::nullopt); },
              ThrowsMessage<HistoryError>(AllOf(HasSubstr("nothing was added"), HasSubstr("reference"))));
  EXPECT_TRUE(history.runs().empty());
}

TEST_F(HistoryTest, KeepsCalibrationsOncePerMoment) {
  History history = open();
  StoredCalibration const one{.device_slug = "d", .operation = "gemm", .recorded = "2026-11-22", .document = "{}"};
  EXPECT_EQ(history.add(one), History::Added::added);
  EXPECT_EQ(history.add(one), History::Added::already_there);
  StoredCalibration other = one;
  other.document = R"({"a":1})";
  EXPECT_THROW(history.add(other), HistoryError);
  ASSERT_EQ(history.calibrations().size(), 1U);
  EXPECT_EQ(history.calibrations().front().document, "{}");
}

TEST_F(HistoryTest, SaysWhatIsWrongWithAPlaceThatHoldsNone) {
  EXPECT_THAT([&] { open(Mode::read); },
              ThrowsMessage<HistoryError>(AllOf(HasSubstr(place_), HasSubstr("begins one"))));
  EXPECT_FALSE(fs::exists(place_)) << "reading must not create the file";
  EXPECT_THAT([&] { History(folder_.string(), Mode::write); }, ThrowsMessage<HistoryError>(HasSubstr("is a folder")));
  std::ofstream(place_) << "this is a text and long enough to be no database at all, whatever one may think of it";
  EXPECT_THAT([&] { open(); }, ThrowsMessage<HistoryError>(HasSubstr("was not written by perfcheck")));
  fs::remove(place_);
  sql("CREATE TABLE bookmarks (id INTEGER)");
  EXPECT_THAT([&] { open(); }, ThrowsMessage<HistoryError>(HasSubstr("something else")));
  EXPECT_THAT([&] { open(Mode::read); }, ThrowsMessage<HistoryError>(HasSubstr("something else")));
}

TEST_F(HistoryTest, RefusesOneThatANewerPerfcheckWrote) {
  open();
  sql("UPDATE perfcheck_history SET version = 99");
  EXPECT_THAT([&] { open(); }, ThrowsMessage<HistoryError>(HasSubstr("newer perfcheck")));
  EXPECT_THAT([&] { open(Mode::read); }, ThrowsMessage<HistoryError>(HasSubstr("newer perfcheck")));
}

TEST_F(HistoryTest, TellsDamageInsteadOfGivingWrongNumbers) {
  History history = open();
  history.add(sample_run(1), std::nullopt);
  RunEntry const entry = history.runs().front();
  sql("UPDATE rounds SET rounds = substr(rounds, 1, 20)");
  EXPECT_THAT([&] { history.run(entry); }, ThrowsMessage<HistoryError>(HasSubstr("damaged")));
  sql("DELETE FROM rounds");
  EXPECT_THAT([&] { history.run(entry); }, ThrowsMessage<HistoryError>(HasSubstr("damaged")));
  sql("UPDATE run SET head = x'00'");
  EXPECT_THAT([&] { history.head(entry); }, ThrowsMessage<HistoryError>(HasSubstr("damaged")));
  // Valid deflate streams that do not hold a run: {} and {"sessions":{}}.
  for (char const* const head : {"x'789cabae0500017500f9'", "x'789cab562a4e2d2ececccf2b56b2aaaead05002e7905e6'"}) {
    sql(fmt::format("UPDATE run SET head = {}", head).c_str());
    EXPECT_THAT([&] { history.head(entry); }, ThrowsMessage<HistoryError>(HasSubstr("damaged")));
    EXPECT_THAT([&] { history.run(entry); }, ThrowsMessage<HistoryError>(HasSubstr("damaged")));
  }
}

TEST_F(HistoryTest, ARunWithoutSessionsIsDamage) {
  History history = open();
  history.add(sample_run(1), std::nullopt);
  RunEntry const entry = history.runs().front();
  model::Run run = sample_run(1);
  run.sessions.clear();
  std::string head;
  for (char const byte : pack(run).head) {
    head += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  sql(fmt::format("DELETE FROM rounds; DELETE FROM session; UPDATE run SET head = x'{}'", head).c_str());
  auto const damaged = ThrowsMessage<HistoryError>(AllOf(HasSubstr("damaged"), HasSubstr("holds no session")));
  EXPECT_THAT([&] { history.head(entry); }, damaged);
  EXPECT_THAT([&] { history.run(entry); }, damaged);
}

TEST_F(HistoryTest, ARunThatIsGoneHasNoHead) {
  History history = open();
  history.add(sample_run(1), std::nullopt);
  RunEntry gone = history.runs().front();
  ++gone.number;
  EXPECT_THAT([&] { history.head(gone); }, ThrowsMessage<HistoryError>(HasSubstr("damaged")));
}

TEST_F(HistoryTest, ACountThatIsNoneIsDamage) {
  open().add(sample_run(1), sample_decision(sample_run(1)));
  for (char const* change : {"sessions = -1", "sessions = 2147483648"}) {
    History history = open(Mode::read);
    sql(fmt::format("CREATE TABLE kept AS SELECT * FROM result; UPDATE result SET {}", change).c_str());
    auto const damaged = ThrowsMessage<HistoryError>(AllOf(HasSubstr("damaged"), HasSubstr("sessions of a result")));
    EXPECT_THAT([&] { history.read(history.series().front(), [](Result const&) {}); }, damaged) << change;
    EXPECT_THAT([&] { history.decision(history.runs().front()); }, damaged) << change;
    sql("DELETE FROM result; INSERT INTO result SELECT * FROM kept; DROP TABLE kept");
  }
}

TEST_F(HistoryTest, AFigureThatIsNoneIsAbsent) {
  model::Run const run = sample_run(1);
  open().add(run, sample_decision(run));
  sql("UPDATE result SET time_ns = 9e999, noise = -9e999, change_high = 9e999");
  History history = open(Mode::read);
  int results = 0;
  for (auto const& series : history.series()) {
    history.read(series, [&](Result const& result) {
      ++results;
      EXPECT_FALSE(result.time_ns.has_value() || result.noise.has_value());
      EXPECT_TRUE(!result.decision || !result.decision->high.has_value());
    });
  }
  EXPECT_GT(results, 0);
}

TEST_F(HistoryTest, KeepsNoFigureThatIsNotFinite) {
  model::Run const run = sample_run(1);
  RunDecision decision = sample_decision(run);
  StoredDecision& one = decision.cases.begin()->second;
  one.high = std::numeric_limits<double>::infinity();
  History history = open();
  history.add(run, decision);
  one.high.reset();
  EXPECT_EQ(history.decision(history.runs().front()), decision);
}

TEST_F(HistoryTest, SaysInOneLineWhatIsDamagedWhateverItsTextsHold) {
  open().add(sample_run(1), sample_decision(sample_run(1)));
  sql("UPDATE run SET id = 'a' || char(10) || '::error::', head = x'00'");
  sql("UPDATE result SET status = 'x' || char(10) || '::error::'");
  History history = open(Mode::read);
  auto const one_line = ThrowsMessage<HistoryError>(AllOf(HasSubstr("::error::"), ::testing::Not(HasSubstr("\n"))));
  EXPECT_THAT([&] { history.head(history.runs().front()); }, one_line);
  EXPECT_THAT([&] { history.read(history.series().front(), [](Result const&) {}); }, one_line);
}

TEST_F(HistoryTest, WhatSqliteSaysAboutADamagedSchemaIsOneLine) {
  open();
  sql("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE run (' || char(10) || '`id' || "
      "char(10) "
      "WHERE name = 'run'");
  EXPECT_THAT([&] { open(Mode::read); },
              ThrowsMessage<HistoryError>(AllOf(HasSubstr("malformed"), ::testing::Not(HasSubstr("\n")))));
}

TEST_F(HistoryTest, KnowsNoExitCodeThatNoProgramCanHave) {
  open().add(sample_run(1), sample_decision(sample_run(1)));
  for (char const* code : {"256", "-1", "4294967296"}) {
    sql(fmt::format("UPDATE run SET exit_code = {}", code).c_str());
    History history = open(Mode::read);
    EXPECT_THAT([&] { history.decision(history.runs().front()); }, ThrowsMessage<HistoryError>(HasSubstr("damaged")))
        << code;
  }
}

TEST_F(HistoryTest, AViewInThePlaceOfATableIsNotRead) {
  open();
  sql("DROP TABLE calibration; CREATE VIEW calibration AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) "
      "SELECT i AS device_slug, i AS operation, i AS recorded, i AS document FROM n WHERE i > 1");
  for (Mode const mode : {Mode::read, Mode::write}) {
    EXPECT_THAT([&] { open(mode); }, ThrowsMessage<HistoryError>(HasSubstr("has no table calibration")));
  }
}

/// Runs `work` in a child process and waits for its end; returns its wait status.
template <typename Work>
int in_child(Work work) {
  pid_t const child = ::fork();
  if (child == 0) {
    try {
      work();
    } catch (HistoryError const&) {
      ::_exit(3);
    }
    ::_exit(0);
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  return state;
}

TEST_F(HistoryTest, AWriterWhoseDiskIsFullLosesOnlyItsOwnRun) {
  open().add(sample_run(1), std::nullopt);
  auto const size = fs::file_size(place_);
  int const state = in_child([&] {
    // A limit on the file size fails writes as a full disk does.
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit const limit{size + 8192, size + 8192};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    open().add(sample_run(2, 400), std::nullopt);
  });
  ASSERT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 3) << "the failure must be reported";
  History history = open();
  ASSERT_EQ(history.runs().size(), 1U);
  EXPECT_EQ(text(history.run(history.runs().front())), text(sample_run(1)));
  EXPECT_EQ(history.add(sample_run(2, 400), std::nullopt), History::Added::added);
}

TEST_F(HistoryTest, AWriterKilledAtAnyMomentLeavesWholeRuns) {
  open();
  std::size_t finished = 0;
  // Kills the writer later and later until some runs were added: how long that takes depends on the machine.
  for (int round = 0; round < 12 || (finished == 0 && round < 60); ++round) {
    pid_t const child = ::fork();
    if (child == 0) {
      History history = open();
      for (int i = 0; i < 1000; ++i) {
        history.add(sample_run(round * 1000 + i, 30), std::nullopt);
      }
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(15000 + round * round * 1000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    History history = open();
    std::vector<RunEntry> const runs = history.runs();
    EXPECT_GE(runs.size(), finished);
    finished = runs.size();
    for (RunEntry const& entry : runs) {
      int const number = static_cast<int>(std::stol(entry.id.substr(entry.id.size() - 6), nullptr, 16));
      EXPECT_EQ(text(history.run(entry)), text(sample_run(number, 30)));
    }
  }
  EXPECT_GT(finished, 0U);
}

}  // namespace
}  // namespace perfcheck::history
