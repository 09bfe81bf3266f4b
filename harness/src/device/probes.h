// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The harness's own device code: reading the clocks of every multiprocessor, and waiting for a known time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace perfcheck::device {

/// Clocks of one multiprocessor at one moment. `cycles` counts that multiprocessor's clock, `nanoseconds` the device's
/// global timer. All zero where no block of the probe ran.
struct ClockSample {
  std::uint64_t cycles = 0;
  std::uint64_t nanoseconds = 0;
};

/// Enqueues a probe that writes samples[smid] for every multiprocessor it reaches. `samples` has one entry per
/// multiprocessor and is readable by the device.
cudaError_t enqueue_clock_probe(ClockSample* samples, int multiprocessors, cudaStream_t stream);

/// Enqueues one thread that waits `nanoseconds` by the global timer: it draws next to no power and no bandwidth.
cudaError_t enqueue_wait(std::uint64_t nanoseconds, cudaStream_t stream);

}  // namespace perfcheck::device
