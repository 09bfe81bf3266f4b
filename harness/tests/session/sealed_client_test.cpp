// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A judge is a separate program: whatever it does becomes a result. The judges here are scripts.
#include "perfcheck/session/sealed_client.h"

#include "perfcheck/session/orphans.h"
#include "process_check.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace perfcheck::session {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Stopwatch;

constexpr char const* kId = "set/a@f32";
constexpr double kSoon = 20;  // seconds; generous for busy machines; no test waits this long when it passes

/// Prints a result line for the requested case.
constexpr char const* kSayTimed =
    R"(printf '{"schema":"perfcheck.sealed/1","case":"%s","status":"timed","launches":4,"reference_launches":0,)"
    R"("verified":9,"time_ns":[10],"reference_time_ns":[],"around_ns":1,)"
    R"("confinement":{"applied":[],"missing":[]}}\n' "$4")";

class SealedClient : public ::testing::Test {
 protected:
  SealedClient() {
    std::string pattern = (std::filesystem::temp_directory_path() / "perfcheck_sealed_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~SealedClient() override { std::filesystem::remove_all(folder_); }

  /// The result of a judge that runs this script.
  model::SealedResult judged(std::string const& script, double timeout_s = kSoon) const {
    std::string const judge = folder_ / "judge";
    std::ofstream(judge) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(judge, std::filesystem::perms::owner_all);
    return time_sealed({.judge = judge, .program = "the/worker", .device = 3, .batches = 7}, kId, timeout_s, nullptr);
  }
  std::string failure(std::string const& script, double timeout_s = kSoon) const {
    model::SealedResult const result = judged(script, timeout_s);
    EXPECT_EQ(result.status, model::SealedStatus::failed);
    EXPECT_EQ(result.id, kId);
    EXPECT_TRUE(result.time_ns.empty());
    EXPECT_EQ(result.message.find('\n'), std::string::npos);
    return result.message;
  }

  std::filesystem::path folder_;
};

TEST_F(SealedClient, BringsWhatTheJudgeSays) {
  model::SealedResult const result = judged(std::string("echo progress >&2\n") + kSayTimed);
  EXPECT_EQ(result.status, model::SealedStatus::timed) << result.message;
  EXPECT_EQ(result.id, kId);
  EXPECT_EQ(result.verified, 9);
}

TEST_F(SealedClient, WhatAJudgeLeavesBehindEndsWithIt) {
  OrphanKeeper const keeper;
  std::string const left = folder_ / "left";
  EXPECT_EQ(judged("(setsid sleep 100 > /dev/null 2>&1 & echo $! > '" + left + "')\n" + kSayTimed).verified, 9);
  pid_t pid = 0;
  std::ifstream(left) >> pid;
  EXPECT_GT(pid, 0);
  EXPECT_TRUE(testing::is_dead(pid));
}

TEST_F(SealedClient, NamesProgramCaseDeviceAndBatches) {
  EXPECT_THAT(failure("echo \"$@\" >&2; exit 1"),
              HasSubstr("last words: --program the/worker --case set/a@f32 --device 3 --batches 7"));
}

TEST_F(SealedClient, AnExitCodeMakesTheLineWorthless) {
  EXPECT_THAT(failure(std::string(kSayTimed) + "; echo out of memory >&2; exit 3"),
              AllOf(HasSubstr("judge judge died: exit code 3"), HasSubstr("last words: out of memory")));
}

TEST_F(SealedClient, ASignalMakesTheLineWorthless) {
  EXPECT_THAT(failure(std::string(kSayTimed) + "; kill -SEGV $$"), HasSubstr("died: killed by signal 11"));
}

TEST_F(SealedClient, NoLineIsAFailure) {
  EXPECT_THAT(failure("echo nothing to say >&2"), HasSubstr("printed no line; last words: nothing to say"));
}

TEST_F(SealedClient, HalfALineIsAFailure) {
  EXPECT_THAT(failure("printf '{\"schema\"'"), HasSubstr("left half a line: {\"schema\""));
}

TEST_F(SealedClient, MoreThanOneLineIsAFailure) {
  EXPECT_THAT(failure(std::string(kSayTimed) + "; echo more"), HasSubstr("printed more than one line: more"));
  EXPECT_THAT(failure(std::string(kSayTimed) + "; printf more"), HasSubstr("printed more than one line: more"));
}

TEST_F(SealedClient, RubbishIsAFailureThatQuotesIt) {
  EXPECT_THAT(failure("echo rubbish"), AllOf(HasSubstr("printed what it should not: "), HasSubstr("it said: rubbish")));
  EXPECT_THAT(failure("echo '{\"schema\":\"perfcheck.sealed/1\"}'"), HasSubstr("case: is missing"));
}

TEST_F(SealedClient, AnAnswerAboutAnotherCaseIsAFailure) {
  EXPECT_THAT(failure(std::string("set -- 1 2 3 set/b@f32; ") + kSayTimed),
              HasSubstr("answered about another case: set/b@f32"));
}

TEST_F(SealedClient, OneThatHangsIsKilledWhenItsTimeIsUp) {
  Stopwatch const watch;
  EXPECT_THAT(failure("echo waiting >&2; sleep 1000", 0.3),
              HasSubstr("exceeded its time limit of 0.3 s and was killed; last words: waiting"));
  EXPECT_THAT(failure(std::string(kSayTimed) + "; sleep 1000", 0.3), HasSubstr("exceeded its time limit"));
  EXPECT_LT(watch.seconds(), kSoon);
}

TEST_F(SealedClient, OneThatPrintsForEverIsAFailure) {
  Stopwatch const watch;
  EXPECT_THAT(failure("while :; do echo x; done"), HasSubstr("printed more than one line"));
  EXPECT_LT(watch.seconds(), kSoon);
}

TEST_F(SealedClient, AJudgeThatCannotBeStartedIsAFailureThatNamesIt) {
  model::SealedResult const result =
      time_sealed({.judge = folder_ / "nowhere", .program = "the/worker"}, kId, kSoon, nullptr);
  EXPECT_EQ(result.status, model::SealedStatus::failed);
  EXPECT_THAT(result.message, AllOf(HasSubstr("nowhere cannot be started: No such file"), HasSubstr("build it")));
}

}  // namespace
}  // namespace perfcheck::session
