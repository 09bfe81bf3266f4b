// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop over k from cp_async.cu on: a ring of stages that cp.async fills, and fragments in two sets of registers.
#pragma once

#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>
#include <perfcheck/tile_copy.cuh>

#include "step_tiles.cuh"

namespace perfcheck::mma_steps {

/// Tiles that cp.async copies past the registers. Without `kAligned`, elements are copied one by one.
template <class T, class OfTiles, bool kAligned = true>
class AsyncTiles {
  template <int kRows, int kColumns, class Place>
  using Copy = TileCopy<T, kRows, kColumns, OfTiles::kThreads, kAligned, Place>;
  OperandCopies<T, OfTiles::kRowMajor, OfTiles::kColumnsA,
                Copy<OfTiles::kRowsA, OfTiles::kColumnsA, typename OfTiles::PlaceA>,
                Copy<OfTiles::kRowsB, OfTiles::kColumnsB, typename OfTiles::PlaceB>>
      of_;

 public:
  __device__ __forceinline__ AsyncTiles(GemmArgs const& args, int row, int column) : of_(args, row, column) {}

  /// Elements of k from the next tile on.
  __device__ __forceinline__ int k_left() const { return of_.k; }

  /// Starts copying the next tiles to `tiles`.
  __device__ __forceinline__ void copy_next(unsigned char* tiles) {
    of_.a.copy_next(tiles, of_.rows, of_.k);
    of_.b.copy_next(tiles + OfTiles::kBytesA, of_.rows_of_b(), of_.columns_of_b());
    of_.k -= OfTiles::kColumnsA;
  }
};

/// Fills all stages but the last. Exactly one group of copies is committed per tile, here and later, an empty one past
/// the end, so that "all but the youngest kStages - 2 groups" always means "the next tile has arrived".
template <class T, class OfTiles, bool kAligned>
__device__ __forceinline__ void start_pipeline(AsyncTiles<T, OfTiles, kAligned>& source, unsigned char* stages,
                                               int k_tiles) {
  constexpr int kStages = OfTiles::kShape.stages;
#pragma unroll 1
  for (int stage = 0; stage < kStages - 1; ++stage) {
    if (stage < k_tiles) source.copy_next(stages + stage * OfTiles::kBytes);
    ptx::cp_async_commit();
  }
}

/// Runs the ring of stages over all of k.
template <class T, class OfTiles, bool kAligned>
__device__ __forceinline__ void accumulate(Sums<OfTiles::kShape>& sums, unsigned char* stages,
                                           AsyncTiles<T, OfTiles, kAligned> source) {
  constexpr Shape kShape = OfTiles::kShape;
  constexpr int kStages = kShape.stages, kSteps = kShape.k_steps();
  static_assert(kSteps % 2 == 0, "the two sets of fragments alternate across tiles");
  int const k_tiles = tiles_to_cover(source.k_left(), kShape.tile_k);
  start_pipeline(source, stages, k_tiles);
  ptx::cp_async_wait<kStages - 2>();
  __syncthreads();

  Fragments<kShape> fragments[2];
  load_fragments<OfTiles>(fragments[0], stages, 0);
  int read_stage = 0, write_stage = kStages - 1;
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if (step == kSteps - 1) {
        ptx::cp_async_wait<kStages - 2>();
        __syncthreads();
        write_stage = read_stage;
        read_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
      }
      // After the last tile this reads a stage with stale data, and the result is not used.
      load_fragments<OfTiles>(fragments[(step + 1) % 2], stages + read_stage * OfTiles::kBytes, (step + 1) % kSteps);
      if (step == 0) {  // every warp read `write_stage` for the last time before the latest barrier
        if (tile + kStages - 1 < k_tiles) source.copy_next(stages + write_stage * OfTiles::kBytes);
        ptx::cp_async_commit();
      }
      multiply<T, kShape>(sums, fragments[step % 2]);
    }
  }
}

}  // namespace perfcheck::mma_steps
