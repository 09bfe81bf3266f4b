// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "probes.h"

#include <perfcheck/device/meeting.h>
#include <perfcheck/device/exclusive.cuh>

namespace perfcheck::device {
namespace {

__global__ void read_clocks(ClockSample* samples) {
  samples[multiprocessor()] = {static_cast<std::uint64_t>(clock64()), global_nanoseconds()};
}

__global__ void wait_for(std::uint64_t nanoseconds) {
  std::uint64_t const end = global_nanoseconds() + nanoseconds;
  while (global_nanoseconds() < end) {
  }
}

__global__ void work_for(long long cycles) {
  long long const start = clock64();
  while (clock64() - start < cycles) {
  }
}

// Volatile, because the other side is the host; fences, because each side must see the other's writes in order.
__global__ void await_release(MeetingPlace volatile* place, std::uint64_t* secret) {
  place->reached = 1;
  std::uint64_t const end = global_nanoseconds() + kMeetingPatienceNs;
  while (place->released == 0 && global_nanoseconds() < end) {
  }
  __threadfence_system();
  *secret = place->secret;
}

__global__ void tell_end(MeetingPlace volatile* place, std::uint64_t const* last) {
  place->last = *last;
  __threadfence_system();
  place->ended = 1;
}

__global__ void do_nothing() {}

__global__ void note_moment(std::uint64_t* nanoseconds) { *nanoseconds = global_nanoseconds(); }

/// Reads `scratch` into the level 2 cache, whose lines are then clean and of no use to a launch. The store keeps the
/// compiler from removing the loads. It never runs, because `scratch` holds zeros, but the compiler does not know that.
/// An empty asm statement would not do: nothing of it reaches ptxas.
__device__ void fill_cache(uint4* scratch, std::size_t vectors) {
  std::uint32_t read = 0;
  for (std::size_t at = blockIdx.x * std::size_t{kExclusiveThreads} + threadIdx.x; at < vectors;
       at += std::size_t{kExclusiveThreads} * gridDim.x) {
    uint4 const vector = __ldcg(scratch + at);
    read ^= vector.x ^ vector.y ^ vector.z ^ vector.w;
  }
  if (read != 0) scratch->x = read;
}

__global__ void __launch_bounds__(kExclusiveThreads, kExclusiveBlocks)
    empty_cache_kernel(uint4* scratch, std::size_t vectors) {
  fill_cache(scratch, vectors);
}

/// Records when all blocks had arrived, and when the gate opened again.
__global__ void __launch_bounds__(kExclusiveThreads, kExclusiveBlocks)
    gate_kernel(ExclusiveState* state, uint4* scratch, std::size_t vectors, GateMoment* moment) {
  bool last = arrive_together(state);
  if (last) moment->closed_ns = global_nanoseconds();
  if (vectors != 0) {
    fill_cache(scratch, vectors);
    last = arrive_together(state);
  }
  if (last) {
    moment->nanoseconds = global_nanoseconds();
    moment->timed_out = state->timed_out;
  }
}

}  // namespace

unsigned gate_blocks() { return exclusive_blocks(gate_kernel); }

cudaError_t enqueue_gate(Gate const& gate, GateMoment* moment, bool empty_cache, cudaStream_t stream) {
  gate_kernel<<<gate.blocks, kExclusiveThreads, 0, stream>>>(
      gate.state, static_cast<uint4*>(gate.scratch), empty_cache ? gate.scratch_bytes / sizeof(uint4) : 0, moment);
  return cudaGetLastError();
}

cudaError_t enqueue_empty_cache(Gate const& gate, cudaStream_t stream) {
  empty_cache_kernel<<<gate.blocks, kExclusiveThreads, 0, stream>>>(static_cast<uint4*>(gate.scratch),
                                                                    gate.scratch_bytes / sizeof(uint4));
  return cudaGetLastError();
}

cudaError_t enqueue_nothing(cudaStream_t stream) {
  do_nothing<<<1, 32, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t enqueue_clock_probe(ClockSample* samples, int multiprocessors, cudaStream_t stream) {
  // Two blocks per multiprocessor: the scheduler spreads them, but a multiprocessor may still get none.
  read_clocks<<<2 * multiprocessors, 1, 0, stream>>>(samples);
  return cudaGetLastError();
}

cudaError_t enqueue_moment(std::uint64_t* nanoseconds, cudaStream_t stream) {
  note_moment<<<1, 1, 0, stream>>>(nanoseconds);
  return cudaGetLastError();
}

cudaError_t enqueue_await_release(MeetingPlace* place, std::uint64_t* secret, cudaStream_t stream) {
  await_release<<<1, 1, 0, stream>>>(place, secret);
  return cudaGetLastError();
}

cudaError_t enqueue_tell_end(MeetingPlace* place, std::uint64_t const* last, cudaStream_t stream) {
  tell_end<<<1, 1, 0, stream>>>(place, last);
  return cudaGetLastError();
}

cudaError_t enqueue_work(long long cycles, cudaStream_t stream) {
  work_for<<<1, 1, 0, stream>>>(cycles);
  return cudaGetLastError();
}

cudaError_t enqueue_wait(std::uint64_t nanoseconds, cudaStream_t stream) {
  wait_for<<<1, 1, 0, stream>>>(nanoseconds);
  return cudaGetLastError();
}

}  // namespace perfcheck::device
