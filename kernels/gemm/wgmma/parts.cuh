// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles whose sums meet in shared memory. The blocks of a cluster multiply parts of k of the same tile. Each leaves its
// sums in its own shared memory, where the ring was; then each reads a share of the tile from all of them through
// distributed shared memory, adds up, and stores. Sums lie there as D does, row by row, so that neighbouring threads
// store neighbouring elements, whichever way the tile's sums are dealt to threads.
//
// A swapped tile is one of D transposed, B^T * A^T. An instruction's 64 rows are then columns of D, and its columns,
// which may be as few as 8, are rows of D. All but the place of a sum is as if A and B had changed names.
#pragma once

#include "ring.cuh"
#include "store.cuh"

#include <perfcheck/sum_quad.cuh>

#include <string>

namespace perfcheck::wgmma {

/// The problem as its tiles see it: transposed if they are swapped. C and D are not to be used then.
template <class V>
__host__ __device__ __forceinline__ GemmArgs as_tiles_see(GemmArgs const& args) {
  GemmArgs seen = args;
  if constexpr (V::kShape.swapped) {
    seen.m = args.n;
    seen.n = args.m;
    seen.a = args.b;
    seen.lda = args.ldb;
    seen.b = args.a;
    seen.ldb = args.lda;
  }
  return seen;
}

/// K-blocks `begin` to `end` - 1.
struct KRange {
  int begin = 0, end = 0;
};

/// Those of one part. A part that gets none takes one behind the end of the matrices, of zeros: all sums are defined
/// without a case for parts that have no products.
template <class V>
__device__ __forceinline__ KRange range_of(int part, int k_blocks) {
  constexpr int kParts = V::kShape.parts;
  KRange const range{.begin = k_blocks * part / kParts, .end = k_blocks * (part + 1) / kParts};
  return range.begin < range.end ? range : KRange{.begin = k_blocks, .end = k_blocks + 1};
}

/// Where the sums of a tile's parts meet.
template <class V>
class PartSums {
  using Sum = typename V::Sum;
  using Out = typename V::Out;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kParts = kShape.parts, kThreads = kShape.math_threads();
  static constexpr int kTileRows = kShape.swapped ? kShape.tile_n : kShape.tile_m;  // of D
  static constexpr int kTileColumns = kShape.swapped ? kShape.tile_m : kShape.tile_n;
  // Threads that store sums together have different banks if rows begin 8 banks apart; where a thread has two
  // neighbours in different rows (swapped), every second row.
  static constexpr int kStride = kTileColumns + (kShape.swapped ? 4 : 8);
  static constexpr int kQuads = kTileRows * kTileColumns / 4;
  // Each thread of all blocks has one of so many quads in every round. Reads of a batch of rounds are on their way at
  // the same time: one takes a fair part of a microsecond.
  static constexpr int kRounds = (kQuads - 1) / (kThreads * kParts) + 1;
  static constexpr int kMostBatch = 16 / kParts < 8 ? 16 / kParts : 8;
  static constexpr int kBatches = (kRounds - 1) / kMostBatch + 1;
  static constexpr int kBatch = (kRounds - 1) / kBatches + 1;
  static_assert(sizeof(Sum) == 4 && kTileColumns % (kShape.swapped ? 8 : 32) == 0 && kShape.share == Share::rows);
  static_assert(kTileRows * kStride * int{sizeof(Sum)} <= kShape.stages * V::kStageBytes,
                "sums fit where the ring was");

 public:
  /// For the calling math thread. `memory` is at the same place in all blocks of the cluster.
  __device__ __forceinline__ explicit PartSums(unsigned char* memory)
      : sums_(reinterpret_cast<Sum*>(memory)), here_(ClusterPlace<V>::here()), thread_(ptx::thread_index()) {}

  /// Leaves the thread's sums. All warps have read the ring.
  __device__ __forceinline__ void leave(GroupMath<V> const& math) const {
    Place const first = place_of<V>({}, thread_);
    int const lane = thread_ % kWarp;
#pragma unroll
    for (int i = 0; i < kShape.mmas_m(); ++i) {
#pragma unroll
      for (int j = 0; j < kShape.group_columns() / 2; j += 2) {
        int const row = first.row + i * kRows + lane / 4 + j / 2 % 2 * 8;
        int const column = first.column + j / 4 * 8 + lane % 4 * 2;
        if constexpr (kShape.swapped) {
          if (kShape.tile_m % kRows != 0 && row >= kShape.tile_m) continue;
          sums_[column * kStride + row] = math.sums[i][j];
          sums_[(column + 1) * kStride + row] = math.sums[i][j + 1];
        } else {
          *reinterpret_cast<Pair<Sum>*>(sums_ + row * kStride + column) = {math.sums[i][j], math.sums[i][j + 1]};
        }
      }
    }
  }

  /// Adds up this block's share of the sums of all parts and stores it. All parts have left theirs. `tile` is the tile
  /// as tiles see the problem.
  __device__ __forceinline__ void store(GemmArgs const& args, TileIndex tile) const {
    if constexpr (kShape.swapped) tile = {.row = tile.column, .column = tile.row};
    if (args.ldd % 4 == 0 && args.n % 4 == 0) [[likely]] {
      store_rounds<kBatch, true>(args, tile);
    } else {
      store_rounds<1, false>(args, tile);  // in few instructions, as it is rare: a launch fetches them from memory
    }
  }

 private:
  __device__ __forceinline__ int quad_of_round(int round) const {
    return (round * kParts + here_.part()) * kThreads + thread_;
  }
  static __device__ __forceinline__ bool exists(int quad) {
    return kQuads % (kThreads * kParts * kBatch) == 0 || quad < kQuads;
  }
  static __device__ __forceinline__ Place place_of_quad(int quad) {
    return {.row = quad / (kTileColumns / 4), .column = quad % (kTileColumns / 4) * 4};
  }

  __device__ __forceinline__ float4 read(int quad, int part) const {
    Place const place = place_of_quad(quad);
    Sum const* const from = sums_ + place.row * kStride + place.column;
    if constexpr (kParts == 1) {
      return *reinterpret_cast<float4 const*>(from);
    } else {
      return ptx::read_cluster_quad(ptx::shared_address(from), static_cast<uint32_t>(here_.rank_of(part)));
    }
  }

  /// With `kAligned`, quads of D are aligned to their size and none ends outside.
  template <int kTogether, bool kAligned>
  __device__ __forceinline__ void store_rounds(GemmArgs const& args, TileIndex tile) const {
#pragma unroll 1
    for (int round = 0; round < kRounds; round += kTogether) {
      Sum sums[kTogether][4] = {};
#pragma unroll
      for (int part = 0; part < kParts; ++part) {
        // Blocks begin with different parts, so that not all of them read from one at the same time.
        int const from = (here_.part() + part) % kParts;
#pragma unroll
        for (int i = 0; i < kTogether; ++i) {
          if (int const quad = quad_of_round(round + i); exists(quad)) add_quad(sums[i], read(quad, from));
        }
      }
#pragma unroll
      for (int i = 0; i < kTogether; ++i) {
        if (int const quad = quad_of_round(round + i); exists(quad)) store_quad<kAligned>(args, tile, quad, sums[i]);
      }
    }
  }

  template <bool kAligned>
  static __device__ __forceinline__ void store_quad(GemmArgs const& args, TileIndex tile, int quad, Sum const* sums) {
    Place const place = place_of_quad(quad);
    int const row = tile.row * kTileRows + place.row, column = tile.column * kTileColumns + place.column;
    if (row >= args.m || column >= args.n) return;
    if constexpr (kAligned) {
      store_elements<Out, 4>(args, row, column, sums);
    } else {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        if (column + e < args.n) store_elements<Out, 1>(args, row, column + e, sums + e);
      }
    }
  }

  Sum* sums_;
  ClusterPlace<V> here_;
  int thread_;
};

/// Waits for the sums of all parts of a tile. To be called by all threads of the cluster.
template <class V>
__device__ __forceinline__ void meet_parts() {
  __syncwarp();
  if constexpr (V::kShape.parts > 1) ptx::cluster_barrier();
}

/// Computes the block's part of a tile, and its share of the results. `memory` holds a SharedMemory<V>.
template <class V>
__device__ __forceinline__ void compute_part(GemmArgs const& args, TensorMaps const& maps, unsigned char* memory) {
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  fetch_ahead<V>(as_tiles_see<V>(args), maps.ahead);
  initialise(shared, maps);
  ClusterTiles<V> tiles(as_tiles_see<V>(args), maps.supertile);
  TileIndex tile;
  tiles.next(tile);
  KRange const range = range_of<V>(ClusterPlace<V>::here().part(), tiles.k_blocks());
  if (is_copy_thread<V>()) {
    if (is_the_copy_thread<V>()) {
      RingWriter<V> ring(shared, maps);
#pragma unroll 1
      for (int k = range.begin; k < range.end; ++k) ring.fetch_next(tile, k);
      ring.finish();
    }
    meet_parts<V>();
  } else {
    GroupMath<V> math(group_number());
    RingReader<V> ring(shared);
    ring.multiply(math, range.end - range.begin);
    ring.finish(math);
    ptx::named_barrier(kMathBarrier, V::kShape.math_threads());  // all have read the ring; it now takes sums
    PartSums<V> const sums(memory);
    sums.leave(math);
    if constexpr (V::kShape.parts == 1) ptx::named_barrier(kMathBarrier, V::kShape.math_threads());
    meet_parts<V>();
    sums.store(args, tile);
  }
  if constexpr (V::kShape.parts > 1) {
    __syncwarp();
    ptx::cluster_barrier_relaxed();  // no block may leave while another reads its sums
  }
}

/// Why a kernel for few rows, whose tiles are swapped, cannot multiply a problem's matrices, if so. A tile must hold
/// all rows, since each tile reads all of B: four tiles of 16 rows took twice the time of a kernel for any number of
/// rows.
template <class V>
Refusal refuse_many_rows(GemmProblem const& problem) {
  static_assert(V::kShape.swapped);
  if (problem.m > V::kShape.tile_n) {
    return "the point that is chosen for this problem takes at most " + std::to_string(V::kShape.tile_n) +
           " rows (docs/tuning.md): gemm/wgmma/split_k_* and others take any number";
  }
  return refuse_layout<typename V::Row>(problem);
}

/// A kernel of this kind, for the kernel files: `kernel` is a __global__ function that calls compute_part<V>().
template <class V>
void launch_parts(void (*kernel)(GemmArgs, TensorMaps const), GemmArgs const& args) {
  static_assert(V::kShape.cluster_blocks() <= 8, "clusters of more blocks are not portable");
  GemmArgs const seen = as_tiles_see<V>(args);
  int const blocks = count_cluster_tiles<V>(seen) * V::kShape.cluster_blocks();
  TensorMaps maps = make_tensor_maps<V>(seen);
  maps.ahead = share_ahead<V>(seen, blocks);
  launch_ring<V>(kernel, blocks, args.stream, args, maps);
}

}  // namespace perfcheck::wgmma
