// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What else changed: every recorded property, alone and together, and what is only noise or unknown.
#include "perfcheck/gate/differences.h"

#include "sides.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>

namespace perfcheck::gate::testing {
namespace {

using model::BaselineCase;
using model::BaselineSession;
using model::CaseResult;
using model::LaunchAttributes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char const* kSame = "same machine code";

TEST(Differences, OfEqualSidesAreOnlyTheMachineCodeThatIsTheSame) {
  std::vector<Difference> const found = Sides().found();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].what, "machine_code");
  EXPECT_EQ(found[0].text, kSame);
  EXPECT_EQ(found[0].before, found[0].after);
  EXPECT_EQ(also_changed(found),
            "same machine code, and nothing else on record changed: suspect the machine, or the arguments of the "
            "launch");
}

struct Change {
  std::function<void(Sides&)> make;
  char const *what, *before, *after, *text;
};

void expect_each_is_found(std::vector<Change> const& changes) {
  for (Change const& change : changes) {
    SCOPED_TRACE(change.text);
    Sides sides;
    change.make(sides);
    std::vector<Difference> found = sides.found();
    std::erase_if(found, [](Difference const& difference) { return difference.text == kSame; });
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].what, change.what);
    EXPECT_EQ(found[0].before, change.before);
    EXPECT_EQ(found[0].after, change.after);
    EXPECT_EQ(found[0].text, change.text);
    EXPECT_EQ(found[0].launch, 0) << "a case of one kernel needs no number";
  }
}

/// Applies a change to the only launch of the last fresh session.
std::function<void(Sides&)> launched(std::function<void(LaunchAttributes&)> change) {
  return [change = std::move(change)](Sides& sides) { change(sides.fresh.back().launches.front()); };
}

TEST(Differences, OfALaunchAreEachFoundAlone) {
  expect_each_is_found({
      {launched([](auto& l) { l.function = "g"; }), "function", "f", "g", "kernel f -> g"},
      {launched([](auto& l) { l.grid = {8, 64, 1}; }), "grid", "16x64x1", "8x64x1", "grid 16x64x1 -> 8x64x1"},
      {launched([](auto& l) { l.block = {256, 1, 1}; }), "block", "128x1x1", "256x1x1", "block 128x1x1 -> 256x1x1"},
      {launched([](auto& l) { l.registers = 168; }), "registers", "128", "168", "registers 128 -> 168"},
      {launched([](auto& l) { l.shared_bytes = 32768; }), "shared_memory", "16384 B", "32768 B",
       "shared memory 16384 B -> 32768 B"},
      {launched([](auto& l) { l.local_bytes = 64; }), "local_memory", "0 B", "64 B",
       "local memory (spills) 0 B -> 64 B"},
      {launched([](auto& l) { l.occupancy = 0.125; }), "occupancy", "25 %", "12.5 %", "occupancy 25 % -> 12.5 %"},
      {launched([](auto& l) { l.blocks_per_sm = 8; }), "blocks_per_sm", "4", "8", "blocks per multiprocessor 4 -> 8"},
      {launched([](auto& l) { l.occupancy = 0.125, l.blocks_per_sm = 2; }), "occupancy", "25 %", "12.5 %",
       "occupancy 25 % -> 12.5 %"},
  });
}

TEST(Differences, OfInputsAndMachineAreEachFoundAlone) {
  expect_each_is_found({
      {[](Sides& s) { s.fresh.back().arithmetic = "tf32"; }, "arithmetic", "f32", "tf32", "arithmetic f32 -> tf32"},
      {[](Sides& s) { s.fresh.back().work.flop = 4e9; }, "flop", "2e+09 FLOP", "4e+09 FLOP",
       "work 2e+09 FLOP -> 4e+09 FLOP"},
      {[](Sides& s) { s.fresh.back().work.bytes = 6e6; }, "bytes", "3e+06 B", "6e+06 B",
       "bytes to move 3e+06 B -> 6e+06 B"},
      {[](Sides& s) { s.fresh.back().rounds->launches = 10; }, "replay_launches", "100 (1 ms)", "10 (0.1 ms)",
       "launches per replay 100 (1 ms) -> 10 (0.1 ms)"},
      {[](Sides& s) { s.set_clocks({1700, 1710, 1690}); }, "clock", "1800 MHz", "1700 MHz",
       "clock 1800 MHz -> 1700 MHz"},
      {[](Sides& s) { s.set_powers({500, 480, 490}); }, "power", "400 W", "490 W", "power 400 W -> 490 W"},
      {[](Sides& s) { s.now.power_limit_w = 500; }, "power_limit", "700 W", "500 W", "power limit 700 W -> 500 W"},
      {[](Sides& s) { s.now.driver = "590.2"; }, "driver", "580.1", "590.2", "driver 580.1 -> 590.2"},
      {[](Sides& s) { s.now.cuda_runtime = "13.1"; }, "cuda_runtime", "13.0", "13.1", "CUDA runtime 13.0 -> 13.1"},
      {[](Sides& s) { s.now.libraries["cuDNN"] = "9.2"; }, "library", "cuDNN 9.1", "cuDNN 9.2",
       "library cuDNN 9.1 -> cuDNN 9.2"},
      {[](Sides& s) { s.now.timing = 2; }, "timing", "1", "2", "way of timing 1 -> 2"},
      {[](Sides& s) { s.now.device_uuid = "GPU-b"; }, "card", "GPU-a", "GPU-b", "another card"},
      {[](Sides& s) { s.fresh[1].injected_percent = 3; }, "injected_slowdown", "0 %", "3 %",
       "slowed down on purpose by 3 %"},
  });
}

TEST(Differences, AreToldOnOneLineMachineCodeLast) {
  Sides sides;
  LaunchAttributes& now = sides.fresh.back().launches.front();
  now.registers = 168;
  now.occupancy = 0.125;
  now.blocks_per_sm = 2;
  EXPECT_EQ(also_changed(sides.found()),
            "also changed: registers 128 -> 168, occupancy 25 % -> 12.5 %; same machine code");
  now.machine_code = "bbbb";
  EXPECT_EQ(also_changed(sides.found()),
            "also changed: registers 128 -> 168, occupancy 25 % -> 12.5 %; machine code changed");
  sides.fresh.back().launches = {launch()};
  sides.fresh.back().launches.front().machine_code = "bbbb";
  EXPECT_EQ(also_changed(sides.found()), "machine code changed");
  EXPECT_EQ(also_changed({}), "");
}

TEST(Differences, OfAnInjectedSlowdownDoNotAccuseTheMachine) {
  Sides sides;
  sides.fresh[0].injected_percent = 2.5;
  EXPECT_EQ(also_changed(sides.found()), "slowed down on purpose by 2.5 %; same machine code");
}

TEST(Differences, OfSeveralLaunchesSayWhichOne) {
  Sides sides;
  sides.stored.launched = {launch("f"), launch("g"), launch("h")};
  sides.fresh.back().launches = sides.stored.launched;
  EXPECT_THAT(sides.texts(), ElementsAre(kSame));
  sides.fresh.back().launches[1].registers = 168;
  sides.fresh.back().launches[1].machine_code = "bbbb";
  EXPECT_THAT(sides.texts(),
              ElementsAre("machine code changed in launch 2 of 3", "registers 128 -> 168 in launch 2 of 3"));
  for (Difference const& difference : sides.found()) {
    EXPECT_EQ(difference.launch, 2);
  }
}

TEST(Differences, OfMoreOrFewerLaunchesNameThemAndCompareNoPositions) {
  Sides sides;
  sides.fresh.back().launches = {launch("zero"), launch("f")};
  sides.fresh.back().launches[0].registers = 8;
  EXPECT_THAT(sides.texts(), ElementsAre("machine code changed", "kernel launches 1 (f) -> 2 (zero, f)"));
}

TEST(Differences, OfMachineCodeNeedItOnBothSides) {
  Sides sides;
  sides.fresh.back().launches.front().machine_code.clear();  // a library's kernel
  EXPECT_THAT(sides.texts(), IsEmpty());
  EXPECT_EQ(also_changed(sides.found()), "") << "unknown code must not be reported as changed";
  sides = Sides();
  sides.stored.launched.front().machine_code.clear();
  EXPECT_THAT(sides.texts(), IsEmpty());
}

TEST(Differences, FromAnOlderBaselineAreWhatItsHashesTell) {
  Sides sides;
  sides.stored.launches = model::launch_hash_of(sides.fresh.back());
  sides.stored.launched.clear();
  sides.stored.input_policy.reset();
  sides.stored.clock_mhz.clear();
  sides.stored.power_w.clear();
  EXPECT_THAT(sides.texts(), ElementsAre(kSame));
  sides.fresh.back().launches.front().registers = 168;
  sides.fresh.back().launches.front().machine_code = "bbbb";
  sides.set_clocks({1700, 1710, 1690});
  sides.set_powers({1, 2, 3});
  // The stored cycles divided by the stored time give 1800 MHz.
  EXPECT_THAT(sides.texts(),
              ElementsAre("machine code changed", "launches changed (kernel, grid, block, registers or shared memory)",
                          "clock 1800 MHz -> 1700 MHz"));
  sides.stored.machine_code.clear();
  sides.stored.launches.clear();
  sides.stored.cycles.clear();
  EXPECT_THAT(sides.texts(), IsEmpty());
}

TEST(Differences, OfClockAndPowerNeedASizeAndSessionsThatLieApart) {
  struct Row {
    std::vector<double> clock, power;
    bool clock_moved, power_moved;
    char const* why;
  };
  // Stored are 1795, 1800 and 1805 MHz; 390, 400 and 410 W.
  std::vector<Row> const rows = {
      {{1782.1, 1782.2, 1782.3}, {439, 439, 439}, false, false, "apart, but by less than 1 % and 10 %"},
      {{1781.8, 1781.9, 1781.7}, {441, 441, 441}, true, true, "apart, by just more"},
      {{1818.5, 1818.5, 1818.5}, {359, 359, 359}, true, true, "in the other direction"},
      {{1700, 1700, 1795}, {500, 500, 410}, false, false, "one session is like the stored ones"},
      {{1700, 1700, 1900}, {500, 500, 300}, false, false, "on both sides"},
  };
  for (Row const& row : rows) {
    SCOPED_TRACE(row.why);
    Sides sides;
    sides.set_clocks(row.clock);
    sides.set_powers(row.power);
    std::string const text = also_changed(sides.found());
    EXPECT_EQ(text.find("clock 1800 MHz") != std::string::npos, row.clock_moved) << text;
    EXPECT_EQ(text.find("power 400 W") != std::string::npos, row.power_moved) << text;
  }
}

TEST(Differences, OfClockAndPowerNeedThreeSessionsOnEachSide) {
  for (bool const fewer_stored : {false, true}) {
    Sides sides;
    sides.set_clocks({900, 900, 900});
    sides.set_powers({100, 100, 100});
    EXPECT_EQ(sides.texts().size(), 3U);
    if (fewer_stored) {
      sides.stored.session.pop_back();
    } else {
      sides.fresh.pop_back();
    }
    EXPECT_THAT(sides.texts(), ElementsAre(kSame));
  }
}

TEST(Differences, OfReadingsThatAreNoNumbersAreNone) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (double const bad : {nan, 0.0, -5.0, std::numeric_limits<double>::infinity()}) {
    Sides sides;
    sides.set_powers({bad, 100, 100});
    sides.set_clocks({bad, 900, 900});
    EXPECT_THAT(sides.texts(), ElementsAre(kSame)) << bad;
    sides = Sides();
    sides.set_powers({100, 100, 100});
    sides.stored.power_w[1] = bad;
    sides.stored.time_ns.back() = bad;
    sides.fresh.back().rounds->launches = 1;
    EXPECT_THAT(sides.texts(), ElementsAre(kSame)) << bad;
    sides.stored.power_w[1] = 400;
    sides.fresh.front().state.reset();
    EXPECT_THAT(sides.texts(), ElementsAre(kSame)) << "the median needs three readings, not two and a gap";
  }
}

TEST(Differences, OfLaunchesPerReplayAreNotThoseThatASlowerKernelBrings) {
  Sides sides;
  sides.fresh.back().rounds->time_ns = {3e4, 3e4};
  sides.fresh.back().rounds->launches = 33;
  EXPECT_THAT(sides.texts(), ElementsAre(kSame)) << "the replay takes 0.99 ms, as before";
  sides.fresh.back().rounds->launches = 66;
  EXPECT_THAT(sides.texts(), ElementsAre(kSame)) << "1.98 ms: a replay may be twice as long";
  sides.fresh.back().rounds->launches = 67;
  EXPECT_THAT(sides.texts(), ElementsAre(kSame, "launches per replay 100 (1 ms) -> 67 (2.01 ms)"));
  sides.fresh.back().rounds->launches = 100;
  EXPECT_THAT(sides.texts(), ElementsAre(kSame))
      << "the number of launches is equal; longer ones are for the verdict to judge";
}

TEST(Differences, OfTheMachineAreWhatNoSessionOfTheCaseKnows) {
  Sides sides;
  sides.sessions[0].driver = "590.2";
  sides.now.driver = "590.2";
  EXPECT_THAT(sides.texts(), ElementsAre(kSame)) << "one of the stored sessions had this driver";
  sides.sessions[0].driver = "570";
  EXPECT_THAT(sides.texts(), ElementsAre(kSame, "driver 580.1 -> 590.2")) << "the last stored session must be named";
  BaselineSession foreign = sides.now;
  foreign.id = "s04";  // a session that holds other cases only
  sides.sessions.push_back(foreign);
  EXPECT_THAT(sides.texts(), ElementsAre(kSame, "driver 580.1 -> 590.2"));
}

/// Adds three stored sessions with the driver and clock of the fresh ones.
Sides with_sessions_of(std::function<void(BaselineSession&)> const& other) {
  Sides sides;
  for (std::size_t i = 4; i <= 6; ++i) {
    sides.sessions.push_back(sides.now);
    BaselineSession& session = sides.sessions.back();
    session.id = "s0" + std::to_string(i);
    session.driver = "590.2";
    other(session);
    sides.stored.session.push_back(session.id);
    sides.stored.clock_mhz.push_back(1600);
  }
  sides.set_clocks({1600, 1600, 1600});
  sides.now.driver = "590.2";
  return sides;
}

TEST(Differences, AreAgainstTheSessionsOfThisCardWhereThereAreEnough) {
  Sides sides = with_sessions_of([](BaselineSession& session) { session.device_uuid = "GPU-b"; });
  EXPECT_THAT(sides.texts(), ElementsAre(kSame, "clock 1800 MHz -> 1600 MHz", "driver 580.1 -> 590.2"));
  sides.now.device_uuid = "GPU-b";
  EXPECT_THAT(sides.texts(), ElementsAre(kSame));
}

TEST(Differences, AreAgainstTheSessionsThatWereTimedInThisWayWhereThereAreEnough) {
  Sides sides = with_sessions_of([](BaselineSession& session) { session.timing = 2; });
  EXPECT_THAT(sides.texts(), ElementsAre(kSame, "clock 1800 MHz -> 1600 MHz", "driver 580.1 -> 590.2"));
  sides.now.timing = 2;
  EXPECT_THAT(sides.texts(), ElementsAre(kSame));
}

TEST(Differences, OfWhatOnlyOneSideKnowsAreNone) {
  Sides sides;
  sides.now.driver.clear();
  sides.now.cuda_runtime.clear();
  sides.now.power_limit_w.reset();
  sides.now.device_uuid.clear();
  sides.now.libraries = {{"CUTLASS", "4.0"}};
  sides.fresh.back().arithmetic.clear();
  EXPECT_THAT(sides.texts(), ElementsAre(kSame));
  sides = Sides();
  for (BaselineSession& session : sides.sessions) {
    session = {.id = session.id, .started = {}};
  }
  EXPECT_THAT(sides.texts(), ElementsAre(kSame));
}

TEST(Differences, OfNothingAreNone) {
  EXPECT_THAT(differences_of({}, {}, {}, {}), IsEmpty());
  Sides sides;
  sides.fresh.clear();
  EXPECT_THAT(sides.texts(), IsEmpty());
  CaseResult const unmeasured;
  EXPECT_THAT(differences_of(sides.stored, sides.sessions, {&unmeasured}, sides.now),
              Not(::testing::Contains(::testing::Field(&Difference::what, "clock"))));
}

}  // namespace
}  // namespace perfcheck::gate::testing
