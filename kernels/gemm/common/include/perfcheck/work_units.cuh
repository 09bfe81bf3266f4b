// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How kernels whose blocks stay on their multiprocessors divide the tiles of D among them: whole tiles, or by stream-K
// (Osama et al., "Stream-K: Work-centric Parallel Decomposition for Dense Matrix-Matrix Multiplication on the GPU",
// 2023): the tiles that do not fill a whole round are dealt to all blocks in equal shares of k-blocks, so that one
// block may begin a tile and others continue it. Those leave their sums in the workspace; the block that begins a tile
// adds them, in the order of k, and stores the tile. Results do not depend on timing.
#pragma once

#include <perfcheck/cuda_check.h>
#include <perfcheck/device_attribute.h>
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/sum_quad.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace perfcheck {

/// A part of the work: k-blocks `k_begin` to `k_end` - 1 of one tile of D.
struct Unit {
  TileIndex tile;  ///< in tiles
  int k_begin = 0, k_end = 0;
  int others = 0;  ///< of stream-K, if the unit begins its tile: how many blocks continue it
};

/// Rows, columns and k of a tile.
struct TileSizes {
  int m = 0, n = 0, k = 0;
};

/// The units of a block that computes every gridDim.x-th tile.
struct EveryTile {
  int tiles_m, tiles_n, k_blocks;
  int tile;  // the next

  __device__ __forceinline__ EveryTile(GemmArgs const& args, TileSizes const& sizes)
      : tiles_m(tiles_to_cover(args.m, sizes.m)),
        tiles_n(tiles_to_cover(args.n, sizes.n)),
        k_blocks(tiles_to_cover(args.k, sizes.k)),
        tile(static_cast<int>(blockIdx.x)) {}

  __device__ __forceinline__ bool next(Unit& unit) {
    if (tile >= tiles_m * tiles_n) return false;
    unit = {.tile = grouped_tile(tile, tiles_m, tiles_n), .k_begin = 0, .k_end = k_blocks};
    tile += static_cast<int>(gridDim.x);
    return true;
  }
};

/// The unit of a block that computes one of `parts` parts of a tile, cut along k: none if k has fewer blocks than there
/// are parts.
struct OnePart {
  Unit unit;
  bool more;

  __device__ __forceinline__ OnePart(GemmArgs const& args, TileSizes const& sizes, int parts) {
    int const block = static_cast<int>(blockIdx.x), part = block % parts, k_blocks = tiles_to_cover(args.k, sizes.k);
    unit = {.tile = grouped_tile(block / parts, tiles_to_cover(args.m, sizes.m), tiles_to_cover(args.n, sizes.n)),
            .k_begin = k_blocks * part / parts,
            .k_end = k_blocks * (part + 1) / parts};
    more = unit.k_begin < unit.k_end;
  }

  __device__ __forceinline__ bool next(Unit& result) {
    bool const had_more = more;
    result = unit;
    more = false;
    return had_more;
  }
};

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
/// and at most two blocks meet in a tile. But if the last round has `many` tiles, these alone are shared: blocks are at
/// different k for a shorter time, and L2 has to keep less.
inline StreamPlan make_stream_plan(int m, int n, int k, TileSizes const& sizes, int blocks, int many = INT_MAX) {
  StreamPlan plan{.tiles_m = tiles_to_cover(m, sizes.m),
                  .tiles_n = tiles_to_cover(n, sizes.n),
                  .k_blocks = tiles_to_cover(k, sizes.k)};
  int64_t const tiles = int64_t{plan.tiles_m} * plan.tiles_n;
  plan.blocks = static_cast<int>(std::min<int64_t>(blocks, tiles * plan.k_blocks));
  bool const alone = tiles % plan.blocks == 0 || tiles % plan.blocks >= many;
  plan.rounds = static_cast<int>(alone ? tiles / plan.blocks : std::max<int64_t>(0, tiles / plan.blocks - 1));
  int const shared = static_cast<int>(tiles - int64_t{plan.rounds} * plan.blocks) * plan.k_blocks;
  plan.share = shared / plan.blocks;
  plan.longer = shared % plan.blocks;
  return plan;
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
  /// How many blocks behind this one have shares of that unit's tile.
  __device__ __forceinline__ int ranks_behind() const {
    int behind = 0;
    while (plan_.begin_of(rank_ + behind + 1) < tile_end()) ++behind;
    return behind;
  }

 private:
  __device__ __forceinline__ TileIndex at(int tile) const { return grouped_tile(tile, plan_.tiles_m, plan_.tiles_n); }

  StreamPlan const& plan_;
  int rank_;
  int left_;  // k-blocks of the share that are left
  int tile_;  // the next tile of the share, counted over the shared tiles
  int k_;     // the k-block of that tile at which this block continues
  int round_ = 0;
};

/// The workspace of stream-K: a flag per rank, set when its sums are there, then the sums.
constexpr int kStreamFlagBytes = 4096;
constexpr int kMostStreamBlocks = kStreamFlagBytes / int{sizeof(int)};

/// Of `blocks` blocks; a sum has four bytes.
inline std::size_t stream_workspace_bytes(TileSizes const& sizes, int blocks) {
  return kStreamFlagBytes + std::size_t{4} * sizes.m * sizes.n * std::min(blocks, kMostStreamBlocks);
}

/// Clears the flags, if the plan uses any.
inline void clear_stream_flags(StreamPlan const& plan, GemmArgs const& args) {
  if (plan.share + plan.longer > 0) {
    PERFCHECK_CUDA(cudaMemsetAsync(args.workspace, 0, kStreamFlagBytes, args.stream));
  }
}

/// Access to the workspace by `kThreads` threads, the first ones of a block unless told otherwise, which hold `kSums`
/// sums of four bytes each and meet at the named barrier `barrier`.
template <class Sum, int kSums, int kThreads>
class PartialSums {
  static_assert(sizeof(Sum) == 4 && kSums % 4 == 0);
  static constexpr int kQuads = kSums / 4;

 public:
  __device__ __forceinline__ PartialSums(GemmArgs const& args, int barrier, unsigned thread = threadIdx.x)
      : flags_(static_cast<int*>(args.workspace)),
        sums_(reinterpret_cast<float4*>(static_cast<unsigned char*>(args.workspace) + kStreamFlagBytes) + thread),
        barrier_(barrier),
        thread_(thread) {}

  __device__ __forceinline__ void leave(Sum const* sums, int rank) const {
    leave(sums, rank, 0, kQuads);
    publish(rank);
  }
  /// Leaves quads `begin` to `end` - 1, which others do not see before publish().
  __device__ __forceinline__ void leave(Sum const* sums, int rank, int begin, int end) const {
#pragma unroll
    for (int n = begin; n < end; ++n) __stcg(&sums_[at(rank, n)], quad_of(sums + n * 4));
  }
  __device__ __forceinline__ void publish(int rank) const {
    __threadfence();
    ptx::named_barrier(barrier_, kThreads);
    if (thread_ == 0) ptx::store_release(&flags_[rank], 1);
  }

  /// Waits until the sums of `rank` are there.
  __device__ __forceinline__ void wait(int rank) const {
    if (thread_ == 0) {
      while (ptx::load_acquire(&flags_[rank]) == 0) {
      }
    }
    ptx::named_barrier(barrier_, kThreads);
  }

  /// Adds quads `begin` to `end` - 1 of `rank`, which are there, to the thread's own.
  __device__ __forceinline__ void add(Sum* sums, int rank, int begin, int end) const {
#pragma unroll
    for (int n = begin; n < end; ++n) add_quad(sums + n * 4, __ldcg(&sums_[at(rank, n)]));
  }

  /// Waits for the sums of `rank` and adds all of them.
  __device__ __forceinline__ void add(Sum* sums, int rank) const {
    wait(rank);
    add(sums, rank, 0, kQuads);
  }

 private:
  /// Index of the thread's quad `n` of `rank`.
  static __device__ __forceinline__ int64_t at(int rank, int n) { return (int64_t{rank} * kQuads + n) * kThreads; }

  int* flags_;
  float4* sums_;  // this thread's first quad of rank 0
  int barrier_;
  unsigned thread_;
};

}  // namespace perfcheck
