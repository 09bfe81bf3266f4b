// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/device/backend.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace perfcheck::device {
namespace {

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

TEST(CpuBackend, ExtraTimeLengthensAReplayByAtLeastThatMuch) {
  auto const backend = make_cpu_backend();
  auto const nothing = [](int) {};
  auto const slowed = backend->record({.launches = 1, .launch = nothing, .extra_ns = 2e6});
  EXPECT_GE(slowed->run({}).time_ns, 2e6);
}

TEST(CpuBackend, RefusesKernelsThatNeedACudaDevice) {
  auto const backend = make_cpu_backend();
  EXPECT_FALSE(backend->refusal(any_arch()).has_value());
  EXPECT_EQ(backend->refusal(arch_at_least(8, 0)), "needs a CUDA device of compute capability 8.0");
}

}  // namespace
}  // namespace perfcheck::device
