// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of kernels/common's: the same functions, with the instructions emulated.
#pragma once

#include "copy_engine.h"
#include "memory_barrier.h"

#include <perfcheck/ptx_sm80.cuh>

namespace perfcheck::ptx {

inline bool is_elected() { return thread_index() % 32 == 0; }
inline void mbarrier_init(uint32_t barrier, int arrivals) { emulated::MemoryBarrier(barrier).init(arrivals); }
inline void fence_mbarrier_init() {}
inline void mbarrier_arrive(uint32_t barrier) { emulated::MemoryBarrier(barrier).arrive(); }
inline void mbarrier_arrive_expect_tx(uint32_t barrier, int bytes) { emulated::MemoryBarrier(barrier).arrive(bytes); }
inline void mbarrier_arrive_if(bool condition, uint32_t barrier) {
  if (condition) mbarrier_arrive(barrier);
}
inline bool mbarrier_test(uint32_t barrier, uint32_t parity) { return emulated::MemoryBarrier(barrier).test(parity); }
inline void mbarrier_wait(uint32_t barrier, uint32_t parity) { emulated::MemoryBarrier(barrier).wait(parity); }

template <std::size_t kRank>
void tma_load(uint32_t shared, CUtensorMap const& map, int const (&at)[kRank], uint32_t barrier) {
  emulated::load(map, at, shared, barrier);
}
inline void tma_load_multicast(uint32_t shared, CUtensorMap const& map, int const (&at)[2], uint32_t barrier,
                               uint32_t blocks) {
  emulated::load_to_blocks(map, at, shared, barrier, blocks);
}
inline void tma_store(CUtensorMap const& map, int const (&at)[2], uint32_t shared) { emulated::store(map, at, shared); }
inline void tma_store_evict_first(CUtensorMap const& map, int const (&at)[2], uint32_t shared) {
  emulated::store(map, at, shared);
}
inline void tma_store_commit() { emulated::close_group(emulated::Late::stores); }
template <int kPending>
void tma_store_wait_read() {
  emulated::wait_for(emulated::Late::stores, kPending);
}
inline void fence_for_copy_engine() {}
inline void prefetch_tensor_map(CUtensorMap const& /*map*/) {}
inline void prefetch_to_l2(void const* address) {
  if (emulated::device().prefetches) emulated::device().prefetches(address);
}

inline void cluster_barrier() { emulated::cluster_barrier(); }
inline void cluster_barrier_relaxed() { emulated::cluster_barrier(); }
inline float4 read_cluster_quad(uint32_t shared, uint32_t rank) {
  float4 quad;
  std::memcpy(&quad, emulated::at_shared_of(static_cast<int>(rank), shared, sizeof quad, sizeof quad), sizeof quad);
  return quad;
}

inline void mbarrier_arrive_at(uint32_t barrier, uint32_t rank) {
  emulated::MemoryBarrier(barrier, static_cast<int>(rank)).arrive();
}

inline void store_release(int* flag, int value) {
  *flag = value;
  emulated::happened();
}
inline int load_acquire(int const* flag) {
  emulated::yield("a flag in global memory");
  return *flag;
}

inline void stmatrix_x4(uint32_t shared, uint32_t const (&fragment)[4]) {
  uint32_t words[4] = {fragment[0], fragment[1], fragment[2], fragment[3]};
  MatrixRow row{.at = shared, .fragment = words};
  emulated::together("stmatrix", &row, [](emulated::Operands const& lanes) {
    for (std::size_t lane = 0; lane < emulated::kWarp; ++lane) {
      for (std::size_t matrix = 0; matrix < 4; ++matrix) {
        uint32_t const at = static_cast<MatrixRow*>(lanes[matrix * 8 + lane / 4])->at;
        std::memcpy(emulated::at_shared(at, 16, 16) + lane % 4 * 4,
                    &static_cast<MatrixRow*>(lanes[lane])->fragment[matrix], 4);
      }
    }
  });
}

inline void launch_dependents() {}
inline void wait_for_launches_before() { emulated::wait_for_launches_before(); }
inline void named_barrier_arrive(int id, int threads) { emulated::arrive_at_named_barrier(id, threads); }
template <int kRegisters>
void release_registers() {}
template <int kRegisters>
void claim_registers() {}

}  // namespace perfcheck::ptx
