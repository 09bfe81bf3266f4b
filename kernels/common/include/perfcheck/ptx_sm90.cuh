// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// PTX of compute capability 9.0 that CUDA C++ has no function for, each instruction once.
// "PTX" in the comments is the PTX ISA manual, with the name of the section.
#pragma once

#include <cuda.h>
#include <perfcheck/ptx_sm80.cuh>

#include <cstdint>

namespace perfcheck::ptx {

/// Whether the calling lane is the one that the warp elects, always the same. All lanes call it. What one lane does
/// under this condition needs no loop over lanes, as it would under one that the compiler knows nothing of. PTX,
/// "elect.sync".
__device__ __forceinline__ bool is_elected() {
  uint32_t elected = 0;
  asm volatile(
      "{\n"
      ".reg .pred is_elected;\n"
      "elect.sync _|is_elected, 0xFFFFFFFF;\n"
      "selp.u32 %0, 1, 0, is_elected;\n"
      "}\n"
      : "=r"(elected));
  return elected != 0;
}

// Barriers in shared memory. PTX, "Parallel Synchronization and Communication Instructions: mbarrier". A phase ends
// when all expected arrivals came and all expected bytes were written; the barrier then begins the next phase by
// itself. `parity` is that of the phase waited for: 0 for the first. Waiting for parity 1 on a fresh barrier returns at
// once.

/// To be called by one thread, before a fence_mbarrier_init() and a barrier of the block.
__device__ __forceinline__ void mbarrier_init(uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// Makes initialised barriers visible to the copy engine and to the cluster. PTX, "fence.mbarrier_init".
__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];\n" ::"r"(barrier) : "memory");
}

/// The same if `condition`, without a branch, past which the compiler moves nothing.
__device__ __forceinline__ void mbarrier_arrive_if(bool condition, uint32_t barrier) {
  asm volatile(
      "{\n"
      ".reg .pred arrives;\n"
      "setp.ne.u32 arrives, %1, 0;\n"
      "@arrives mbarrier.arrive.shared::cta.b64 _, [%0];\n"
      "}\n" ::"r"(barrier),
      "r"(static_cast<uint32_t>(condition))
      : "memory");
}

/// Arrives, and lets the present phase wait for `bytes` more bytes from the copy engine.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(barrier), "r"(bytes) : "memory");
}

/// Waits until the phase with `parity` has ended. The hardware suspends the thread between attempts.
__device__ __forceinline__ void mbarrier_wait(uint32_t barrier, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "attempt:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra attempt;\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// Whether the phase with `parity` has ended, without waiting. (A single try_wait would suspend the thread for
/// microseconds if it has not.)
__device__ __forceinline__ bool mbarrier_test(uint32_t barrier, uint32_t parity) {
  uint32_t done = 0;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
      "selp.u32 %0, 1, 0, done;\n"
      "}\n"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

// Tensor copies by the copy engine (TMA). PTX, "Data Movement and Conversion Instructions: cp.async.bulk.tensor".

/// Copies the box whose first element is at `at`, the contiguous dimension first, to shared memory that is aligned to
/// 128 bytes; its bytes count towards `barrier`. What lies outside the tensor becomes zero and counts as well.
/// at[0] must be a multiple of 16 bytes, or the launch fails with an illegal instruction (seen on an H200, whatever the
/// map's swizzle and L2 promotion).
template <std::size_t kRank>
__device__ __forceinline__ void tma_load(uint32_t shared, CUtensorMap const& map, int const (&at)[kRank],
                                         uint32_t barrier) {
  static_assert(kRank >= 1 && kRank <= 5, "the copy engine knows tensors of 1 to 5 dimensions");
#define PERFCHECK_TMA_LOAD(rank, coordinates, ...)                                             \
  asm volatile("cp.async.bulk.tensor." rank                                                    \
               ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates \
               "}], [%2];\n" ::"r"(shared),                                                    \
               "l"(&map), "r"(barrier), __VA_ARGS__                                            \
               : "memory")
  if constexpr (kRank == 1) {
    PERFCHECK_TMA_LOAD("1d", "%3", "r"(at[0]));
  } else if constexpr (kRank == 2) {
    PERFCHECK_TMA_LOAD("2d", "%3, %4", "r"(at[0]), "r"(at[1]));
  } else if constexpr (kRank == 3) {
    PERFCHECK_TMA_LOAD("3d", "%3, %4, %5", "r"(at[0]), "r"(at[1]), "r"(at[2]));
  } else if constexpr (kRank == 4) {
    PERFCHECK_TMA_LOAD("4d", "%3, %4, %5, %6", "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]));
  } else {
    PERFCHECK_TMA_LOAD("5d", "%3, %4, %5, %6, %7", "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]));
  }
#undef PERFCHECK_TMA_LOAD
}

/// Copies the box to the same shared address of each block of the cluster whose rank is a bit of `blocks`; the bytes
/// that a block receives count towards its own barrier at the address of `barrier`.
__device__ __forceinline__ void tma_load_multicast(uint32_t shared, CUtensorMap const& map, int const (&at)[2],
                                                   uint32_t barrier, uint32_t blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%3, %4}], [%2], %5;\n" ::"r"(shared),
      "l"(&map), "r"(barrier), "r"(at[0]), "r"(at[1]), "h"(static_cast<uint16_t>(blocks))
      : "memory");
}

/// Copies a box from shared memory; what lies outside the tensor is left out. The copy belongs to the calling thread's
/// present group of stores. Writes by other instructions before it need fence_for_copy_engine() in the threads that
/// wrote, then a barrier.
__device__ __forceinline__ void tma_store(CUtensorMap const& map, int const (&at)[2], uint32_t shared) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];\n" ::"l"(&map), "r"(shared),
               "r"(at[0]), "r"(at[1])
               : "memory");
}

/// The same, with a hint that what is stored shall be the first to leave L2. PTX, "createpolicy" and "Cache Eviction
/// Priority Hints".
__device__ __forceinline__ void tma_store_evict_first(CUtensorMap const& map, int const (&at)[2], uint32_t shared) {
  asm volatile(
      "{\n"
      ".reg .b64 policy;\n"
      "createpolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group.L2::cache_hint [%0, {%2, %3}], [%1], policy;\n"
      "}\n" ::"l"(&map),
      "r"(shared), "r"(at[0]), "r"(at[1])
      : "memory");
}

/// Closes the calling thread's present group of stores. PTX, "cp.async.bulk.commit_group".
__device__ __forceinline__ void tma_store_commit() { asm volatile("cp.async.bulk.commit_group;\n" ::: "memory"); }

/// Waits until at most `kPending` of the thread's youngest groups of stores still read shared memory. PTX,
/// "cp.async.bulk.wait_group".
template <int kPending>
__device__ __forceinline__ void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;\n" ::"n"(kPending) : "memory");
}

/// Makes the calling thread's writes to shared memory visible to the copy engine and to wgmma. PTX, "Memory Consistency
/// Model: Proxies" and "fence.proxy.async".
__device__ __forceinline__ void fence_for_copy_engine() {
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
}

/// Brings a tensor map into the cache that the copy engine reads it from. PTX, "prefetch".
__device__ __forceinline__ void prefetch_tensor_map(CUtensorMap const& map) {
  asm volatile("prefetch.tensormap [%0];\n" ::"l"(&map) : "memory");
}

/// Brings the line at `address` in global memory to L2. PTX, "prefetch".
__device__ __forceinline__ void prefetch_to_l2(void const* address) {
  asm volatile("prefetch.global.L2 [%0];\n" ::"l"(address) : "memory");
}

// Clusters: blocks that run at the same time and reach each other's shared memory. PTX, "barrier.cluster", "mapa",
// "ld".

/// Waits for all threads of the cluster; what they wrote to shared memory before is then visible.
__device__ __forceinline__ void cluster_barrier() {
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;\n" ::
          : "memory");
}

/// Waits for all threads of the cluster, and makes nothing visible: that would wait for stores to global memory.
__device__ __forceinline__ void cluster_barrier_relaxed() {
  asm volatile(
      "barrier.cluster.arrive.relaxed.aligned;\n"
      "barrier.cluster.wait.aligned;\n" ::
          : "memory");
}

/// Reads 16 bytes at the same shared address as `shared`, but of block `rank` of the cluster.
__device__ __forceinline__ float4 read_cluster_quad(uint32_t shared, uint32_t rank) {
  float4 quad;
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %4, %5;\n"
      "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [remote];\n"
      "}\n"
      : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
      : "r"(shared), "r"(rank)
      : "memory");
  return quad;
}

/// Arrives at the barrier at the same shared address as `barrier`, but of block `rank` of the cluster. It orders what
/// the copy engine and wgmma do with shared memory, and is not meant to publish ordinary writes: with .release.cluster
/// it would, and wait half a microsecond for a fence (seen on an H200).
__device__ __forceinline__ void mbarrier_arrive_at(uint32_t barrier, uint32_t rank) {
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
      "}\n" ::"r"(barrier),
      "r"(rank)
      : "memory");
}

// Flags between blocks, in global memory. PTX, "Memory Consistency Model: Release and Acquire Patterns".

__device__ __forceinline__ void store_release(int* flag, int value) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;\n" ::"l"(flag), "r"(value) : "memory");
}

__device__ __forceinline__ int load_acquire(int const* flag) {
  int value = 0;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];\n" : "=r"(value) : "l"(flag) : "memory");
  return value;
}

/// Stores four matrices of 8 x 8 elements of 2 bytes; ldmatrix_x4() the other way round. PTX, "Warp-level matrix
/// instructions: stmatrix".
__device__ __forceinline__ void stmatrix_x4(uint32_t shared, uint32_t const (&fragment)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};\n" ::"r"(shared), "r"(fragment[0]),
               "r"(fragment[1]), "r"(fragment[2]), "r"(fragment[3])
               : "memory");
}

/// Arrives at a named barrier without waiting. `threads` counts those that arrive and those that wait.
__device__ __forceinline__ void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}

// Launches that begin before the one in front has ended. PTX, "griddepcontrol".

/// Lets the launch behind this one begin as soon as all blocks have called this, or ended.
__device__ __forceinline__ void launch_dependents() {
  asm volatile("griddepcontrol.launch_dependents;\n" ::: "memory");
}

/// Waits until the launches in front have ended, and what they wrote is visible. Returns at once in a launch that began
/// behind them anyway.
__device__ __forceinline__ void wait_for_launches_before() { asm volatile("griddepcontrol.wait;\n" ::: "memory"); }

// Registers move between the warpgroups of a block, which all execute one of these. PTX, "setmaxnreg".

template <int kRegisters>
__device__ __forceinline__ void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(kRegisters));
}

template <int kRegisters>
__device__ __forceinline__ void claim_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(kRegisters));
}

}  // namespace perfcheck::ptx
