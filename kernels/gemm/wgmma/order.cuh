// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tiles a block computes, and in which order.
#pragma once

#include "copy.cuh"
#include "hilbert.cuh"

#include <perfcheck/device_attribute.h>
#include <perfcheck/work_units.cuh>

#include <algorithm>

namespace perfcheck::wgmma {

/// What grouped_tile() gives for groups of V::kShape.rows_together rows of tiles, without its divisions but in the last
/// group, which may have fewer rows. `supertile` is tiles_of_supertile<V>().
template <class V>
__device__ __forceinline__ TileIndex supertile_order(int number, int tiles_m, int tiles_n, Divisor const& supertile) {
  constexpr int kRows = V::kShape.rows_together;
  int const before = supertile.quotient(number), within = number - before * kRows * tiles_n, first = before * kRows;
  int const rows = min(kRows, tiles_m - first);
  if (rows == kRows) [[likely]]
    return {.row = first + within % kRows, .column = within / kRows};
  return {.row = first + within % rows, .column = within / rows};
}

/// Where the tile with this number lies: in supertiles of `rows_together` rows (grouped_tile()), or on Hilbert's curve.
template <class V>
__device__ __forceinline__ TileIndex tile_in_order(int number, int tiles_m, int tiles_n, Divisor const& supertile) {
  if constexpr (V::kShape.hilbert) {
    return hilbert_tile(number, tiles_m, tiles_n);
  } else {
    return supertile_order<V>(number, tiles_m, tiles_n, supertile);
  }
}

/// The tiles of a block: its cluster computes every tile whose number is the cluster's plus a multiple of the number of
/// clusters. `supertile` is tiles_of_supertile<V>().
template <class V>
class ClusterTiles {
  static constexpr Shape kShape = V::kShape;

 public:
  using Item = TileIndex;  ///< what next() gives
  __device__ __forceinline__ ClusterTiles(GemmArgs const& args, Divisor const& supertile)
      : ClusterTiles(args, supertile, tiles_to_cover(args.k, V::kK)) {}
  /// With `k_blocks` for each tile, more than there are, perhaps: those behind the last one are zeros.
  __device__ __forceinline__ ClusterTiles(GemmArgs const& args, Divisor const& supertile, int k_blocks)
      : supertile_(supertile),
        tiles_m_(tiles_to_cover(args.m, cluster_tile<V>().m)),
        tiles_n_(tiles_to_cover(args.n, cluster_tile<V>().n)),
        k_blocks_(k_blocks),
        next_(static_cast<int>(blockIdx.x) / kShape.cluster_blocks()) {
    look_ahead();
  }

  /// The next tile; false if there is none.
  __device__ __forceinline__ bool next(TileIndex& tile) {
    if (next_ >= tiles_m_ * tiles_n_) return false;
    ClusterPlace<V> const here = ClusterPlace<V>::here();
    tile = here.tile_of(kShape.hilbert ? ahead_ : tile_in_order<V>(next_, tiles_m_, tiles_n_, supertile_));
    next_ += static_cast<int>(gridDim.x) / kShape.cluster_blocks();
    return true;
  }

  /// To be called once after each next(), when tensor cores have something to do: finds the place of the next tile, if
  /// that takes long. (Only copy_tiles(), compute_tiles() and HalvesReader do so yet.)
  __device__ __forceinline__ void look_ahead() {
    if constexpr (kShape.hilbert) ahead_ = tile_in_order<V>(next_, tiles_m_, tiles_n_, supertile_);
  }

  __device__ __forceinline__ int k_blocks() const { return k_blocks_; }

  // What a tile of next() is, as StreamTiles (stream.cuh) has it for parts of tiles as well.

  static __device__ __forceinline__ TileIndex place(TileIndex tile) { return tile; }
  static __device__ __forceinline__ int first_k(TileIndex /*tile*/) { return 0; }
  __device__ __forceinline__ int k_blocks(TileIndex /*tile*/) const { return k_blocks_; }
  /// Whether the direction along k changes after the last tile, if the shape wants that.
  static __device__ __forceinline__ bool turns() { return true; }

 private:
  Divisor supertile_;
  int tiles_m_, tiles_n_, k_blocks_;
  int next_;
  TileIndex ahead_;  // the place of `next_` among clusters' tiles, on Hilbert's curve
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
