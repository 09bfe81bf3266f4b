// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "block_order.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/device/exclusive.cuh>

namespace perfcheck::device {
namespace {

/// Another process may have the device for a time slice; anything that stays longer makes the gates fail.
constexpr std::uint64_t kPatienceNs = 5'000'000;

/// Counters that only grow, so that nothing has to be reset.
struct OrderState {
  unsigned long long entered = 0;
  unsigned long long arrived = 0;
  unsigned long long left = 0;  ///< grids of which one block has made room
  unsigned long long followed = 0;
  unsigned lowest = ~0U;  ///< number of a multiprocessor
};

__device__ void await(unsigned long long const* count, unsigned long long least) {
  std::uint64_t const end = global_nanoseconds() + kPatienceNs;
  while (*static_cast<unsigned long long const volatile*>(count) < least && global_nanoseconds() < end) {
  }
}

/// Runs with one block more than fits. When all others are resident, one on the lowest-numbered multiprocessor leaves;
/// the remaining block can only go there.
__global__ void __launch_bounds__(kExclusiveThreads, kExclusiveBlocks) fix_order_kernel(OrderState* state) {
  if (threadIdx.x == 0) {
    unsigned const wave = gridDim.x - 1;
    unsigned long long const ticket = atomicAdd(&state->entered, 1ULL), grid = ticket / gridDim.x + 1;
    if (ticket % gridDim.x == wave) {
      atomicAdd(&state->followed, 1ULL);
    } else {
      unsigned const here = multiprocessor();
      atomicMin(&state->lowest, here);
      __threadfence();
      atomicAdd(&state->arrived, 1ULL);
      await(&state->arrived, grid * wave);
      bool const leaves =
          *static_cast<unsigned volatile*>(&state->lowest) == here && atomicMax(&state->left, grid) < grid;
      if (!leaves) await(&state->followed, grid);
    }
  }
  __syncthreads();  // a block leaves as a whole
}

}  // namespace

BlockOrder::BlockOrder() : wave_(exclusive_blocks(fix_order_kernel)) {
  void* data = nullptr;
  PERFCHECK_CUDA(cudaMalloc(&data, sizeof(OrderState)));
  state_.reset(data);
  OrderState const none;
  PERFCHECK_CUDA(cudaMemcpy(data, &none, sizeof none, cudaMemcpyHostToDevice));
}

void BlockOrder::enqueue_fix(cudaStream_t stream) const {
  fix_order_kernel<<<wave_ + 1, kExclusiveThreads, 0, stream>>>(static_cast<OrderState*>(state_.get()));
  PERFCHECK_CUDA(cudaGetLastError());
}

}  // namespace perfcheck::device
