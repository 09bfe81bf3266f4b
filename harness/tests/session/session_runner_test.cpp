// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/session_runner.h"

#include "process_check.h"
#include "scene.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <stdexcept>
#include <system_error>

namespace perfcheck::session {
namespace {

using model::CaseStatus;
using ::testing::AllOf;
using testing::by_id;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using testing::faulty;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Scene;
using testing::scripted;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// Expects all cases to be there, and all but `id` to be measured.
void expect_others_measured(model::Session const& session, std::string const& id, std::size_t count = 6) {
  auto const results = by_id(session);
  EXPECT_EQ(results.size(), count);
  for (auto const& [other, result] : results) {
    if (other == id) continue;
    EXPECT_EQ(result.status, CaseStatus::measured) << other << ": " << result.message;
  }
}

TEST(Session, AGoodWorkerMeasuresEveryCase) {
  Scene scene(scripted());
  scene.options.measure.seed = 42;
  model::Session const session = scene.run();
  expect_others_measured(session, "");
  EXPECT_EQ(session.restarts, 0);
  EXPECT_EQ(session.seed, 42U);
  EXPECT_EQ(session.device.slug, "scripted-device");
  EXPECT_EQ(session.environment.host, "scripted");
  EXPECT_THAT(session.started, ContainsRegex("^20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z$"));
  EXPECT_TRUE(session.id.empty());
  EXPECT_EQ(scene.recorder.finished, 6U);
  EXPECT_THAT(scene.recorder.restarts, IsEmpty());
  EXPECT_THAT(scene.recorder.phases, SizeIs(12));
  EXPECT_TRUE(std::is_sorted(session.cases.begin(), session.cases.end(),
                             [](auto const& a, auto const& b) { return a.id < b.id; }));
}

TEST(Session, OneWorkerProcessServesTheSessionAndIsGoneAfterwards) {
  testing::TemporaryFile const pids;
  std::size_t const descriptors = testing::open_descriptors();
  Scene scene(scripted({"--pid-file", pids.path()}));
  (void)scene.run();
  EXPECT_THAT(pids.pids(), SizeIs(1));
  EXPECT_TRUE(testing::no_children());
  EXPECT_EQ(testing::open_descriptors(), descriptors);
}

TEST(Session, SkippedCasesAreCopiedWithTheirReason) {
  Scene scene(scripted());
  scene.cases[1].skip_reason = model::SkipReason::suite_rule;
  scene.cases[1].reason = "too slow for this size";
  std::string const id = scene.cases[1].id;
  model::Session const session = scene.run();
  expect_others_measured(session, id);
  model::CaseResult const skipped = by_id(session).at(id);
  EXPECT_EQ(skipped.status, CaseStatus::skipped);
  EXPECT_EQ(skipped.skip_reason, model::SkipReason::suite_rule);
  EXPECT_EQ(skipped.message, "too slow for this size");
  EXPECT_THAT(scene.recorder.started, SizeIs(5));
}

TEST(Session, InjectionReachesItsCaseAndNoOther) {
  Scene scene(scripted({"--noise", "0", "--session-noise", "0"}), {"p1"});
  auto const before = by_id(scene.run());
  scene.recorder = {};
  scene.options.inject_percent = {{"fake/a@p1", 25.0}};
  auto const after = by_id(scene.run());
  auto const time = [](auto const& results, char const* id) { return results.at(id).rounds->time_ns.front(); };
  EXPECT_NEAR(time(after, "fake/a@p1") / time(before, "fake/a@p1"), 1.25, 1e-4);
  EXPECT_EQ(after.at("fake/a@p1").injected_percent, 25);
  EXPECT_EQ(time(after, "fake/b@p1"), time(before, "fake/b@p1"));
  EXPECT_EQ(after.at("fake/b@p1").injected_percent, 0);
}

TEST(Session, VerifyOnlyMeansNoTimes) {
  Scene scene(scripted());
  scene.options.measure.verify_only = true;
  for (model::CaseResult const& result : scene.run().cases) {
    EXPECT_EQ(result.status, CaseStatus::skipped);
    EXPECT_EQ(result.skip_reason, model::SkipReason::verify_only);
    EXPECT_FALSE(result.rounds.has_value());
    EXPECT_TRUE(result.verification.has_value() && result.verification->passed);
  }
}

TEST(Session, TheSeedShufflesTheOrder) {
  Scene scene(scripted(), {"p1", "p2", "p3", "p4"});
  scene.options.shuffle = true;
  scene.options.measure.seed = 3;
  (void)scene.run();
  std::vector<std::string> const first = scene.recorder.started;
  scene.recorder = {};
  (void)scene.run();
  EXPECT_EQ(scene.recorder.started, first);
  scene.recorder = {};
  scene.options.measure.seed = 4;
  (void)scene.run();
  EXPECT_NE(scene.recorder.started, first);
}

struct Harm {
  char const* name;
  char const* fault;
  CaseStatus status;
  char const* says;
  int restarts;
};

std::ostream& operator<<(std::ostream& out, Harm const& row) { return out << row.name; }

class ACaseThatHarmsItsWorker : public ::testing::TestWithParam<Harm> {};

TEST_P(ACaseThatHarmsItsWorker, CostsOnlyItself) {
  Harm const& row = GetParam();
  Scene scene(faulty(row.fault));
  scene.options.case_timeout_s = row.status == CaseStatus::timed_out ? 1.0 : 20.0;
  model::Session const session = scene.run();
  expect_others_measured(session, "fake/a@p1");
  model::CaseResult const harmful = by_id(session).at("fake/a@p1");
  EXPECT_EQ(harmful.status, row.status);
  EXPECT_THAT(harmful.message, HasSubstr(row.says));
  EXPECT_EQ(harmful.reference, "fake/reference@p1");
  EXPECT_GT(harmful.work.flop, 0);
  EXPECT_EQ(harmful.arithmetic, "f32");
  EXPECT_FALSE(harmful.rounds.has_value());
  EXPECT_EQ(session.restarts, row.restarts);
  EXPECT_EQ(scene.recorder.started.size(), 6U);
  EXPECT_EQ(scene.recorder.finished, 6U);
  EXPECT_EQ(static_cast<int>(scene.recorder.restarts.size()), row.restarts);
  EXPECT_TRUE(testing::no_children());
}

INSTANTIATE_TEST_SUITE_P(
    Session, ACaseThatHarmsItsWorker,
    ::testing::Values(
        Harm{"Abort", "during:fake/a@p1=abort", CaseStatus::crashed, "killed by signal 6", 1},
        Harm{
            "Segfault", "during:fake/a@p1=segv", CaseStatus::crashed,
            "killed by signal 11 (Segmentation fault) while measuring fake/a@p1; last words: scripted worker: now segv",
            1},
        Harm{"Exit", "during:fake/a@p1=exit:3", CaseStatus::crashed, "exit code 3", 1},
        // The worker said nothing about the case, so a fresh worker gets a second chance.
        Harm{"AbortAtOnce", "before:fake/a@p1=abort", CaseStatus::crashed, "while starting on fake/a@p1", 2},
        Harm{"Hang", "during:fake/a@p1=hang", CaseStatus::timed_out, "exceeded its time limit while measuring", 1},
        Harm{"HangAtOnce", "before:fake/a@p1=hang", CaseStatus::timed_out, "exceeded its time limit", 1},
        Harm{"EndlessProgress", "during:fake/a@p1=flood-progress", CaseStatus::timed_out, "exceeded its time limit", 1},
        Harm{"EndlessOutput", "during:fake/a@p1=flood-output", CaseStatus::failed, "a line of more than", 1},
        Harm{"Nonsense", "result:fake/a@p1=say:nonsense", CaseStatus::failed, "it said: nonsense", 1},
        Harm{"Garbage", "result:fake/a@p1=garbage", CaseStatus::failed, "broke the protocol", 1},
        Harm{"HalfALine", "result:fake/a@p1=half-line", CaseStatus::crashed, "half a line", 1},
        Harm{"Grandchild", "during:fake/a@p1=grandchild", CaseStatus::crashed, "exit code 3", 1},
        Harm{"AnotherCase", R"(result:fake/a@p1=patch:[{"op":"replace","path":"/result/id","value":"fake/b@p1"}])",
             CaseStatus::failed, "the result is of fake/b@p1", 1},
        Harm{"AnotherReference",
             R"(result:fake/a@p1=patch:[{"op":"replace","path":"/result/reference","value":"fake/b@p1"}])",
             CaseStatus::failed, "its result has fake/b@p1", 1},
        Harm{"LostContext", "result:fake/a@p1=context-lost", CaseStatus::crashed, "illegal memory access (scripted)",
             1},
        Harm{"Incorrect", "result:fake/a@p1=incorrect", CaseStatus::incorrect, "element (3, 5) is 7, not 8", 0},
        Harm{"Failed", "result:fake/a@p1=failed", CaseStatus::failed, "out of memory (scripted)", 0},
        Harm{"Error", "result:fake/a@p1=error:internal", CaseStatus::failed, "\"internal\": as the script wants", 0}),
    [](auto const& row) { return row.param.name; });

TEST(Session, AWorkerThatDiesAfterItsResultTakesNoOtherCaseWithIt) {
  Scene scene(faulty("after:fake/a@p1=segv"));
  model::Session const session = scene.run();
  expect_others_measured(session, "");
  EXPECT_EQ(session.restarts, 1);
}

TEST(Session, ADeathAfterTheLastCaseNeedsNoNewWorker) {
  testing::TemporaryFile const pids;
  Scene scene(scripted({"--pid-file", pids.path(), "--fault", "during:fake/b@p2=abort"}));
  model::Session const session = scene.run();
  EXPECT_EQ(session.restarts, 1);
  EXPECT_THAT(scene.recorder.restarts, IsEmpty());
  EXPECT_THAT(pids.pids(), SizeIs(1));
}

TEST(Session, EveryCaseMayKillItsWorker) {
  Scene scene(faulty("during:*=abort"));
  model::Session const session = scene.run();
  EXPECT_THAT(session.cases, SizeIs(6));
  for (model::CaseResult const& result : session.cases) {
    EXPECT_EQ(result.status, CaseStatus::crashed);
    EXPECT_THAT(result.message, HasSubstr("while measuring " + result.id));
  }
  EXPECT_EQ(session.restarts, 6);
}

TEST(Session, WhatAWorkerSaysIsOneLineOfLimitedLengthWhereverItIsTold) {
  std::string const lost =
      R"([{"op":"replace","path":"/result/status","value":"crashed"},{"op":"remove","path":"/result/rounds"},)"
      R"({"op":"remove","path":"/result/proof"},)"
      R"({"op":"add","path":"/context_lost","value":true},{"op":"add","path":"/result/message","value":"first\nlast)" +
      std::string(1000, 'w') + R"("}])";
  Scene scene(faulty("result:fake/a@p1=patch:" + lost));
  expect_others_measured(scene.run(), "fake/a@p1");
  ASSERT_THAT(scene.recorder.restarts, SizeIs(1));
  EXPECT_THAT(scene.recorder.restarts.front(),
              AllOf(StartsWith("the device context was lost with fake/a@p1: first | lastwww"), EndsWith("www...")));
  EXPECT_LT(scene.recorder.restarts.front().size(), 500U);
}

/// JSON Patch of a result: the case failed for lack of memory and asks for a fresh process.
std::string const kAsksForAFreshProcess =
    R"([{"op":"replace","path":"/result/status","value":"failed"},{"op":"remove","path":"/result/rounds"},)"
    R"({"op":"remove","path":"/result/proof"},{"op":"add","path":"/context_lost","value":true},)"
    R"({"op":"add","path":"/result/message","value":"no memory"}])";

TEST(Session, ACaseThatAsksForAFreshProcessGetsOneAndIsMeasured) {
  testing::TemporaryFile const processes;
  // fake/b@p2 is not the first case of its worker process.
  Scene scene(scripted(
      {"--fault", "result:fake/b@p2=patch:" + kAsksForAFreshProcess, "--faults-in", "first:" + processes.path()}));
  model::Session const session = scene.run();
  for (model::CaseResult const& result : session.cases) EXPECT_EQ(result.status, CaseStatus::measured) << result.id;
  EXPECT_EQ(session.restarts, 0) << "no worker was lost";
  EXPECT_THAT(scene.recorder.restarts,
              ::testing::ElementsAre("it asked for a fresh process after fake/b@p2: no memory"));
  EXPECT_THAT(session.environment.warnings,
              ::testing::Contains("second try: fake/b@p2 was measured in a fresh process, after: no memory"));
}

TEST(Session, ACaseThatFailsInAFreshProcessTooHasFailedAndTheOthersGoOn) {
  Scene scene(faulty("result:*=patch:" + kAsksForAFreshProcess));
  scene.options.max_restarts = 2;
  model::Session const session = scene.run();
  ASSERT_THAT(session.cases, SizeIs(6));
  for (model::CaseResult const& result : session.cases) {
    EXPECT_EQ(result.status, CaseStatus::failed) << result.id;
    EXPECT_EQ(result.message, "no memory") << "every case must be asked for; none may be \"not run\"";
  }
}

TEST(Session, TooManyLostWorkersEndIt) {
  Scene scene(faulty("during:*=abort"));
  scene.options.max_restarts = 2;
  model::Session const session = scene.run();
  EXPECT_EQ(session.restarts, 3);
  ASSERT_THAT(session.cases, SizeIs(6));
  auto const results = by_id(session);
  EXPECT_THAT(results.at("fake/b@p1").message, HasSubstr("killed by signal 6"));
  EXPECT_EQ(results.at("fake/b@p2").status, CaseStatus::crashed);
  EXPECT_THAT(results.at("fake/b@p2").message, StartsWith("not run: 3 workers were lost in this session"));
}

TEST(Session, AWorkerThatCannotStartAgainEndsItAfterTwoAttempts) {
  testing::TemporaryFile const processes;
  WorkerCommand worker;
  // The first process works until its first case kills it; later ones exit at once.
  worker.argv = {"/bin/sh", "-c",
                 fmt::format("test -e {0} && exit 9; echo > {0}; exec {1} --fault 'during:fake/a@p1=abort'",
                             processes.path(), PERFCHECK_SCRIPTED_WORKER)};
  Scene scene(worker);
  model::Session const session = scene.run();
  auto const results = by_id(session);
  EXPECT_THAT(results, SizeIs(6));
  EXPECT_EQ(results.at("fake/reference@p1").status, CaseStatus::measured);
  EXPECT_THAT(results.at("fake/a@p1").message, HasSubstr("killed by signal 6"));
  EXPECT_EQ(results.at("fake/b@p2").status, CaseStatus::crashed);
  EXPECT_THAT(results.at("fake/b@p2").message,
              StartsWith("not run: no worker can be started any more: worker died: exit code 9"));
  EXPECT_EQ(session.restarts, 3);
  EXPECT_THAT(scene.recorder.restarts, IsEmpty());
}

TEST(Session, ARestartOnAnotherDeviceEndsIt) {
  testing::TemporaryFile const processes;
  WorkerCommand worker;
  worker.argv = {"/bin/sh", "-c",
                 fmt::format("U=0; test -e {0} && U=1; echo > {0}; exec {1} --device-uuid $U --fault "
                             "'during:fake/a@p1=abort'",
                             processes.path(), PERFCHECK_SCRIPTED_WORKER)};
  Scene scene(worker);
  auto const results = by_id(scene.run());
  EXPECT_THAT(results, SizeIs(6));
  EXPECT_EQ(results.at("fake/b@p2").status, CaseStatus::crashed);
  EXPECT_THAT(results.at("fake/b@p2").message, HasSubstr("another device"));
}

TEST(Session, ThrowsOnlyWhenNoWorkerStartsAtAll) {
  EXPECT_THROW((void)Scene(faulty("hello=abort")).run(), WorkerLost);
  EXPECT_THROW((void)Scene(faulty("hello=error:no_device")).run(), WorkerRefused);
  WorkerCommand missing;
  missing.argv = {"/nowhere/worker"};
  EXPECT_THROW((void)Scene(missing).run(), std::system_error);
}

TEST(Session, TheTimeBudgetFailsWhatIsLeft) {
  Scene scene(scripted({"--delay-ms", "60"}));
  scene.options.time_budget_s = 0.1;
  model::Session const session = scene.run();
  auto const results = by_id(session);
  ASSERT_THAT(results, SizeIs(6));
  model::CaseResult const last = results.at("fake/b@p2");
  EXPECT_EQ(last.status, CaseStatus::failed);
  EXPECT_THAT(last.message, StartsWith("time budget used up (0.1 s)"));
  EXPECT_EQ(scene.recorder.finished, 6U);
}

TEST(Session, BadRequestsAreRefusedBeforeAnythingRuns) {
  Scene twice(scripted());
  twice.cases.push_back(twice.cases.front());
  EXPECT_THROW((void)twice.run(), std::invalid_argument);
  Scene seed(scripted());
  seed.options.measure.seed = protocol::kMaxSeed + 1;
  EXPECT_THROW((void)seed.run(), std::invalid_argument);
}

TEST(Session, AnInterruptEndsItAndKillsTheWorker) {
  class Impatient final : public SessionObserver {
    void case_phase(std::string const& /*id*/, std::string const& /*phase*/) override { (void)::raise(SIGINT); }
  } observer;
  testing::StandardSignals const standard;
  testing::TemporaryFile const pids;
  Scene scene(scripted({"--ignore-sigterm", "--pid-file", pids.path(), "--fault", "during:*=hang"}));
  Interrupt const interrupt;
  testing::Stopwatch const watch;
  try {
    (void)run_session(scene.cases, scene.options, &interrupt, observer);
    FAIL() << "the session went on";
  } catch (Interrupted const& interrupted) {
    EXPECT_EQ(interrupted.signal, SIGINT);
  }
  EXPECT_LT(watch.seconds(), 5);
  ASSERT_THAT(pids.pids(), SizeIs(1));
  EXPECT_TRUE(testing::is_dead(pids.pids().front()));
}

}  // namespace
}  // namespace perfcheck::session
