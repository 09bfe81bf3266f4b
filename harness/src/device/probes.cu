// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "probes.h"

namespace perfcheck::device {
namespace {

// PTX ISA, special registers %smid and %globaltimer. Volatile: the reads must stay where they are.
__device__ unsigned multiprocessor() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

__device__ std::uint64_t global_nanoseconds() {
  std::uint64_t value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
  return value;
}

__global__ void read_clocks(ClockSample* samples) {
  samples[multiprocessor()] = {static_cast<std::uint64_t>(clock64()), global_nanoseconds()};
}

__global__ void wait_for(std::uint64_t nanoseconds) {
  std::uint64_t const end = global_nanoseconds() + nanoseconds;
  while (global_nanoseconds() < end) {
  }
}

}  // namespace

cudaError_t enqueue_clock_probe(ClockSample* samples, int multiprocessors, cudaStream_t stream) {
  // Two blocks per multiprocessor: the scheduler spreads them, and one may still be left without.
  read_clocks<<<2 * multiprocessors, 1, 0, stream>>>(samples);
  return cudaGetLastError();
}

cudaError_t enqueue_wait(std::uint64_t nanoseconds, cudaStream_t stream) {
  wait_for<<<1, 1, 0, stream>>>(nanoseconds);
  return cudaGetLastError();
}

}  // namespace perfcheck::device
