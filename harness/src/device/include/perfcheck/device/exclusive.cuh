// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that have the device to themselves. A grid of blocks of kExclusiveThreads threads takes every thread slot of
// every multiprocessor and waits until all of its blocks are resident. That proves that no other kernel is resident,
// left over or hidden on another stream, because any kernel needs a thread slot. So nothing worked on timed buffers
// before the clock started or after it stopped; the proof also holds on devices that allow no profiler.
#pragma once

#include "perfcheck/model/defences.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace perfcheck::device {

constexpr int kExclusiveThreads = 512;
/// Launch bounds of such kernels: 2048 threads per multiprocessor (1536 on some) leave 32 registers for each.
constexpr int kExclusiveBlocks = 4;
/// If not all blocks are resident within this time, the grid is not alone. Long, because another process may have the
/// device for a time slice.
constexpr std::uint64_t kExclusivePatienceNs = 250'000'000;

/// False only in a test build (model/defences.h).
constexpr bool kExclusiveWaits = model::applies(model::Defence::alone);

/// In device memory, initially zero, for kernels of one stream.
struct ExclusiveState {
  unsigned long long arrived = 0;
  unsigned long long timed_out = 0;  ///< number of blocks that ever gave up waiting
};

#if defined(__CUDACC__)
__device__ __forceinline__ std::uint64_t global_nanoseconds() {
  std::uint64_t value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
  return value;
}

/// Number of the multiprocessor that runs this block (PTX ISA, special register %smid). Volatile: the read must stay
/// where it is.
__device__ __forceinline__ unsigned multiprocessor() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

/// Waits until all blocks of the grid have arrived here. All threads of a block must call it; it returns true in one
/// thread of the grid, which arrived last. The count is never reset, so all grids that use one `state` must have the
/// same size: only then is the count of earlier grids a multiple of it.
__device__ __forceinline__ bool arrive_together(ExclusiveState* state) {
  bool last = false;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    unsigned long long const ticket = atomicAdd(&state->arrived, 1ULL);
    unsigned long long const all = (ticket / gridDim.x + 1) * gridDim.x;
    last = ticket + 1 == all;
    std::uint64_t const end = global_nanoseconds() + kExclusivePatienceNs;
    while (kExclusiveWaits && *static_cast<unsigned long long volatile*>(&state->arrived) < all) {
      if (global_nanoseconds() > end) {
        atomicAdd(&state->timed_out, 1ULL);
        break;
      }
    }
    __threadfence();
  }
  __syncthreads();
  return last;
}
#endif

/// Number of blocks of `kernel` that take all thread slots of the current device; 0 if so many do not fit.
template <class Kernel>
unsigned exclusive_blocks(Kernel* kernel) {
  int device = 0, multiprocessors = 0, threads = 0, resident = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kExclusiveThreads, 0) != cudaSuccess) {
    return 0;
  }
  return resident * kExclusiveThreads >= threads ? static_cast<unsigned>(resident * multiprocessors) : 0;
}

}  // namespace perfcheck::device
