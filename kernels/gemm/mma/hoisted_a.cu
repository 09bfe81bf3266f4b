// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Fragments of A are read, and rounded, before the loop over the fragments of B, once for each step
//                   of k.
// Previous step     tf32_start: add_tiles() of tf32_tile.cuh. If the reads of tf32_start were not volatile, nvcc 13.0
//                   would do the same by itself: both files would have 48 reads per tile.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, k in steps of 16.
// Shared memory     2 stages of padded rows, 37 KiB (column-major B: 40); at most 128 registers, two blocks per
//                   multiprocessor.
// Intensity         Global: 32 FLOP per byte. Shared: for 8 k, a warp reads 2 fragments of A (512 bytes each) and 8 of
//                   B (256 bytes): 32 KiFLOP for 3 KiB, 10.7 FLOP per byte.
// Expected          A third of the bytes of shared memory: 10.7 * 33 TB/s = 356 TFLOP/s, beyond what mma.sync can do.
//                   For 8 k, a warp executes 24 reads and 48 instructions that round for 16 mma.sync, where there were
//                   80 and 160: half as many instructions in all, and twice the speed.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            Waits and prefetches stand behind branches, and every tile is followed by a barrier.
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

constexpr Shape kShape = kStepShape;

template <BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) hoisted_a(GemmArgs const args) {
  constexpr int kBytes = Tiles<kLayout, kShape>::kBytes;
  extern __shared__ __align__(128) unsigned char stages[];  // 2 times the tiles of A and B
  TileIndex const first = first_element<kShape>(args);
  WarpSums<kShape> sums;
  AsyncTiles<kLayout, kShape> copy(args, first.row, first.column);
  int const k_tiles = tiles_to_cover(args.k, kShape.tile_k);
  copy.copy_next(stages);
  ptx::cp_async_commit();
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
    if (tile + 1 < k_tiles) {
      copy.copy_next(stages + (tile + 1) % 2 * kBytes);
      ptx::cp_async_commit();
      ptx::cp_async_wait<1>();  // those just started may still be on their way
    } else {
      ptx::cp_async_wait<0>();
    }
    __syncthreads();  // the tiles have arrived for all threads
    add_tiles<kLayout, kShape>(sums, stages + tile % 2 * kBytes);
    __syncthreads();  // no warp reads them any more
  }
  sums.store(args, first, stages);
}

template <BLayout kLayout>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kShape>(hoisted_a<kLayout>, args);
}

void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major>(args) : launch_as<BLayout::column_major>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(hoisted_a_tf32, .summary = "fragments of A read once per step of k", .types = GemmTypes::tf32,
                      .arch = arch_at_least(8, 0), .accepts = refuse_unaligned, .launch = launch);
