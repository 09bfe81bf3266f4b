// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of the steps around a replay, tested with a backend that logs its calls.
#include "proven_replay.h"

#include "perfcheck/verify/draw_secret.h"
#include "scripted_device.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <set>

namespace perfcheck::worker {
namespace {

using testing::HasSubstr;

class ProvenReplays : public testing::Test {
 protected:
  ProvenReplay make(DrawSecret draw = verify::draw_secret) {
    return ProvenReplay(backend_, std::make_unique<ScriptedCase>(script_), tally_, std::move(draw));
  }

  Script script_;
  ScriptedBackend backend_{script_};
  ReplayTally tally_;
};

TEST_F(ProvenReplays, RenewTheSetsThatTheyUseRightBeforeTheClockStarts) {
  auto replay = make();
  replay.record(3, 0);
  script_.events.clear();
  (void)replay.run();
  ASSERT_GE(script_.events.size(), 2U);
  EXPECT_EQ(script_.events[0], "renew 0+3");
  EXPECT_EQ(script_.events[1], "start");
}

TEST_F(ProvenReplays, CompareWithTheSecretThatTheInputsWereMadeFrom) {
  auto replay = make();
  replay.record(3, 0);
  for (int i = 0; i < 50; ++i) {
    script_.events.clear();
    (void)replay.run();
    if (script_.events.back() == "compare 3") {
      EXPECT_EQ(script_.secret_compared, script_.secret_of_inputs);
    }
  }
  EXPECT_EQ(tally_.replays, 50);
  EXPECT_EQ(tally_.outputs_compared, 3 * tally_.compared);
}

TEST_F(ProvenReplays, AreAllComparedOnAGpu) {
  script_.backend = "cuda";
  auto replay = make();
  replay.record(3, 0);
  for (int i = 0; i < 100; ++i) (void)replay.run();
  replay.close();
  EXPECT_EQ(tally_.replays, 101);
  EXPECT_EQ(tally_.compared, 101);
  EXPECT_EQ(tally_.outputs_compared, 3 * 101);
}

TEST_F(ProvenReplays, CompareAtLeastOneInFourEvenWhereEveryDrawSaysNo) {
  std::uint64_t secret = 0;
  auto replay = make([&] { return (secret += 1000) - 1; });  // always 999 of 1000, which says no
  replay.record(1, 0);
  for (int i = 0; i < 40; ++i) (void)replay.run();
  replay.close();
  EXPECT_EQ(tally_.replays, 41);
  EXPECT_GE(4 * tally_.compared, tally_.replays);
  EXPECT_LE(tally_.compared, 12);
}

TEST_F(ProvenReplays, CompareALittleMoreThanOneInFour) {
  auto replay = make();
  replay.record(1, 0);
  for (int i = 0; i < 1000; ++i) (void)replay.run();
  EXPECT_GE(tally_.compared, 249);
  EXPECT_LT(tally_.compared, 350);
}

TEST_F(ProvenReplays, AreComparedForSureWhenTheyAreClosed) {
  auto replay = make([secret = std::uint64_t{0}]() mutable { return (secret += 1000) - 1; });
  replay.record(2, 0);
  script_.wrong = "row 3 differs";
  EXPECT_THAT([&] { replay.close(); }, testing::ThrowsMessage<WrongOutput>(HasSubstr("row 3 differs")));
}

TEST_F(ProvenReplays, ASkippedLaunchEndsTheCaseAtTheFirstComparison) {
  auto replay = make();
  replay.record(2, 0);
  script_.wrong = "never written";
  EXPECT_THROW(
      {
        for (int i = 0; i < 5; ++i) (void)replay.run();
      },
      WrongOutput);
}

TEST_F(ProvenReplays, TheLaunchOutsideOfARecordingIsComparedToo) {
  auto replay = make();
  script_.wrong = "never written";
  EXPECT_THROW((void)replay.launch_once(), WrongOutput);
}

TEST_F(ProvenReplays, ChangedInputsAreAWrongOutput) {
  auto replay = make();
  replay.record(1, 0);
  script_.changed = "1 element of B changed";
  EXPECT_THAT([&] { replay.close(); }, testing::ThrowsMessage<WrongOutput>(HasSubstr("1 element of B")));
}

TEST_F(ProvenReplays, ARecordingThatLaunchesAnotherKernelThanTheFirstIsRefused) {
  auto replay = make();
  replay.record(1, 0);
  script_.launch_text = "kernel other";
  EXPECT_THAT([&] { replay.record(4, 0); },
              testing::ThrowsMessage<device::Interference>(HasSubstr("kernel other, the first one kernel k")));
}

TEST_F(ProvenReplays, NeverRecordMoreLaunchesThanThereAreSets) {
  auto replay = make();
  replay.record(100, 0);
  EXPECT_EQ(replay.launches(), 8);
}

TEST_F(ProvenReplays, ClocksThatDisagreeLeaveTheCaseWithoutATime) {
  auto replay = make();
  script_.device_factor = 1.5;
  replay.record(1, 0);
  for (int i = 0; i < 10; ++i) (void)replay.run();
  EXPECT_THAT([&] { replay.close(); }, testing::ThrowsMessage<Disagreement>(HasSubstr("device's own timer")));
}

TEST_F(ProvenReplays, NobodyIsAccusedOnOneReplayThatTheHostDisturbed) {
  auto replay = make([secret = std::uint64_t{0}]() mutable { return secret += 1000; });  // watches all
  replay.record(1, 0);
  script_.host_ns = {4.7e6, 1e6};
  (void)replay.run();
  EXPECT_NO_THROW(replay.close());
  EXPECT_EQ(tally_.replays, 3);
}

TEST_F(ProvenReplays, AHostClockThatAlwaysDisagreesLeavesTheCaseWithoutATime) {
  auto replay = make([secret = std::uint64_t{0}]() mutable { return secret += 1000; });
  replay.record(1, 0);
  script_.host_ns = {4.7e6};
  (void)replay.run();
  EXPECT_THAT([&] { replay.close(); }, testing::ThrowsMessage<device::Interference>(HasSubstr("host's clock")));
}

TEST_F(ProvenReplays, ReplayLaunchesOneByOneOnInputsThatAreWrittenRightBeforeEach) {
  auto replay = make();
  replay.record(3, 0);
  (void)replay.run();
  script_.events.clear();
  replay.check_steps();
  auto const steps = std::find(script_.events.begin(), script_.events.end(), "step 0");
  ASSERT_GE(steps - script_.events.begin(), 3);
  EXPECT_THAT(std::vector(steps - 3, steps + 6),
              testing::ElementsAre("renew 0+3", "renew 0+3", "renew 0+1", "step 0", "renew 1+1", "step 1", "renew 2+1",
                                   "step 2", "compare 3"));
  EXPECT_EQ(script_.secret_compared, script_.secret_of_inputs);
  EXPECT_EQ(script_.step_replays, 1);
}

TEST_F(ProvenReplays, LaunchesThatTakeLongerOnTheirOwnThanAmongManyLeaveTheCaseWithoutATime) {
  script_.backend = "cuda";
  auto replay = make();
  replay.record(8, 0);
  (void)replay.run();
  script_.alone_ns = 140e3;  // 125 us each among many
  EXPECT_THAT([&] { replay.check_steps(); }, testing::ThrowsMessage<Disagreement>(HasSubstr("share their work")));
  EXPECT_EQ(script_.step_replays, 3) << "one disturbed replay must not accuse a kernel";
}

TEST_F(ProvenReplays, LaunchesOnTheirOwnDecideNothingWhileSomethingElseUsesTheCore) {
  script_.backend = "cpu";
  auto replay = make();
  replay.record(8, 0);
  (void)replay.run();
  script_.alone_ns = 125e3;
  script_.disturbed_steps = 5;
  script_.disturbed_ns = 300e3;
  replay.check_steps();
  EXPECT_EQ(script_.step_replays, 6);
  script_.alone_ns = 300e3;
  script_.disturbed_steps = 5;
  script_.disturbed_ns = 125e3;
  EXPECT_THROW(replay.check_steps(), device::Interference) << "the undisturbed replay, which disagrees, must decide";
}

TEST_F(ProvenReplays, NobodyIsAccusedOnACoreWhereReplaysNoLongerTakeWhatTheyTookWhenTimed) {
  script_.backend = "cpu";
  for (double const factor : {1.5, 0.6}) {
    auto replay = make();
    replay.record(8, 0);
    (void)replay.run();
    script_.alone_ns = 300e3;  // 125 us each among many
    script_.replay_ns = factor * 1e6;
    EXPECT_THAT([&] { replay.check_steps(); },
                testing::ThrowsMessage<Disagreement>(HasSubstr("something else used the cores")));
    script_.replay_ns = 1e6;
    EXPECT_THAT([&] { replay.check_steps(); },
                testing::ThrowsMessage<device::Interference>(testing::Not(HasSubstr("something else used the cores"))));
  }
}

TEST_F(ProvenReplays, LaunchesThatTookLongerOnceAreAcquittedOnlyWhereReplaysTakeWhatTheyTookWhenTimed) {
  script_.backend = "cpu";
  auto replay = make();
  replay.record(8, 0);
  (void)replay.run();
  script_.long_steps = 1;
  replay.check_steps();
  EXPECT_EQ(script_.step_replays, 2);
  script_.long_steps = 1;
  script_.replay_ns = 1.5e6;
  replay.check_steps();
  EXPECT_GT(script_.step_replays, 10) << "the second replay must not acquit, since the machine was not the same";
}

TEST_F(ProvenReplays, ACoreThatIsSharedAllTheWhileIsNamedBesideTheKernel) {
  script_.backend = "cpu";
  auto replay = make();
  replay.record(8, 0);
  (void)replay.run();
  script_.disturbed_steps = std::numeric_limits<int>::max();
  script_.disturbed_ns = 300e3;
  EXPECT_THAT([&] { replay.check_steps(); },
              testing::ThrowsMessage<Disagreement>(HasSubstr("something else used the cores")));
}

TEST_F(ProvenReplays, SettingsThatARecordingLeftBehindAreFound) {
  auto replay = make();
  script_.settings = "persisting lines";
  EXPECT_THROW(replay.record(1, 0), device::Interference);
}

TEST(Secrets, DifferFromDrawToDraw) {
  std::set<std::uint64_t> secrets;
  for (int i = 0; i < 1000; ++i) secrets.insert(verify::draw_secret());
  EXPECT_EQ(secrets.size(), 1000U);
}

}  // namespace
}  // namespace perfcheck::worker
