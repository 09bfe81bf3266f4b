// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The results that a worker returns.
#include "fake_worker.h"
#include "scripted_device.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace perfcheck::worker {
namespace {

using protocol::ProgressAnswer;
using protocol::ResultAnswer;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(ServerTest, WithoutADriverTheBuildTellsWhatMachineCodeWasLaunched) {
  setup_.kernel_objects = {{.file = "another.cpp", .machine_code = "00", .called_code = "", .constants = ""},
                           {.file = kFakeFile, .machine_code = "ab", .called_code = "cd", .constants = "ef"}};
  hello();
  auto const launches = measure("fake/set/good@p").launches;
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches.front().function, kFakeFile);
  EXPECT_EQ(launches.front().machine_code, "ab");
  EXPECT_EQ(launches.front().called_code, "cd");
  EXPECT_EQ(launches.front().constants, "ef");
  EXPECT_TRUE(measure("fake/set/reference@p").launches.empty()) << "a library's code is not in the worker";
  EXPECT_TRUE(measure("fake/set/wrong@p").launches.empty()) << "nothing was timed";
}

TEST_F(ServerTest, AGoodCaseIsVerifiedThenTimedWithProgressOnTheWay) {
  hello();
  auto const answers =
      ask(protocol::MeasureRequest{.case_id = "fake/set/good@p", .options = {.replay_ms = 0.2, .max_seconds = 0.02}});
  std::vector<std::string> phases;
  for (auto const& answer : answers) {
    if (auto const* progress = std::get_if<ProgressAnswer>(&answer)) {
      phases.push_back(progress->phase);
    }
  }
  EXPECT_THAT(phases, ElementsAre("verify", "warm_up", "measure"));
  auto const result = last<ResultAnswer>(answers).result;
  EXPECT_EQ(result.status, model::CaseStatus::measured) << result.message;
  ASSERT_TRUE(result.rounds.has_value());
  EXPECT_GE(result.rounds->time_ns.size(), 3U);
  for (double const time : result.rounds->time_ns) {
    EXPECT_GE(time, 20e3);
  }
  EXPECT_EQ(result.verification->checks.back().name, "timed_output");
}

TEST_F(ServerTest, EveryLaunchCountsAsTimeOfTheDevice) {
  hello();
  auto const result = measure("fake/set/good@long");
  ASSERT_TRUE(result.device_seconds);
  EXPECT_GE(*result.device_seconds, calls_.launches * 2e-3);
  EXPECT_LE(*result.device_seconds, result.seconds);
  EXPECT_FALSE(measure("fake/set/wrong@p").device_seconds) << "it was never timed";
}

TEST_F(ServerTest, ALongLaunchIsRunTwiceToFindItsLength) {
  hello();
  (void)measure("fake/set/good@long");
  EXPECT_EQ(launches_before_rounds_, 4)
      << "one launch outside a replay and one in it, of the case and of the reference";
}

TEST_F(ServerTest, AnInjectedSlowdownOfALongLaunchTakesItsLengthFromTheSameRuns) {
  hello();
  auto const result = measure("fake/set/good@long", {.inject_percent = 5});
  EXPECT_EQ(result.injected_percent, 5);
  EXPECT_EQ(launches_before_rounds_, 4);
}

TEST_F(ServerTest, ALaunchThatWasSlowOnceByChanceIsNotTakenForALongOne) {
  hello();
  auto const result = measure("fake/set/good@hiccup");
  ASSERT_TRUE(result.rounds);
  EXPECT_GT(result.rounds->launches, 2) << "ten launches of 20 us make a replay of 0.2 ms";
}

TEST_F(ServerTest, AWrongKernelGetsNoTime) {
  hello();
  auto const result = measure("fake/set/wrong@p");
  EXPECT_EQ(result.status, model::CaseStatus::incorrect);
  EXPECT_FALSE(result.rounds.has_value());
  EXPECT_EQ(result.message, "exact: 1 of 4 elements wrong");
}

TEST_F(ServerTest, AKernelWhoseTimedOutputIsWrongGetsNoTime) {
  hello();
  auto const result = measure("fake/set/spoils_later@p");
  EXPECT_EQ(result.status, model::CaseStatus::incorrect);
  EXPECT_FALSE(result.rounds.has_value());
  EXPECT_THAT(result.message, testing::ContainsRegex("^timed_output: replay [0-9]+, row 3 differs$"));
}

TEST_F(ServerTest, AKernelThatThrowsFailsAndTheWorkerLivesOn) {
  hello();
  auto const result = measure("fake/set/throws@p");
  EXPECT_EQ(result.status, model::CaseStatus::failed);
  EXPECT_EQ(result.message, "the kernel threw");
  EXPECT_TRUE(alive_);
  EXPECT_EQ(measure("fake/set/good@p").status, model::CaseStatus::measured);
}

TEST_F(ServerTest, ACaseWithAWrongReferenceFailsInsteadOfBeingCompared) {
  hello();
  auto const result = measure("fake/set/good@bad_reference");
  EXPECT_EQ(result.status, model::CaseStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("its reference fake/set/reference@bad_reference is incorrect"));
}

TEST_F(ServerTest, ACaseWithoutAReferenceIsItsOwnControl) {
  hello();
  auto const result = measure("fake/set/good@no_reference");
  EXPECT_EQ(result.reference, "fake/set/good@no_reference");
  EXPECT_EQ(result.status, model::CaseStatus::measured);
}

TEST_F(ServerTest, AReferenceIsVerifiedOncePerProcessAndSeed) {
  hello();
  (void)measure("fake/set/good@p");
  EXPECT_EQ(calls_.verifications, 2);
  (void)measure("fake/set/reference@p");
  EXPECT_EQ(calls_.verifications, 2);
  (void)measure("fake/set/good@p", {.seed = 2});
  EXPECT_EQ(calls_.verifications, 4);
}

TEST_F(ServerTest, AnInjectedSlowdownLengthensTheCaseAndNotItsReference) {
  hello();
  auto const result = measure("fake/set/good@p", {.inject_percent = 50});
  ASSERT_TRUE(result.rounds.has_value());
  EXPECT_EQ(result.injected_percent, 50);
  double ratio = 0;
  for (std::size_t i = 0; i < result.rounds->time_ns.size(); ++i) {
    ratio += result.rounds->time_ns[i] / result.rounds->reference_time_ns[i] /
             static_cast<double>(result.rounds->time_ns.size());
  }
  EXPECT_GT(ratio, 1.25);
}

TEST_F(ServerTest, MemoryThatIsShortAfterOtherCasesAsksForAFreshProcessAndNotBefore) {
  hello();
  auto const hungry_case = [&] {
    return last<ResultAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/hungry@p", .options = {}}));
  };
  auto const first = hungry_case();
  EXPECT_EQ(first.result.status, model::CaseStatus::failed);
  EXPECT_EQ(first.result.message, "no memory for 7 bytes");
  EXPECT_FALSE(first.context_lost) << "a fresh process would have no more memory";
  EXPECT_TRUE(alive_);
  EXPECT_TRUE(hungry_case().context_lost);
  EXPECT_FALSE(alive_);
}

/// A device on which a launch of any case takes longer on its own than among others.
class DisagreeingDevice : public ServerTest {
 protected:
  DisagreeingDevice() {
    setup_.backend = script_.backend = "cuda";
    script_.alone_ns = 2 * script_.replay_ns / kLaunches;
    setup_.make_backend = [this](int) { return std::make_unique<ScriptedBackend>(script_); };
    hello();
  }
  /// A scripted replay takes 1 ms, however many launches it has. So one launch seems to take 1 ms, and kLaunches ms ask
  /// for kLaunches.
  static constexpr int kLaunches = 8;
  Script script_;
};

TEST_F(DisagreeingDevice, GivesACaseBehindOthersAnotherProcessAndTheFirstOneNone) {
  auto const ask_for_it = [&] {
    return last<ResultAnswer>(ask(protocol::MeasureRequest{.case_id = "fake/set/good@no_reference",
                                                           .options = {.replay_ms = kLaunches, .max_seconds = 0.02}}));
  };
  auto const first = ask_for_it();
  EXPECT_EQ(first.result.status, model::CaseStatus::invalid) << first.result.message;
  EXPECT_FALSE(first.context_lost) << "the process is still fresh, so a new one would not help";
  EXPECT_TRUE(alive_);
  auto const second = ask_for_it();
  EXPECT_EQ(second.result.status, model::CaseStatus::failed)
      << "after another case, the result must ask for a fresh process";
  EXPECT_THAT(second.result.message, HasSubstr("on its own"));
  EXPECT_TRUE(second.context_lost);
  EXPECT_FALSE(alive_);
}

}  // namespace
}  // namespace perfcheck::worker
