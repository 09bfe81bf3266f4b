// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose groups of math warps share tiles: a block copies and multiplies one tile after the other.
#pragma once

#include "halves.cuh"

namespace perfcheck::wgmma {

/// Computes the block's tiles, after initialise().
template <class V>
__device__ __forceinline__ void compute_tiles(GemmArgs const& args, TensorMaps const& maps, SharedMemory<V>& shared) {
  ClusterTiles<V> tiles(args);
  if (is_copy_thread<V>()) {
    copy_tiles(shared, maps, tiles);
  } else {
    become_math_thread<V>();
    GroupMath<V> math(group_number());
    RingReader<V> ring(shared);
    TileIndex tile;
    if constexpr (V::kShape.strips == 0) {
      while (tiles.next(tile)) {
        ring.multiply(math, tiles.k_blocks());
        tiles.look_ahead();
        ring.finish(math);
        store_directly(args, math, tile);
      }
    } else {
      StripStore<V> const results(args, shared.strips, maps.d, maps.stores_d);
      if constexpr (V::kShape.halves > 0) {
        if (tiles.k_blocks() > 2 * V::kShape.halves) {
          HalvesReader<V, StripStore<V>>(ring, math, results).multiply(tiles);
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
  initialise(shared, maps);
  compute_tiles<V>(args, maps, shared);
}

/// A kernel of this kind, for the kernel files: `kernel` is a __global__ function that calls compute_tiles<V>(). Each
/// block stays and computes several tiles if `kStays`, else one.
template <class V, bool kStays>
void launch_tiles(void (*kernel)(GemmArgs, TensorMaps const), GemmArgs const& args) {
  int const blocks = kStays ? count_staying_blocks<V>(args) : count_cluster_tiles<V>(args) * V::kShape.cluster();
  launch_ring<V>(kernel, blocks, args.stream, args, make_tensor_maps<V>(args));
}

}  // namespace perfcheck::wgmma
