// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The harness's own device code: reading the clocks of every multiprocessor, and waiting for a known time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace perfcheck::device {

/// Clocks of one multiprocessor at one moment. `cycles` counts that multiprocessor's clock, `nanoseconds` the device's
/// global timer. All zero where no block of the probe ran.
struct ClockSample {
  std::uint64_t cycles = 0;
  std::uint64_t nanoseconds = 0;
};

/// When a gate had the device to itself.
struct GateMoment {
  std::uint64_t closed_ns = 0;  ///< by the device's global timer: from here on nothing else ran; 0 when no gate passed
  std::uint64_t nanoseconds = 0;  ///< the same when the gate opened again
  std::uint64_t timed_out = 0;    ///< blocks, ever, that waited in vain for all others to be resident
};

struct ExclusiveState;
struct MeetingPlace;

constexpr std::uint64_t kMeetingPatienceNs = 120'000'000'000;

/// A gate is a kernel that takes every thread slot of the device: once it has passed, nothing else is resident.
struct Gate {
  ExclusiveState* state = nullptr;  ///< device memory
  void* scratch = nullptr;          ///< device memory of more than the cache's size
  std::size_t scratch_bytes = 0;
  unsigned blocks = 0;
};

/// Blocks of a gate on the current device; 0 when a gate does not fit it.
unsigned gate_blocks();

/// Enqueues a gate that writes `moment`, which the device must be able to access. With `empty_cache` it also leaves
/// nothing but clean lines of its scratch memory in the level 2 cache.
cudaError_t enqueue_gate(Gate const& gate, GateMoment* moment, bool empty_cache, cudaStream_t stream);

/// Enqueues a kernel that only empties the cache in that way.
cudaError_t enqueue_empty_cache(Gate const& gate, cudaStream_t stream);

/// Enqueues a kernel that does nothing.
cudaError_t enqueue_nothing(cudaStream_t stream);

/// Enqueues a probe that writes samples[smid] for every multiprocessor it reaches. `samples` has one entry per
/// multiprocessor, which the device must be able to access.
cudaError_t enqueue_clock_probe(ClockSample* samples, int multiprocessors, cudaStream_t stream);

/// Enqueues one thread that writes the device's global timer to `nanoseconds`, which the device must be able to access.
cudaError_t enqueue_moment(std::uint64_t* nanoseconds, cudaStream_t stream);

/// Enqueues one thread that spins for `cycles` of its multiprocessor's clock, so that the steps of the global timer do
/// not affect its length.
cudaError_t enqueue_work(long long cycles, cudaStream_t stream);

/// Enqueues one thread that reports in `place` (as the device sees it) that it was reached, waits until a secret is
/// released there, and writes the secret to device memory. After kMeetingPatienceNs it goes on without one.
cudaError_t enqueue_await_release(MeetingPlace* place, std::uint64_t* secret, cudaStream_t stream);
/// Enqueues one thread that copies the value at `last`, in device memory, to `place` and marks the batch as ended.
cudaError_t enqueue_tell_end(MeetingPlace* place, std::uint64_t const* last, cudaStream_t stream);

/// Enqueues one thread that waits `nanoseconds` by the global timer. It needs next to no power and no bandwidth.
cudaError_t enqueue_wait(std::uint64_t nanoseconds, cudaStream_t stream);

}  // namespace perfcheck::device
