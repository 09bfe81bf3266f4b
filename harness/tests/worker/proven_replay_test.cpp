// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of things around a replay, on a backend that writes down what it is asked for.
#include "proven_replay.h"

#include "perfcheck/verify/draw_secret.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace perfcheck::worker {
namespace {

using testing::HasSubstr;

/// What happened, and what the next replays are to find.
struct Script {
  std::vector<std::string> events;
  std::set<std::uint64_t> secrets;
  std::string wrong, changed, launch_text = "kernel k", settings, backend = "scripted";
  double device_factor = 1;
  std::vector<double> host_ns = {1e6};  // of the replays that are watched; the last one for all others
  double next_host_ns() {
    double const now = host_ns.front();
    if (host_ns.size() > 1) host_ns.erase(host_ns.begin());
    return now;
  }
  double alone_ns = 1e5;  // a launch that is replayed on its own
  bool in_steps = false;  // replays of which use a secret again
  int step_replays = 0;
  std::uint64_t secret_of_inputs = 0, secret_compared = 0;
};

class ScriptedCase final : public TimedCase {
 public:
  explicit ScriptedCase(Script& script) : script_(script) {}
  int sets() const override { return 8; }
  void launch(int set) override { script_.events.push_back("launch " + std::to_string(set)); }
  void renew(verify::SetRange sets, std::uint64_t secret) override {
    script_.events.push_back("renew " + std::to_string(sets.first) + "+" + std::to_string(sets.count));
    script_.secret_of_inputs = secret;
    EXPECT_TRUE(script_.secrets.insert(secret).second || script_.in_steps) << "a secret was used twice";
  }
  void renew_late(std::uint64_t) override { script_.events.emplace_back("renew late"); }
  void compare(int sets, std::uint64_t secret, std::uint64_t) override {
    script_.events.push_back("compare " + std::to_string(sets));
    script_.secret_compared = secret;
  }
  std::string finding() override { return script_.wrong; }
  std::string changed_inputs(int, std::uint64_t) override { return script_.changed; }

 private:
  Script& script_;
};

class ScriptedReplay final : public device::Replay {
 public:
  ScriptedReplay(device::Recording recording, Script& script) : recording_(std::move(recording)), script_(script) {
    for (int i = 0; i < recording_.launches; ++i) recording_.launch(i);
    text_ = script.launch_text;
  }
  device::Reading run(device::Surroundings const& around) override {
    around.before();
    script_.events.emplace_back("start");
    around.behind();
    device::Reading reading;
    reading.time_ns = 1e6;
    reading.device_ns = 1e6 * script_.device_factor;
    if (around.watch_host_clock) reading.host_ns = script_.next_host_ns();
    return reading;
  }
  std::vector<double> run_steps(device::Steps const& steps, device::Surroundings const& around) override {
    around.before();
    script_.in_steps = true;
    ++script_.step_replays;
    for (int i = 0; i < recording_.launches; ++i) {
      if (i >= steps.first && i < steps.first + steps.count) steps.prepare(i);
      script_.events.emplace_back("step " + std::to_string(i));
    }
    script_.in_steps = false;
    around.behind();
    return std::vector<double>(static_cast<std::size_t>(steps.count), script_.alone_ns);
  }
  std::string launch_text() const override { return text_; }

 private:
  device::Recording recording_;
  Script& script_;
  std::string text_;
};

/// A CPU backend in everything but replays and settings.
class ScriptedBackend final : public device::Backend {
 public:
  explicit ScriptedBackend(Script& script) : script_(script) {}
  std::string name() const override { return script_.backend; }
  model::DeviceInfo info() override { return {}; }
  model::Environment environment() override { return {}; }
  model::DeviceState state() override { return {}; }
  Refusal refusal(Arch const&) const override { return {}; }
  device::Memory allocate(std::size_t) override { return {}; }
  std::size_t free_bytes() override { return 0; }
  device::SharedMemory allocate_shared(std::size_t) override { return {}; }
  device::Memory open_shared(std::string const&, std::size_t) override { return {}; }
  std::unique_ptr<device::MeetingEnd> join_meeting(std::string const&) override { return nullptr; }
  void fill(void*, std::uint8_t, std::size_t) override {}
  void copy_to_host(void*, void const*, std::size_t) override {}
  void copy_to_device(void*, void const*, std::size_t) override {}
  Stream stream() const override { return nullptr; }
  void check_launch() override {}
  void synchronize() override {}
  std::unique_ptr<device::Replay> record(device::Recording const& recording) override {
    return std::make_unique<ScriptedReplay>(recording, script_);
  }
  void check_settings() override {
    if (!script_.settings.empty()) throw device::Interference(script_.settings);
  }

 private:
  Script& script_;
};

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
  auto replay = make([&] { return (secret += 1000) - 1; });  // 999 of a thousand
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
  EXPECT_THAT([&] { replay.close(); }, testing::ThrowsMessage<device::Interference>(HasSubstr("device's own timer")));
}

TEST_F(ProvenReplays, NobodyIsAccusedOnOneReplayThatTheHostDisturbed) {
  auto replay = make([secret = std::uint64_t{0}]() mutable { return secret += 1000; });  // all are watched
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
  EXPECT_THAT([&] { replay.check_steps(); },
              testing::ThrowsMessage<device::Interference>(HasSubstr("share their work")));
  EXPECT_EQ(script_.step_replays, 3) << "nobody is accused on one disturbed replay";
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
