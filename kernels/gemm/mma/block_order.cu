// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Blocks that run at the same time compute tiles that form a compact rectangle of D: groups of 8 rows
//                   of tiles, column after column. They share rows of A and columns of B, which L2 then holds.
// Previous step     cp_async with four stages: grouped_tile() (tile.cuh) instead of row after row.
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 32.
// Shared memory     4 stages of 16 KiB; at most 255 registers; two blocks share a multiprocessor.
// Intensity         64 FLOP per byte of global and 32 per byte of shared memory.
// Expected          264 blocks on 132 multiprocessors are 8 rows of 33 tiles, which read 41 strips of A and B. At 4096
//                   cubed, row after row is 8 rows of 32 tiles too, and nothing changes; at 8192 cubed it is 4 rows of
//                   64, which read 68 strips: less DRAM traffic, and more speed where that was the limit. Narrow D gain
//                   nothing.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 8.
// Limits            Traffic from L2: every block copies its own tiles.
#include "step_pipeline.cuh"
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .tile_k = 32, .warp_m = 64, .warp_n = 64, .stages = 4, .blocks = 2};

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) block_order(GemmArgs const args) {
  using OfTiles = Tiles<kLayout, kShape, Swizzled>;
  extern __shared__ __align__(128) unsigned char stages[];  // kShape.stages times the tiles of A and B

  TileIndex const tile =
      grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_m), tiles_to_cover(args.n, kShape.tile_n));
  int const row = tile.row * kShape.tile_m;
  int const column = tile.column * kShape.tile_n;
  Sums<kShape> sums;
  accumulate<T, OfTiles, true>(sums, stages, {args, row, column});
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T, kShape>(args, row, column, stages, sums);
}

template <class T>
void launch(GemmArgs const& args) {
  constexpr int kBytes = kShape.stages * Tiles<BLayout::row_major, kShape, Swizzled>::kBytes;  // the same for both
  launch_tiles<kShape>(
      args.b_layout == BLayout::row_major ? block_order<T, BLayout::row_major> : block_order<T, BLayout::column_major>,
      kBytes, args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "blocks ordered so that those that run together share L2",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(block_order_f16, kKernel<__half>);
PERFCHECK_GEMM_KERNEL(block_order_bf16, kKernel<__nv_bfloat16>);
