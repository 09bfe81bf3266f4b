// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The ring: a few stages of shared memory on the way from global memory to the tensor cores. One thread fills it
// through the copy engine, groups of warps empty it, and barriers in shared memory tell when a stage is full and when
// it is empty again.
#pragma once

#include "copy.cuh"
#include "order.cuh"

#include <perfcheck/cluster_launch.h>
#include <perfcheck/ring_position.cuh>

namespace perfcheck::wgmma {

/// What a block keeps in shared memory. Stages and strips are aligned to 1024 bytes, as swizzled boxes must be.
template <class V>
struct SharedMemory {
  static constexpr Shape kShape = V::kShape;
  static constexpr int kStrips = kShape.strips == 0 ? 0 : kShape.groups * kGroupWarps * kShape.strips;
  unsigned char stages[kShape.stages][V::kStageBytes];
  unsigned char strips[kStrips == 0 ? 16 : kStrips * kStripBytes<V>];
  uint64_t full[kShape.stages];   // all bytes of the stage have arrived
  uint64_t empty[kShape.stages];  // all readers of the stage, in the whole cluster, have read it
};

/// A block with several groups of math warps gets a whole group to copy, so that it can give its registers away: they
/// move between groups. Parts of a tile have no stores beside products, and enough registers with a single copy warp.
template <class V>
constexpr bool kMovesRegisters = V::kShape.groups > 1 && V::kShape.parts == 1;
template <class V>
constexpr int kThreads = V::kShape.math_threads() + (kMovesRegisters<V> ? kGroupThreads : kWarp);
/// Registers of a thread: 65536 are shared by 384 threads, or 512.
template <class V>
constexpr int kCopyRegisters = V::kShape.groups == 2 ? 24 : 32;
template <class V>
constexpr int kMathRegisters = V::kShape.groups == 2 ? 240 : 160;

/// Whether the calling thread is one of those that copy.
template <class V>
__device__ __forceinline__ bool is_copy_thread() {
  return threadIdx.x >= V::kShape.math_threads();
}

/// Whether the calling thread is the one that asks the copy engine. To be called by whole warps.
template <class V>
__device__ __forceinline__ bool is_the_copy_thread() {
  return static_cast<int>(threadIdx.x) / kWarp == V::kShape.math_threads() / kWarp && ptx::is_elected();
}

/// Named barriers: of two groups that take turns, for the start, and of all math threads.
constexpr int kTurnBarrier = 1;
constexpr int kStartBarrier = 3;
constexpr int kMathBarrier = 4;

/// Sets up the barriers. To be called by all threads of the block.
template <class V>
__device__ __forceinline__ void initialise(SharedMemory<V>& shared, TensorMaps const& maps) {
  constexpr bool kCluster = V::kShape.cluster() > 1;
  if (is_the_copy_thread<V>()) {
    ptx::prefetch_tensor_map(maps.a);
    ptx::prefetch_tensor_map(maps.b);
    for (int stage = 0; stage < V::kShape.stages; ++stage) {
      ptx::mbarrier_init(ptx::shared_address(&shared.full[stage]), 1);
      ptx::mbarrier_init(ptx::shared_address(&shared.empty[stage]), V::kShape.readers());
    }
    ptx::fence_mbarrier_init();
  } else if (V::kShape.strips > 0 && threadIdx.x == 0 && maps.stores_d) {
    ptx::prefetch_tensor_map(maps.d);
  }
  if constexpr (kCluster) {
    ptx::cluster_barrier();  // blocks of a cluster write to each other's memory from here on
  } else if (is_copy_thread<V>()) {
    __syncwarp();
    ptx::named_barrier_arrive(kStartBarrier, kThreads<V>);  // and goes on at once
  } else {
    ptx::named_barrier(kStartBarrier, kThreads<V>);
  }
}

/// Moves registers from copy threads to math threads. To be called by all threads of the kind.
template <class V>
__device__ __forceinline__ void become_copy_thread() {
  if constexpr (kMovesRegisters<V>) ptx::release_registers<kCopyRegisters<V>>();
}
template <class V>
__device__ __forceinline__ void become_math_thread() {
  if constexpr (kMovesRegisters<V>) ptx::claim_registers<kMathRegisters<V>>();
}

/// The number of the calling thread's group, in a register that is the same for all lanes of a warp.
__device__ __forceinline__ int group_number() {
  return __shfl_sync(0xFFFFFFFF, static_cast<int>(threadIdx.x) / kGroupThreads, 0);
}

/// How the ring is filled, by one thread.
template <class V>
class RingWriter {
 public:
  __device__ __forceinline__ RingWriter(SharedMemory<V>& shared, TensorMaps const& maps)
      : shared_(shared), maps_(maps), here_(ClusterPlace<V>::here()) {}

  /// Fetches k-block `k_block` of a tile as soon as the next stage is empty.
  __device__ __forceinline__ void fetch_next(TileIndex tile, int k_block) {
    ptx::mbarrier_wait(ptx::shared_address(&shared_.empty[at_.stage]), at_.parity);
    fetch(ptx::shared_address(shared_.stages[at_.stage]), maps_, tile, here_, k_block,
          ptx::shared_address(&shared_.full[at_.stage]));
    at_.advance();
  }

  /// To be called in the end. A block must not leave while others of its cluster may still arrive at its barriers: that
  /// they have done so for the last stages shows that they will not again.
  __device__ __forceinline__ void finish() {
    if constexpr (V::kShape.cluster() > 1) {
#pragma unroll 1
      for (int stage = 0; stage < V::kShape.stages; ++stage) {
        ptx::mbarrier_wait(ptx::shared_address(&shared_.empty[at_.stage]), at_.parity);
        at_.advance();
      }
    }
  }

 private:
  SharedMemory<V>& shared_;
  TensorMaps const& maps_;
  ClusterPlace<V> here_;
  RingPosition<V::kShape.stages> at_{.stage = 0,
                                     .parity = 1};  // waiting for the phase before the first returns at once
};

/// What copy threads do for all tiles of a block, or parts of tiles: one of them copies.
template <class V, class Tiles>
__device__ __forceinline__ void copy_tiles(SharedMemory<V>& shared, TensorMaps const& maps, Tiles tiles) {
  become_copy_thread<V>();
  if (!is_the_copy_thread<V>()) return;
  RingWriter<V> ring(shared, maps);
  typename Tiles::Item tile;
  bool back = false;
  while (tiles.next(tile)) {
    int const last = tiles.k_blocks(tile) - 1;
#pragma unroll 1
    for (int k = 0; k <= last; ++k) {
      ring.fetch_next(tiles.place(tile), tiles.first_k(tile) + (V::kShape.turns_back && back ? last - k : k));
    }
    tiles.look_ahead();
    if (tiles.turns()) back = !back;
  }
  ring.finish();
}

/// How a group of math warps empties the ring.
template <class V>
class RingReader {
  static constexpr Shape kShape = V::kShape;

 public:
  __device__ __forceinline__ explicit RingReader(SharedMemory<V>& shared) : shared_(shared) {}

  /// Multiplies the next `k_blocks` stages, at least one, and leaves the last products of them executing.
  __device__ __forceinline__ void multiply(GroupMath<V>& math, int k_blocks) {
    int last = 0;
#pragma unroll 1
    for (int k = 0; k < k_blocks; ++k) {
      math.multiply(wait_until_full(), k > 0);
      if constexpr (kShape.pending == 0) {
        ptx::wgmma_wait<0>();
        release(at_.stage);
      } else {
        // The tensor cores have the next stage's products to go on with while warps learn that the last stage's are
        // done.
        ptx::wgmma_wait<1>();
        if (k > 0) release(last);
      }
      last = at_.stage;
      at_.advance();
    }
    last_ = last;
  }

  /// Waits for the products that multiply() has left.
  __device__ __forceinline__ void finish(GroupMath<V>& math) {
    math.finish();
    if constexpr (kShape.pending > 0) release(last_);
  }

  // For halves.cuh and promote.cuh, which go through the ring by themselves.

  /// Waits until the present stage is full, and returns its address.
  __device__ __forceinline__ uint32_t wait_until_full() const { return wait_until_full(at_); }
  /// The same for a stage `ahead` stages further on.
  __device__ __forceinline__ uint32_t wait_until_full(int ahead) const {
    RingPosition<kShape.stages> at = at_;
    for (int i = 0; i < ahead; ++i) at.advance();
    return wait_until_full(at);
  }
  __device__ __forceinline__ void release_and_advance() {
    release(at_.stage);
    at_.advance();
  }

  /// Leaves out stages that another group multiplies.
  __device__ __forceinline__ void skip(int k_blocks) {
    int const stages = at_.stage + k_blocks;
    at_.parity ^= stages / kShape.stages & 1;
    at_.stage = stages % kShape.stages;
  }

 private:
  /// Tells all blocks that write to a stage that this warp has read it.
  __device__ __forceinline__ void release(int stage) const {
    uint32_t const barrier = ptx::shared_address(&shared_.empty[stage]);
    int const lane = static_cast<int>(threadIdx.x) % kWarp;
    if constexpr (kShape.cluster() == 1) {
      if (lane == 0) ptx::mbarrier_arrive(barrier);
    } else {
      int const rank = ClusterPlace<V>::here().first + lane;
      if (lane < kShape.cluster()) ptx::mbarrier_arrive_at(barrier, static_cast<uint32_t>(rank));
    }
  }

  __device__ __forceinline__ uint32_t wait_until_full(RingPosition<kShape.stages> const& at) const {
    ptx::mbarrier_wait(ptx::shared_address(&shared_.full[at.stage]), at.parity);
    return ptx::shared_address(shared_.stages[at.stage]);
  }

  SharedMemory<V>& shared_;
  RingPosition<kShape.stages> at_;
  int last_ = 0;  // the last stage of multiply()
};

/// Launches `kernel`, which keeps a SharedMemory<V>, on `blocks` blocks.
template <class V, class... Parameters>
void launch_ring(void (*kernel)(Parameters...), int blocks, Stream stream, Parameters... parameters) {
  constexpr int kBytes = sizeof(SharedMemory<V>);
  static_assert(kBytes <= 227 * 1024, "a block has at most 227 KiB");
  launch_clusters(
      kernel, {.blocks = blocks, .cluster = V::kShape.cluster_blocks(), .threads = kThreads<V>, .shared_bytes = kBytes},
      stream, parameters...);
}

/// Launches a kernel that computes whole tiles. Each block stays and computes several if `kStays`, else one.
template <class V, bool kStays>
void launch_tiles(void (*kernel)(GemmArgs, TensorMaps const), GemmArgs const& args) {
  int const blocks = kStays ? count_staying_blocks<V>(args) : count_cluster_tiles<V>(args) * V::kShape.cluster();
  TensorMaps maps = make_tensor_maps<V>(args);
  maps.ahead = share_ahead<V>(args, blocks);
  launch_ring<V>(kernel, blocks, args.stream, args, maps);
}

/// Launches `Launch<Variant>::launch(args)` for the layout of B. Types that are not of 16 bits have one.
template <template <class> class Launch, class Row, class Shapes, int kPoint>
void launch_layout(GemmArgs const& args) {
  if constexpr (sizeof(typename Row::In) == 2) {
    if (args.b_layout == BLayout::row_major) {
      return Launch<Variant<Row, Shapes, kPoint, BLayout::row_major>>::launch(args);
    }
  }
  Launch<Variant<Row, Shapes, kPoint, BLayout::column_major>>::launch(args);
}

/// A kernel that Launch<Variant> launches.
template <template <class> class Launch, class Row, class Shapes, int kPoint = 0>
constexpr GemmKernel make_kernel(char const* summary) {
  return {.summary = summary,
          .types = Row::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse_layout<Row>,
          .launch = launch_layout<Launch, Row, Shapes, kPoint>};
}

}  // namespace perfcheck::wgmma
