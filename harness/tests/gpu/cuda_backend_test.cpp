// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Does the device layer measure correctly? Tested with kernels of known duration.
#include "gpu_test.h"
#include "perfcheck/device/backend.h"
#include "probes.h"

#include <perfcheck/cuda_check.h>

#include "perfcheck/stats/stats.h"

#include <gmock/gmock.h>

#include <vector>

namespace perfcheck::device {
namespace {

using testing::HasSubstr;

double median_replay_ns(Backend& backend, Recording const& recording) {
  auto const replay = backend.record(recording);
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    times.push_back(replay->run({}).time_ns);
  }
  return *stats::median(times);
}

Recording waits(Backend& backend, int launches, std::uint64_t nanoseconds, double extra_ns = 0) {
  return {.launches = launches,
          .launch = [&backend, nanoseconds](int) { PERFCHECK_CUDA(enqueue_wait(nanoseconds, backend.stream())); },
          .extra_ns = extra_ns};
}

TEST(CudaBackend, AKernelOfKnownDurationIsMeasuredAsThatLong) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  double const time_ns = median_replay_ns(*backend, waits(*backend, 20, 100'000));
  // Each launch adds its own cost of one to two microseconds to the wait.
  EXPECT_GE(time_ns / 20, 100'000);
  EXPECT_LE(time_ns / 20, 104'000);
}

TEST(CudaBackend, AnInjectedWaitLengthensAReplayByWhatWasAsked) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  // Few launches: all launches of a recording may start 0.4 us later than those of the previous one (docs/design.md).
  double const plain = median_replay_ns(*backend, waits(*backend, 4, 250'000));
  for (double const extra : {10e3, 30e3, 300e3}) {
    double const slowed = median_replay_ns(*backend, waits(*backend, 4, 250'000, extra));
    EXPECT_NEAR(slowed - plain, extra, 2e3 + 0.01 * extra);
  }
}

TEST(CudaBackend, TheClockDuringAReplayIsAClockThatTheDeviceCanHave) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  auto const reading = backend->record(waits(*backend, 10, 100'000))->run({});
  ASSERT_TRUE(reading.clock_mhz.has_value());
  EXPECT_GT(*reading.clock_mhz, 200);
  EXPECT_LT(*reading.clock_mhz, backend->info().max_clock_mhz * 1.01);
}

TEST(CudaBackend, EmptyingTheCacheReallyReadsMoreThanItHolds) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  auto const info = backend->info();
  double const time_ns =
      median_replay_ns(*backend, {.launches = 20, .launch = [&](int) { backend->empty_cache(); }}) / 20;
  // Reading twice the cache's size at its peak rate takes this long; if the compiler removed the loads, it would be ten
  // times faster.
  EXPECT_GE(time_ns, 2 * static_cast<double>(info.cache_bytes) / *info.peak_cache_gb_s);
}

TEST(CudaBackend, RecordedWorkNamesItsKernelsWithTheirAttributesAndMachineCode) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  auto const launches = backend->record(waits(*backend, 3, 1'000))->attributes();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].function, "perfcheck::device::wait_for");
  EXPECT_EQ(launches[0].grid, (std::array{1, 1, 1}));
  EXPECT_GT(launches[0].registers, 0);
  EXPECT_EQ(launches[0].local_bytes, 0);
  EXPECT_GT(launches[0].occupancy, 0);
}

TEST(CudaBackend, MemoryThatCannotBeHadIsAnErrorThatTheDeviceSurvives) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  EXPECT_THROW((void)backend->allocate(std::size_t{1} << 50), OutOfMemory);
  EXPECT_NO_THROW((void)backend->allocate(1 << 20));
}

TEST(CudaBackend, ADeviceThatDoesNotExistIsNamed) {
  PERFCHECK_NEEDS_GPU();
  EXPECT_THAT([] { (void)make_cuda_backend(99); },
              testing::ThrowsMessage<DeviceError>(HasSubstr("there is no CUDA device 99")));
}

TEST(CudaBackend, WithoutAGpuTheErrorSaysWhatTheDriverSaid) {
  if (has_gpu()) {
    GTEST_SKIP() << "this machine has a GPU";
  }
  EXPECT_THAT([] { (void)make_cuda_backend(0); },
              testing::ThrowsMessage<DeviceError>(HasSubstr("no usable CUDA device")));
}

TEST(CudaBackend, AFailedLaunchEndsTheRecordingAndLeavesTheStreamUsable) {
  PERFCHECK_NEEDS_GPU();
  auto const backend = make_cuda_backend(0);
  Recording const broken{.launches = 1, .launch = [](int) { throw std::runtime_error("no launch"); }};
  EXPECT_THROW((void)backend->record(broken), std::runtime_error);
  EXPECT_GT(median_replay_ns(*backend, waits(*backend, 1, 10'000)), 10'000);
}

}  // namespace
}  // namespace perfcheck::device
