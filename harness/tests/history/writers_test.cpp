// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Many concurrent writers of one history, some of which are killed while they write.
#include "engines.h"
#include "perfcheck/history/history.h"
#include "perfcheck/model/json.h"
#include "perfcheck/session/child_process.h"
#include "runs.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <thread>

namespace perfcheck::history {
namespace {

using testing::numbered_run;
using testing::run_id;

constexpr double kPatience = 240;  // seconds; generous, because every run waits until the disk has it

/// A writer process, and the runs that were acknowledged to it.
class Writer {
 public:
  Writer(std::string const& place, int number, int runs)
      : number_(number), process_({PERFCHECK_HISTORY_WRITER, place, std::to_string(number), std::to_string(runs)}) {
    EXPECT_EQ(line(), "ready");
  }

  int number() const { return number_; }
  void go() { EXPECT_TRUE(process_.write_line("go", session::deadline_after(kPatience))); }
  void expect_open() { EXPECT_EQ(line(), "open") << process_.error_tail(); }
  /// Waits for this many more acknowledged runs.
  void await(int runs) {
    for (int i = 0; i < runs; ++i) {
      std::string const id = line();
      ASSERT_NE(id, "") << process_.error_tail();
      acknowledged_.push_back(id);
    }
  }
  /// Sends SIGKILL, for which the writer cannot prepare.
  void kill() {
    EXPECT_EQ(::kill(process_.pid(), SIGKILL), 0);
    // What it had already printed is still in the pipe.
    for (std::string id = line(); !id.empty(); id = line()) {
      acknowledged_.push_back(id);
    }
    EXPECT_TRUE(process_.wait_or_kill(session::deadline_after(kPatience)).signalled);
  }
  void expect_success() {
    EXPECT_EQ(process_.wait_or_kill(session::deadline_after(kPatience)).describe(), "exit code 0")
        << process_.error_tail();
  }
  std::vector<std::string> const& acknowledged() const { return acknowledged_; }

 private:
  /// The next line; empty at the end of the output.
  std::string line() {
    std::string text;
    return process_.read_line(text, session::deadline_after(kPatience)) == session::ReadOutcome::line ? text : "";
  }

  int number_;
  session::ChildProcess process_;
  std::vector<std::string> acknowledged_;
};

using Writers = std::vector<std::unique_ptr<Writer>>;

class WritersTest : public testing::OnEngine {
 protected:
  Writers start(int count, int runs) {
    Writers writers;
    for (int i = 0; i < count; ++i) {
      writers.push_back(std::make_unique<Writer>(place(), i, runs));
    }
    for (auto const& writer : writers) {
      writer->go();
    }
    return writers;
  }

  /// Expects every acknowledged run exactly once and as it was added, perhaps the next run of a killed writer, and
  /// nothing else.
  void expect_what_was_acknowledged(Writers const& writers, std::set<int> const& killed) {
    std::map<std::string, std::pair<int, int>> expected;  // writer and index by id
    std::set<std::string> possible;
    for (auto const& writer : writers) {
      int index = 0;
      for (std::string const& id : writer->acknowledged()) {
        EXPECT_EQ(id, run_id(writer->number(), index));
        expected[id] = {writer->number(), index++};
      }
      if (killed.contains(writer->number())) {
        possible.insert(run_id(writer->number(), index));
        expected[run_id(writer->number(), index)] = {writer->number(), index};
      }
    }
    History history(place(), Mode::read);
    std::map<int64_t, std::string> found;  // id by number
    for (RunEntry const& entry : history.runs()) {
      ASSERT_TRUE(expected.contains(entry.id)) << entry.id << " was never added";
      auto const [writer, index] = expected.at(entry.id);
      EXPECT_EQ(model::run_to_text(history.run(entry)), model::run_to_text(numbered_run(writer, index)));
      EXPECT_EQ(entry.cases, cases_of_a_run());
      EXPECT_TRUE(found.emplace(entry.number, entry.id).second);
    }
    std::set<std::string> ids;
    for (auto const& [number, id] : found) {
      EXPECT_TRUE(ids.insert(id).second) << id << " is stored twice";
    }
    for (auto const& [id, one] : expected) {
      EXPECT_TRUE(ids.contains(id) || possible.contains(id)) << id << " was acknowledged but is not stored";
    }
    expect_results_of(history, found);
  }

 private:
  static int cases_of_a_run() { return static_cast<int>(numbered_run(0, 0).sessions.front().cases.size()); }

  static void expect_results_of(History& history, std::map<int64_t, std::string> const& runs) {
    std::vector<SeriesEntry> const series = history.series();
    EXPECT_EQ(series.size(), static_cast<std::size_t>(cases_of_a_run()));
    for (SeriesEntry const& one : series) {
      std::set<int64_t> seen;
      history.read(one, [&](Result const& result) {
        EXPECT_TRUE(runs.contains(result.run)) << "a result without a run";
        EXPECT_TRUE(seen.insert(result.run).second) << "a result is stored twice";
        EXPECT_EQ(result.sessions, result.status == model::CaseStatus::measured ? 2 : 0);
      });
      EXPECT_EQ(seen.size(), runs.size()) << one.case_id;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(On, WritersTest, ::testing::Values(testing::Engine::sqlite, testing::Engine::postgres),
                         testing::engine_name);

TEST_P(WritersTest, SixteenAddAHundredRunsEachAtOnceAndOneIsKilledInTheMiddle) {
  constexpr int kWriters = 16, kRuns = 100, kVictim = 5;
  Writers const writers = start(kWriters, kRuns);
  for (auto const& writer : writers) {
    writer->expect_open();
  }
  writers[kVictim]->await(kRuns / 2);
  writers[kVictim]->kill();
  ASSERT_LT(writers[kVictim]->acknowledged().size(), std::size_t{kRuns});
  for (auto const& writer : writers) {
    if (writer->number() != kVictim) {
      writer->await(kRuns);
      writer->expect_success();
    }
  }
  expect_what_was_acknowledged(writers, {kVictim});
}

TEST_P(WritersTest, AWriterKilledAnywhereLeavesAHistoryThatTheNextOneGoesOnWith) {
  constexpr int kRounds = 20;
  Writers writers;
  std::set<int> killed;
  for (int i = 0; i < kRounds; ++i) {
    Writer& writer = *writers.emplace_back(std::make_unique<Writer>(place(), i, 1000));
    writer.go();
    writer.expect_open();
    writer.await(2);
    // Each writer is killed at another moment of adding a run.
    std::this_thread::sleep_for(std::chrono::microseconds(i * 700));
    writer.kill();
    killed.insert(i);
  }
  expect_what_was_acknowledged(writers, killed);
}

TEST_P(WritersTest, EightOpenAnEmptyHistoryAtOnce) {
  for (int repetition = 0; repetition < 3; ++repetition) {
    Writers const writers = start(8, 0);
    for (auto const& writer : writers) {
      writer->expect_open();
      writer->expect_success();
    }
    EXPECT_TRUE(History(place(), Mode::read).runs().empty());
    start_over();
  }
}

TEST_P(WritersTest, TheSameRunFromAllOfThemIsThereOnce) {
  Writers writers;
  for (int i = 0; i < 8; ++i) {
    writers.push_back(std::make_unique<Writer>(place(), 3, 10));
  }
  for (auto const& writer : writers) {
    writer->go();
  }
  for (auto const& writer : writers) {
    writer->expect_open();
    writer->await(10);
    writer->expect_success();
  }
  expect_what_was_acknowledged(writers, {});
}

}  // namespace
}  // namespace perfcheck::history
