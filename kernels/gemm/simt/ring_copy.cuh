// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The warp of a block that fills the ring.
#pragma once

#include "ring_shape.cuh"

namespace perfcheck::ring {

/// Asks the copy engine for a k-block of A and B. Its bytes count towards the stage's barrier; zeros come for what lies
/// outside the matrices, and count as well.
template <Shape kShape, BLayout kBLayout>
__device__ __forceinline__ void fetch(SharedMemory<kShape>& shared, int stage, TensorMaps const& maps, TileIndex tile,
                                      int k_block) {
  uint32_t const barrier = ptx::shared_address(&shared.full[stage]);
  auto& to = shared.stages[stage];
  int const k = k_block * kTileK;
  int const column = tile.column * kShape.tile_columns();
  ptx::mbarrier_arrive_expect_tx(barrier, sizeof(to));
  ptx::tma_load(ptx::shared_address(to.a), maps.a, {k, tile.row * kShape.tile_rows()}, barrier);
  constexpr int kLines = kBoxLinesB<kShape, kBLayout>;
#pragma unroll
  for (int line = 0; line < kShape.tile_columns(); line += kLines) {
    bool const row_major = kBLayout == BLayout::row_major;
    ptx::tma_load(ptx::shared_address(to.b[line]), maps.b,
                  {row_major ? column + line : k, row_major ? k : column + line}, barrier);
  }
}

/// What the copy threads do. `units` yields the block's units: bool next(Unit&), the same for all threads. The first
/// warp waits for empty stages at a named barrier: it sleeps there, where a loop around an mbarrier would take turns
/// from the math warps.
template <Shape kShape, BLayout kBLayout, class Units>
__device__ __forceinline__ void copy_tiles(SharedMemory<kShape>& shared, TensorMaps const& maps, Units units) {
  if (threadIdx.x >= kShape.math_threads() + kWarp) return;
  auto const wait_until_empty = [](int stage) {
    ptx::named_barrier(kFirstEmptyBarrier + stage, kEmptyThreads<kShape>);
  };
  int filled = 0;
  int stage = 0;
  Unit unit;
  while (units.next(unit)) {
#pragma unroll 1
    for (int k = unit.k_begin; k < unit.k_end; ++k) {
      if (filled == kShape.stages) {
        wait_until_empty(stage);
      } else {
        ++filled;
      }
      if (threadIdx.x % kWarp == 0) fetch<kShape, kBLayout>(shared, stage, maps, unit.tile, k);
      __syncwarp();
      stage = stage + 1 == kShape.stages ? 0 : stage + 1;
    }
  }
  // The barriers of the last stages: math warps arrive there, too.
  for (stage = filled < kShape.stages ? 0 : stage; filled > 0; --filled) {
    wait_until_empty(stage);
    stage = stage + 1 == kShape.stages ? 0 : stage + 1;
  }
}

}  // namespace perfcheck::ring
