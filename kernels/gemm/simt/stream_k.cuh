// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Stream-K (Osama et al., "Stream-K: Work-centric Parallel Decomposition for Dense Matrix-Matrix Multiplication on the
// GPU", 2023): the tiles that do not fill a whole round are dealt to all blocks in equal shares of k-blocks, so that
// one block may begin a tile and others continue it. Those leave their sums in the workspace; the block that begins a
// tile adds them, in the order of k, and stores the tile. Results do not depend on timing.
#pragma once

#include <algorithm>

#include "ring_copy.cuh"
#include "ring_math.cuh"

namespace perfcheck::ring {

/// How the work is dealt to `blocks` blocks. A block's rank counts from the last block to the first: blocks start in
/// the order of their index, and a block that waits for higher ranks waits for blocks that started before it.
struct StreamPlan {
  int tiles_m = 0, tiles_n = 0, k_blocks = 0;
  int blocks = 0;
  int rounds = 0;             ///< whole tiles per block
  int share = 0, longer = 0;  ///< k-blocks of the other tiles per block; the first `longer` ranks get one more

  /// First k-block of `rank`, counted over the tiles that are shared.
  __host__ __device__ constexpr int begin_of(int rank) const { return rank * share + (rank < longer ? rank : longer); }
};

/// Where the last round is incomplete, the whole round before it is shared as well: a share is then more than one tile,
/// and at most two blocks meet in a tile.
template <Shape kShape>
StreamPlan make_stream_plan(int m, int n, int k, int blocks) {
  StreamPlan plan{.tiles_m = tiles_to_cover(m, kShape.tile_rows()),
                  .tiles_n = tiles_to_cover(n, kShape.tile_columns()),
                  .k_blocks = tiles_to_cover(k, kTileK)};
  int64_t const tiles = int64_t{plan.tiles_m} * plan.tiles_n;
  plan.blocks = static_cast<int>(std::min<int64_t>(blocks, tiles * plan.k_blocks));
  plan.rounds =
      static_cast<int>(tiles % plan.blocks == 0 ? tiles / plan.blocks : std::max<int64_t>(0, tiles / plan.blocks - 1));
  int const shared = static_cast<int>(tiles - int64_t{plan.rounds} * plan.blocks) * plan.k_blocks;
  plan.share = shared / plan.blocks;
  plan.longer = shared % plan.blocks;
  return plan;
}

/// The workspace: a flag per rank, set when its sums are there, then the sums.
constexpr int kFlagBytes = 4096;
constexpr int kMostBlocks = kFlagBytes / sizeof(int);

template <Shape kShape>
std::size_t stream_workspace_bytes() {
  int const blocks = std::min(multiprocessors(), kMostBlocks);
  return kFlagBytes + sizeof(float) * kShape.tile_rows() * kShape.tile_columns() * blocks;
}

/// The units of a block: first its share, while other blocks compute the sums that it will wait for, then its whole
/// tiles.
class StreamUnits {
 public:
  __device__ __forceinline__ explicit StreamUnits(StreamPlan const& plan)
      : plan_(plan), rank_(plan.blocks - 1 - static_cast<int>(blockIdx.x)) {
    int const begin = plan.begin_of(rank_);
    left_ = plan.begin_of(rank_ + 1) - begin;
    tile_ = begin / plan.k_blocks;
    k_ = begin - tile_ * plan.k_blocks;
  }

  /// The next part of the block's share.
  __device__ __forceinline__ bool next_shared(Unit& unit) {
    if (left_ == 0) return false;
    int const k_end = min(plan_.k_blocks, k_ + left_);
    unit = {.tile = at(plan_.rounds * plan_.blocks + tile_), .k_begin = k_, .k_end = k_end};
    left_ -= k_end - k_;
    k_ = 0;
    ++tile_;
    return true;
  }

  /// The next whole tile.
  __device__ __forceinline__ bool next_whole(Unit& unit) {
    if (round_ == plan_.rounds) return false;
    unit = {.tile = at(round_ * plan_.blocks + static_cast<int>(blockIdx.x)), .k_begin = 0, .k_end = plan_.k_blocks};
    ++round_;
    return true;
  }

  __device__ __forceinline__ bool next(Unit& unit) { return next_shared(unit) || next_whole(unit); }

  __device__ __forceinline__ int rank() const { return rank_; }
  /// For the shared unit that next_shared() gave last: the k-block where its tile ends, counted over the shared tiles.
  __device__ __forceinline__ int tile_end() const { return tile_ * plan_.k_blocks; }

 private:
  __device__ __forceinline__ TileIndex at(int tile) const { return grouped_tile(tile, plan_.tiles_m, plan_.tiles_n); }

  StreamPlan const& plan_;
  int rank_;
  int left_;  // k-blocks of the share that are left
  int tile_;  // the next tile of the share, counted over the shared tiles
  int k_;     // the k-block of that tile at which this block continues
  int round_ = 0;
};

/// One block's access to the workspace. Used by all math threads.
template <Shape kShape>
class PartialSums {
 public:
  __device__ __forceinline__ explicit PartialSums(GemmArgs const& args)
      : flags_(static_cast<int*>(args.workspace)),
        sums_(reinterpret_cast<float4*>(static_cast<unsigned char*>(args.workspace) + kFlagBytes) + threadIdx.x) {}

  __device__ __forceinline__ void leave(Sums<kShape> const& sums, int rank) const {
    auto const* const quads = reinterpret_cast<float4 const*>(sums.of);
#pragma unroll
    for (int n = 0; n < Sums<kShape>::kQuads; ++n) __stcg(&sums_[at(rank, n)], quads[n]);
    __threadfence();
    ptx::named_barrier(kMathBarrier, kShape.math_threads());
    if (threadIdx.x == 0) ptx::store_release(&flags_[rank], 1);
  }

  __device__ __forceinline__ void add(Sums<kShape>& sums, int rank) const {
    if (threadIdx.x == 0) {
      while (ptx::load_acquire(&flags_[rank]) == 0) {
      }
    }
    ptx::named_barrier(kMathBarrier, kShape.math_threads());
    auto* const sum = &sums.of[0][0];
#pragma unroll
    for (int n = 0; n < Sums<kShape>::kQuads; ++n) {
      float4 const part = __ldcg(&sums_[at(rank, n)]);
      sum[n * kQuad + 0] += part.x;
      sum[n * kQuad + 1] += part.y;
      sum[n * kQuad + 2] += part.z;
      sum[n * kQuad + 3] += part.w;
    }
  }

 private:
  /// Index of the thread's quad `n` of `rank`.
  static __device__ __forceinline__ int64_t at(int rank, int n) {
    return (int64_t{rank} * Sums<kShape>::kQuads + n) * kShape.math_threads();
  }

  int* flags_;
  float4* sums_;  // this thread's first quad of rank 0
};

/// The body of a kernel whose blocks share tiles.
template <Shape kShape, BLayout kBLayout>
__device__ __forceinline__ void stream(GemmArgs const& args, StreamPlan const& plan, TensorMaps const& maps,
                                       SharedMemory<kShape>& shared) {
  initialise(shared);
  StreamUnits units(plan);
  if (threadIdx.x >= kShape.math_threads()) {
    become_copy_thread<kShape>();
    copy_tiles<kShape, kBLayout>(shared, maps, units);
    return;
  }
  become_math_thread<kShape>();
  MathThread<kShape, kBLayout> thread(shared);
  PartialSums<kShape> const partial(args);
  Unit unit;
  while (units.next_shared(unit)) {
    Sums<kShape> sums = thread.multiply(unit.k_end - unit.k_begin);
    if (unit.k_begin > 0) {
      partial.leave(sums, units.rank());
      continue;
    }
    if (unit.k_end < plan.k_blocks) {
      for (int rank = units.rank() + 1; plan.begin_of(rank) < units.tile_end(); ++rank) partial.add(sums, rank);
    }
    thread.store(args, unit.tile, sums);
  }
  while (units.next_whole(unit)) thread.store(args, unit.tile, thread.multiply(plan.k_blocks));
}

/// Launches such a kernel on all multiprocessors.
template <Shape kShape, BLayout kBLayout, class Kernel>
void launch_stream(Kernel kernel, GemmArgs const& args) {
  StreamPlan const plan = make_stream_plan<kShape>(args.m, args.n, args.k, std::min(multiprocessors(), kMostBlocks));
  if (plan.share + plan.longer > 0) PERFCHECK_CUDA(cudaMemsetAsync(args.workspace, 0, kFlagBytes, args.stream));
  launch_blocks<kShape>(kernel, plan.blocks, 1, args.stream, args, plan, make_tensor_maps<kShape, kBLayout>(args));
}

}  // namespace perfcheck::ring
