// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/device/backend.h"

#include <gmock/gmock.h>
#include <sched.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace perfcheck::device {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Clock = std::chrono::steady_clock;

/// The set of the first of these processors.
cpu_set_t first_of(cpu_set_t const& all) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t i = 0; CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  }
  return one;
}

void compute_for(std::chrono::milliseconds length) {
  auto const end = Clock::now() + length;
  while (Clock::now() < end) {
  }
}

TEST(CpuBackend, DescribesTheMachineAndNamesItsBaselineFolder) {
  auto const info = make_cpu_backend()->info();
  EXPECT_EQ(info.backend, "cpu");
  EXPECT_FALSE(info.name.empty());
  EXPECT_TRUE(info.slug.starts_with("cpu-"));
  EXPECT_TRUE(info.slug.ends_with("t"));
  EXPECT_GT(info.multiprocessors, 0);
  EXPECT_GT(info.memory_bytes, 1 << 20);
}

TEST(CpuBackend, MemoryIsAlignedTo256Bytes) {
  auto const backend = make_cpu_backend();
  for (std::size_t const bytes : {std::size_t{1}, std::size_t{255}, std::size_t{1000}, std::size_t{1} << 20}) {
    auto const memory = backend->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 256, 0U);
    EXPECT_EQ(memory.size(), bytes);
  }
}

TEST(CpuBackend, MemoryThatCannotBeHadIsAnOutOfMemoryError) {
  auto const backend = make_cpu_backend();
  EXPECT_THROW((void)backend->allocate(std::numeric_limits<std::size_t>::max() / 2), OutOfMemory);
}

TEST(CpuBackend, AReplayMakesEveryLaunchInOrder) {
  auto const backend = make_cpu_backend();
  std::vector<int> launched;
  auto const replay = backend->record({.launches = 3, .launch = [&](int i) { launched.push_back(i); }});
  (void)replay->run({});
  (void)replay->run({});
  EXPECT_EQ(launched, (std::vector<int>{0, 1, 2, 0, 1, 2}));
}

TEST(CpuBackend, WhatSurroundsAReplayComesRightBeforeAndBehindItsLaunches) {
  auto const backend = make_cpu_backend();
  std::string order;
  auto const replay = backend->record({.launches = 2, .launch = [&](int) { order += "L"; }});
  (void)replay->run({.before = [&] { order += "b"; }, .behind = [&] { order += "e"; }});
  EXPECT_EQ(order, "bLLe");
}

TEST(CpuBackend, AReplayReadsTheClockOfItsCore) {
  auto const backend = make_cpu_backend();
  auto const reading = backend->record({.launches = 1, .launch = [](int) {}})->run({});
  ASSERT_TRUE(reading.clock_mhz.has_value());
  EXPECT_GT(*reading.clock_mhz, 200);
}

TEST(CpuBackend, LaunchesOnTheirOwnAreDisturbedWhereAnotherThreadWantsTheirCore) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  cpu_set_t const one = first_of(all);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  auto const backend = make_cpu_backend();
  auto const replay =
      backend->record({.launches = 4, .launch = [](int) { compute_for(std::chrono::milliseconds(5)); }});
  device::Steps const steps{.first = 1, .count = 2, .prepare = [](int) {}};
  EXPECT_EQ(replay->run_steps(steps, {}).times_ns.size(), 2U);
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over) {
    }
  });
  bool const disturbed = replay->run_steps(steps, {}).disturbed;
  is_over = true;
  other.join();
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_TRUE(disturbed);
}

TEST(CpuBackend, ExtraTimeLengthensAReplayByAtLeastThatMuch) {
  auto const backend = make_cpu_backend();
  auto const nothing = [](int) {};
  auto const slowed = backend->record({.launches = 1, .launch = nothing, .extra_ns = 2e6});
  EXPECT_GE(slowed->run({}).time_ns, 2e6);
}

TEST(CpuBackend, ALaunchThatLeavesAnotherRoundingModeIsNamedAndTheModePutBack) {
  auto const backend = make_cpu_backend();
  auto const replay = backend->record({.launches = 1, .launch = [](int) { std::fesetround(FE_TOWARDZERO); }});
  bool compared = false;
  EXPECT_THAT([&] { (void)replay->run({.behind = [&] { compared = true; }}); },
              ThrowsMessage<Interference>(HasSubstr("another rounding mode")));
  EXPECT_FALSE(compared) << "the outputs must not be compared in a floating-point mode that is not the harness's";
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_NO_THROW(backend->check_settings());
}

TEST(CpuBackend, ALaunchThatTakesProcessorsFromWhatFollowsIsNamedAndTheyComeBack) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "only one processor";
  auto const backend = make_cpu_backend();
  cpu_set_t const one = first_of(all);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_THAT([&] { backend->check_launch(); }, ThrowsMessage<Interference>(HasSubstr("other processors")));
  cpu_set_t now;
  ASSERT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&now, &all));
}

TEST(CpuBackend, FlagsOfFloatingPointExceptionsAreNoSetting) {
  auto const backend = make_cpu_backend();
  std::feraiseexcept(FE_INEXACT | FE_OVERFLOW);
  EXPECT_NO_THROW(backend->check_launch());
  std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(CpuBackend, RefusesKernelsThatNeedACudaDevice) {
  auto const backend = make_cpu_backend();
  EXPECT_FALSE(backend->refusal(any_arch()).has_value());
  EXPECT_EQ(backend->refusal(arch_at_least(8, 0)), "needs a CUDA device of compute capability 8.0");
}

}  // namespace
}  // namespace perfcheck::device
