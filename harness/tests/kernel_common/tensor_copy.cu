// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "tensor_copy.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/ptx_sm90.cuh>

namespace perfcheck {
namespace {

constexpr int kThreads = 128;
/// Swizzles repeat after so many bytes.
constexpr int kAlignment = 1024;

template <std::size_t kRank>
struct Place {
  int at[kRank];
};

template <std::size_t kRank>
__global__ void copy_box(__grid_constant__ CUtensorMap const map, Place<kRank> place, int box_bytes,
                         std::uint8_t* out) {
  extern __shared__ __align__(kAlignment) std::uint8_t box[];
  __shared__ std::uint64_t full;
  std::uint32_t const barrier = ptx::shared_address(&full);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::fence_mbarrier_init();
    ptx::mbarrier_arrive_expect_tx(barrier, box_bytes);
    ptx::tma_load(ptx::shared_address(box), map, place.at, barrier);
  }
  __syncthreads();
  ptx::mbarrier_wait(barrier, 0);
  for (int i = static_cast<int>(threadIdx.x); i < box_bytes; i += kThreads) out[i] = box[i];
}

}  // namespace

template <std::size_t kRank>
void enqueue_box(CUtensorMap const& map, std::array<int, kRank> const& at, int box_bytes, std::uint8_t* out,
                 cudaStream_t stream) {
  Place<kRank> place;
  for (std::size_t i = 0; i < kRank; ++i) place.at[i] = at[i];
  copy_box<kRank><<<1, kThreads, box_bytes, stream>>>(map, place, box_bytes, out);
  PERFCHECK_CUDA(cudaGetLastError());
}

#define PERFCHECK_RANK(rank) \
  template void enqueue_box<rank>(CUtensorMap const&, std::array<int, rank> const&, int, std::uint8_t*, cudaStream_t)
PERFCHECK_RANK(1);
PERFCHECK_RANK(2);
PERFCHECK_RANK(3);
PERFCHECK_RANK(4);
PERFCHECK_RANK(5);
#undef PERFCHECK_RANK

}  // namespace perfcheck
