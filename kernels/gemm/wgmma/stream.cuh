// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Stream-K (work_units.cuh) for clusters of blocks: they, not blocks, share the k-blocks of the tiles that are left
// after whole rounds. Blocks of a cluster have the same part of k, each of its own tile, and each group of math warps
// passes its sums to the group that has the same place in another cluster.
#pragma once

#include "halves.cuh"

#include <perfcheck/work_units.cuh>

#include <algorithm>

namespace perfcheck::wgmma {

/// A plan for clusters, which are its blocks.
template <class V>
struct ClusterPlan : StreamPlan {
  /// K-blocks of the shortest part: with halves, more than are multiplied half by half.
  static constexpr int kLeast = 2 * V::kShape.halves + 1;

  /// As in StreamPlan, but a cut that would leave a shorter part is moved to the nearest end of its tile.
  __host__ __device__ constexpr int begin_of(int rank) const {
    int const begin = StreamPlan::begin_of(rank), k = begin % k_blocks;
    if (k < kLeast) return begin - k;
    return k > k_blocks - kLeast ? begin - k + k_blocks : begin;
  }
  /// How many ranks behind `rank` have parts of the tile that its share ends in.
  __device__ __forceinline__ int ranks_behind(int rank) const {
    int const tile_end = tiles_to_cover(begin_of(rank + 1), k_blocks) * k_blocks;
    int behind = 0;
    while (begin_of(rank + behind + 1) < tile_end) ++behind;
    return behind;
  }

  /// Those of the calling block.
  static __device__ __forceinline__ int cluster() { return static_cast<int>(blockIdx.x) / V::kShape.cluster_blocks(); }
  __device__ __forceinline__ int rank() const { return blocks - 1 - cluster(); }
};

/// For `clusters` that run at the same time. Behind whole rounds, the tiles of a last round that is at least half full
/// are cut in up to three parts; those of an emptier one, together with a whole round, in two.
template <class V>
ClusterPlan<V> make_cluster_plan(GemmArgs const& args, int clusters) {
  int const k_blocks = tiles_to_cover(args.k, V::kK);
  // Not more clusters than there are parts.
  int64_t const parts = int64_t{count_cluster_tiles<V>(args)} * std::max(1, k_blocks / ClusterPlan<V>::kLeast);
  int const most = static_cast<int>(std::min<int64_t>(clusters, parts));
  return {make_stream_plan(args.m, args.n, args.k, cluster_tile<V>(), most, (most + 1) / 2)};
}

/// The units of a block, in the order of StreamUnits, but with little to remember: math threads have few registers
/// left. What is cut is multiplied from its first k; only the tiles of whole rounds turn back, in all clusters at once.
template <class V>
class StreamTiles {
 public:
  using Item = Unit;

  __device__ __forceinline__ StreamTiles(ClusterPlan<V> const& plan, Divisor const& supertile)
      : plan_(plan), supertile_(supertile), at_(plan.begin_of(plan.rank())) {
    if (at_ == share_end()) at_ = -1;
  }

  __device__ __forceinline__ bool next(Unit& unit) {
    if (at_ >= 0) {
      int const tile = at_ / plan_.k_blocks, begin = at_ - tile * plan_.k_blocks, end = share_end();
      unit.tile = place_of_tile(plan_.rounds * plan_.blocks + tile);
      unit.k_begin = begin;
      unit.k_end = min(plan_.k_blocks, begin + end - at_);
      at_ += unit.k_end - begin;
      if (at_ == end) at_ = -1;
      return true;
    }
    int const round = -1 - at_;
    if (round == plan_.rounds) return false;
    unit.tile = place_of_tile(round * plan_.blocks + plan_.cluster());
    unit.k_begin = 0;
    unit.k_end = plan_.k_blocks;
    --at_;
    return true;
  }

  static __device__ __forceinline__ void look_ahead() {}
  __device__ __forceinline__ int k_blocks() const { return plan_.k_blocks; }
  static __device__ __forceinline__ TileIndex place(Unit const& unit) { return unit.tile; }
  static __device__ __forceinline__ int first_k(Unit const& unit) { return unit.k_begin; }
  static __device__ __forceinline__ int k_blocks(Unit const& unit) { return unit.k_end - unit.k_begin; }
  __device__ __forceinline__ bool turns() const { return at_ < -1; }

 private:
  __device__ __forceinline__ int share_end() const { return plan_.begin_of(plan_.rank() + 1); }
  __device__ __forceinline__ TileIndex place_of_tile(int number) const {
    return ClusterPlace<V>::here().tile_of(tile_in_order<V>(number, plan_.tiles_m, plan_.tiles_n, supertile_));
  }

  ClusterPlan<V> const& plan_;
  Divisor supertile_;
  int at_;  // the next k-block of the share, counted over all shared tiles; behind the share, -1 minus the next round
};

/// Stores the sums of units: those of a tile's first part in D, after the sums of the other parts were added in the
/// order of k; those of the other parts in the workspace.
template <class V>
class StreamStore {
  using Sum = typename V::Sum;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kM = kShape.mmas_m(), kRowQuads = kShape.group_columns() / 8;
  static constexpr int kPlaces = kShape.cluster_blocks() * kShape.groups;  // of a cluster
  using Partial = PartialSums<Sum, kM * kRowQuads * 4, kGroupThreads>;
  static_assert(kShape.share == Share::rows);

 public:
  /// For the calling math thread.
  __device__ __forceinline__ StreamStore(GemmArgs const& args, ClusterPlan<V> const& plan, StripStore<V> const& results)
      : args_(args), plan_(plan), results_(results) {}

  __device__ __forceinline__ void store(GroupMath<V>& math, Unit const& unit) const {
    if (combine<0, kM>(math, unit)) results_.store(math, unit.tile);
  }
  /// Stores half of the instructions' rows, first 0, then 1.
  template <int kHalf>
  __device__ __forceinline__ void store_half(GroupMath<V>& math, Unit const& unit) const {
    if (combine<kHalf * kM / 2, (kHalf + 1) * kM / 2>(math, unit)) {
      results_.template store_half<kHalf>(math, unit.tile);
    }
  }

  __device__ __forceinline__ void finish() const { results_.finish(); }

 private:
  /// Leaves the sums of instructions' rows `kBegin` to `kEnd` - 1, or adds those that others have left. Returns whether
  /// they belong to D now.
  template <int kBegin, int kEnd>
  __device__ __forceinline__ bool combine(GroupMath<V>& math, Unit const& unit) const {
    if (unit.k_begin == 0 && unit.k_end == plan_.k_blocks) [[likely]]
      return true;
    constexpr int kFirst = kBegin * kRowQuads, kLast = kEnd * kRowQuads;
    Sum* const sums = &math.sums[0][0];
    Partial const partial(args_, kMathBarrier + group_number(), threadIdx.x % kGroupThreads);
    int place = place_of_rank(plan_.rank());
    if (unit.k_begin > 0) {
      partial.leave(sums, place, kFirst, kLast);
      if constexpr (kEnd == kM) partial.publish(place);
      return false;
    }
    int const last = place + plan_.ranks_behind(plan_.rank()) * kPlaces;
#pragma unroll 1
    do {
      place += kPlaces;
      if constexpr (kBegin == 0) partial.wait(place);
      partial.add(sums, place, kFirst, kLast);
    } while (place != last);
    return true;
  }

  /// Where in the workspace the calling group's sums are, or those of the group with its place in another cluster.
  static __device__ __forceinline__ int place_of_rank(int rank) {
    int const block = static_cast<int>(blockIdx.x) % kShape.cluster_blocks();
    return rank * kPlaces + block * kShape.groups + group_number();
  }

  GemmArgs const& args_;
  ClusterPlan<V> const& plan_;
  StripStore<V> const& results_;
};

/// Computes the block's units. `memory` holds a SharedMemory<V>.
template <class V>
__device__ __forceinline__ void compute_stream(GemmArgs const& args, ClusterPlan<V> const& plan, TensorMaps const& maps,
                                               unsigned char* memory) {
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  initialise(shared, maps);
  StreamTiles<V> tiles(plan, maps.supertile);
  if (is_copy_thread<V>()) {
    copy_tiles(shared, maps, tiles);
    return;
  }
  become_math_thread<V>();
  GroupMath<V> math(group_number());
  RingReader<V> ring(shared);
  StripStore<V> const strips(args, shared.strips, maps.d, maps.stores_d);
  StreamStore<V> const results(args, plan, strips);
  if constexpr (V::kShape.halves > 0) {
    if (tiles.k_blocks() > 2 * V::kShape.halves) {
      HalvesReader<V, StreamStore<V>>(ring, math, results).multiply(tiles);
      results.finish();
      return;
    }
  }
  Unit unit;
  while (tiles.next(unit)) {
    ring.multiply(math, tiles.k_blocks(unit));
    ring.finish(math);
    results.store(math, unit);
  }
  results.finish();
}

/// Clusters of a launch: as many as run at the same time.
template <class V>
int count_stream_clusters() {
  return std::clamp(multiprocessors() / V::kShape.cluster(), 1,
                    kMostStreamBlocks / (V::kShape.cluster() * V::kShape.groups));
}

template <class V>
std::size_t stream_workspace_bytes() {
  // A group's sums have a flag.
  TileSizes const of_group{.m = V::kShape.group_rows(), .n = V::kShape.group_columns(), .k = V::kK};
  return perfcheck::stream_workspace_bytes(of_group,
                                           count_stream_clusters<V>() * V::kShape.cluster() * V::kShape.groups);
}

/// A kernel of this kind, for the kernel files: `kernel` is a __global__ function that calls compute_stream<V>().
template <class V>
void launch_stream(void (*kernel)(GemmArgs, ClusterPlan<V>, TensorMaps const), GemmArgs const& args) {
  ClusterPlan<V> const plan = make_cluster_plan<V>(args, count_stream_clusters<V>());
  clear_stream_flags(plan, args);
  launch_ring<V>(kernel, plan.blocks * V::kShape.cluster(), args.stream, args, plan, make_tensor_maps<V>(args));
}

}  // namespace perfcheck::wgmma
