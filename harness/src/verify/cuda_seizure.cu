// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_seizure.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/device/exclusive.cuh>

#include <cuda_runtime.h>

namespace perfcheck::verify {
namespace {

using device::ExclusiveState;

__global__ void __launch_bounds__(device::kExclusiveThreads, device::kExclusiveBlocks)
    seize_kernel(uint4* to, uint4 const* from, std::int64_t count, ExclusiveState* state, std::uint64_t* seized_ns) {
  if (device::arrive_together(state)) *seized_ns = device::global_nanoseconds();
  std::int64_t const stride = static_cast<std::int64_t>(gridDim.x) * device::kExclusiveThreads;
  std::int64_t const first = static_cast<std::int64_t>(blockIdx.x) * device::kExclusiveThreads + threadIdx.x;
  for (std::int64_t at = first; at < count; at += stride) to[at] = from[at];
}

}  // namespace

CudaSeizure::CudaSeizure(device::Backend& backend)
    : backend_(backend),
      state_(backend.allocate(sizeof(ExclusiveState))),
      seized_ns_(backend.allocate(sizeof(std::uint64_t))),
      blocks_(device::exclusive_blocks(seize_kernel)) {
  if (blocks_ == 0) {
    throw device::DeviceError("the kernel that takes outputs cannot have all thread slots of this device", false);
  }
  ExclusiveState const none;
  backend.copy_to_device(state_.data(), &none, sizeof none);
  std::uint64_t const never = 0;
  backend.copy_to_device(seized_ns_.data(), &never, sizeof never);
}

void CudaSeizure::enqueue(void* to, void const* from, std::size_t bytes) {
  seize_kernel<<<blocks_, device::kExclusiveThreads, 0, backend_.stream()>>>(
      static_cast<uint4*>(to), static_cast<uint4 const*>(from), static_cast<std::int64_t>(bytes / sizeof(uint4)),
      static_cast<ExclusiveState*>(state_.data()), static_cast<std::uint64_t*>(seized_ns_.data()));
  backend_.check_launch();
}

std::uint64_t CudaSeizure::seized_ns() {
  std::uint64_t at = 0;
  backend_.copy_to_host(&at, seized_ns_.data(), sizeof at);
  return at;
}

bool CudaSeizure::was_alone() {
  ExclusiveState state;
  backend_.copy_to_host(&state, state_.data(), sizeof state);
  return state.timed_out == 0;
}

}  // namespace perfcheck::verify
