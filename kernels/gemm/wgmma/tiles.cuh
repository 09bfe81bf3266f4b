// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that keep sums in the tensor cores until a tile is done: a block copies and multiplies one tile after the
// other. Groups of math warps share tiles, or have tiles of their own and take turns.
#pragma once

#include "halves.cuh"
#include "quads.cuh"
#include "turns.cuh"

namespace perfcheck::wgmma {

/// What math threads do where groups have tiles of their own.
template <class V>
__device__ __forceinline__ void multiply_in_turns(GemmArgs const& args, TensorMaps const& maps, SharedMemory<V>& shared,
                                                  ClusterTiles<V> tiles) {
  int const group = group_number();
  GroupMath<V> math(group);
  RingReader<V> ring(shared);
  StripStore<V> const results(args, shared.strips, maps.d, maps.stores_d);
  take_turns(tiles, group, [&](TileIndex tile, Turns const& turns, bool mine) {
    if (!mine) return ring.skip(tiles.k_blocks());
    turns.wait();
    ring.multiply(math, tiles.k_blocks());
    turns.pass();
    ring.finish(math);
    results.store(math, tile);
  });
  results.finish();
}

/// Computes the block's tiles, after initialise().
template <class V>
__device__ __forceinline__ void compute_tiles(GemmArgs const& args, TensorMaps const& maps, SharedMemory<V>& shared) {
  ClusterTiles<V> tiles(args, maps.supertile);
  if (is_copy_thread<V>()) {
    copy_tiles(shared, maps, tiles);
  } else if constexpr (V::kShape.share == Share::turns) {
    become_math_thread<V>();
    multiply_in_turns(args, maps, shared, tiles);
  } else {
    // Groups share tiles.
    become_math_thread<V>();
    GroupMath<V> math(group_number());
    RingReader<V> ring(shared);
    TileIndex tile;
    if constexpr (V::kShape.strips == 0 && !V::kShape.quads) {
      while (tiles.next(tile)) {
        ring.multiply(math, tiles.k_blocks());
        tiles.look_ahead();
        ring.finish(math);
        store_directly(args, math, tile);
      }
    } else {
      auto const results = results_of<V>(args, shared.strips, maps.d, maps.stores_d);
      if constexpr (V::kShape.halves > 0) {
        if (tiles.k_blocks() > 2 * V::kShape.halves) {
          HalvesReader(ring, math, results).multiply(tiles);
          results.finish();
          return;
        }
      }
      while (tiles.next(tile)) {
        ring.multiply(math, tiles.k_blocks());
        tiles.look_ahead();
        ring.finish(math);
        results.store(math, tile);
      }
      results.finish();
    }
  }
}

/// Computes the block's tiles. `memory` holds a SharedMemory<V>.
template <class V>
__device__ __forceinline__ void compute_tiles(GemmArgs const& args, TensorMaps const& maps, unsigned char* memory) {
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  fetch_ahead<V>(args, maps.ahead);
  initialise(shared, maps);
  compute_tiles<V>(args, maps, shared);
}

}  // namespace perfcheck::wgmma
