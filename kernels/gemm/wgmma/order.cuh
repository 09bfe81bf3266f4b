// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tiles a block computes, and in which order.
#pragma once

#include "copy.cuh"

#include <perfcheck/device_attribute.h>
#include <perfcheck/work_units.cuh>

#include <algorithm>

namespace perfcheck::wgmma {

/// grouped_tile() of the tile with this number, in supertiles of V::kShape.rows_together rows of tiles.
template <class V>
__device__ __forceinline__ TileIndex supertile_order(int number, int tiles_m, int tiles_n, Divisor const& supertile) {
  constexpr int kRows = V::kShape.rows_together;
  int const before = supertile.quotient(number), within = number - before * kRows * tiles_n, first = before * kRows;
  int const rows = min(kRows, tiles_m - first);
  if (rows == kRows) [[likely]] return {.row = first + within % kRows, .column = within / kRows};
  return {.row = first + within % rows, .column = within / rows};
}

/// The tiles of a block: its cluster computes every tile whose number is the cluster's plus a multiple of the number of
/// clusters, in supertiles of `rows_together` rows (grouped_tile()). `supertile` is tiles_of_supertile<V>().
template <class V>
class ClusterTiles {
  static constexpr Shape kShape = V::kShape;

 public:
  __device__ __forceinline__ ClusterTiles(GemmArgs const& args, Divisor const& supertile)
      : ClusterTiles(args, supertile, tiles_to_cover(args.k, V::kK)) {}
  /// With `k_blocks` for each tile, more than there are, perhaps: those behind the last one are zeros.
  __device__ __forceinline__ ClusterTiles(GemmArgs const& args, Divisor const& supertile, int k_blocks)
      : supertile_(supertile),
        tiles_m_(tiles_to_cover(args.m, cluster_tile<V>().m)),
        tiles_n_(tiles_to_cover(args.n, cluster_tile<V>().n)),
        k_blocks_(k_blocks),
        next_(static_cast<int>(blockIdx.x) / kShape.cluster_blocks()) {}

  /// The next tile; false if there is none.
  __device__ __forceinline__ bool next(TileIndex& tile) {
    if (next_ >= tiles_m_ * tiles_n_) return false;
    ClusterPlace<V> const here = ClusterPlace<V>::here();
    TileIndex const of_cluster = supertile_order<V>(next_, tiles_m_, tiles_n_, supertile_);
    tile = {.row = of_cluster.row * kShape.cluster_m + here.row,
            .column = of_cluster.column * kShape.cluster_n + here.column};
    next_ += static_cast<int>(gridDim.x) / kShape.cluster_blocks();
    return true;
  }

  __device__ __forceinline__ int k_blocks() const { return k_blocks_; }

 private:
  Divisor supertile_;
  int tiles_m_, tiles_n_, k_blocks_;
  int next_;
};

template <class V>
int count_cluster_tiles(GemmArgs const& args) {
  return tiles_to_cover(args.m, cluster_tile<V>().m) * tiles_to_cover(args.n, cluster_tile<V>().n);
}

/// Blocks of a launch in which each block stays on its multiprocessor: as few as finish in the same number of rounds,
/// since idle multiprocessors draw less power.
template <class V>
int count_staying_blocks(GemmArgs const& args) {
  int const tiles = count_cluster_tiles<V>(args);
  int const most = std::max(1, multiprocessors() / V::kShape.cluster());
  int const rounds = tiles_to_cover(tiles, most);
  return tiles_to_cover(tiles, rounds) * V::kShape.cluster();
}

}  // namespace perfcheck::wgmma
