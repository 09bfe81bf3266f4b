// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              The wait needs no branch: a group of copies is committed for every tile, an empty one past the end,
//                   so that "all but the youngest group" always means: the current tile has arrived.
// Previous step     hoisted_a: cp_async_commit() and cp_async_wait<1>() for every tile.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, k in steps of 16.
// Shared memory     2 stages of padded rows, 37 KiB (column-major B: 40); at most 128 registers, two blocks per
//                   multiprocessor.
// Intensity         As in hoisted_a: 32 FLOP per byte of global and 10.7 per byte of shared memory.
// Expected          Four instructions less in a loop of 310 (row-major B: none of 350), and one branch, which all
//                   threads take alike: at most 1 %.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            The prefetch is still behind a branch, and so is the copy of a tile that ends within the matrix.
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

constexpr Shape kShape = kStepShape;

template <BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) wait_without_branch(GemmArgs const args) {
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
    if (tile + 1 < k_tiles) copy.copy_next(stages + (tile + 1) % 2 * kBytes);
    ptx::cp_async_commit();
    ptx::cp_async_wait<1>();  // those just started may still be on their way
    __syncthreads();          // the tiles have arrived for all threads
    add_tiles<kLayout, kShape>(sums, stages + tile % 2 * kBytes);
    __syncthreads();  // no warp reads them any more
  }
  sums.store(args, first, stages);
}

template <BLayout kLayout>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kShape>(wait_without_branch<kLayout>, args);
}

void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major>(args) : launch_as<BLayout::column_major>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(wait_without_branch_tf32, .summary = "one wait for every tile, the last one included",
                      .types = GemmTypes::tf32, .arch = arch_at_least(8, 0), .accepts = refuse_unaligned,
                      .launch = launch);
