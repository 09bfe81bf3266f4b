// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Small problems have few tiles, and a multiprocessor without a tile does nothing: 1024 x 1024 are 64
//                   tiles of 128 x 128, but 256 of 64 x 64 and 512 of 32 x 64. Several blocks share a multiprocessor,
//                   so that one multiplies while another waits.
// Previous step     block_order: the shapes. k tiles are twice as deep, because small tiles are quickly multiplied.
// Tile and threads  Block 64 x 64 of D, 4 warps as 2 x 2 of 32 x 32; or 32 x 64, 4 warps as 2 x 2 of 16 x 32. k in
//                   steps of 64.
// Shared memory     3 stages of 16 KiB and four blocks on a multiprocessor; or 4 of 12 KiB and four blocks. At most 128
//                   registers.
// Intensity         64 x 64: 32 FLOP per byte of global and 16 per byte of shared memory. 32 x 64: 21 and 11.
// Expected          Where m * n is at most about 1024 x 1024, all tiles run at once, and the time is that of one tile:
//                   a launch and k / 64 steps. Twice as fast as block_order there. On large problems shared memory
//                   allows 530 (32 x 64: 360) TFLOP/s, and L2 less; slower than block_order.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 8.
// Limits            The chain of k-steps of a tile: with large k and few tiles, only splitting k helps.
#include "step_pipeline.cuh"
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShapes[] = {
    {.tile_m = 64, .tile_n = 64, .tile_k = 64, .warp_m = 32, .warp_n = 32, .stages = 3, .blocks = 4},
    {.tile_m = 32, .tile_n = 64, .tile_k = 64, .warp_m = 16, .warp_n = 32, .stages = 4, .blocks = 4}};

template <class T, BLayout kLayout, int kIndex>
__global__ void __launch_bounds__(kShapes[kIndex].threads(), kShapes[kIndex].blocks) small_tiles(GemmArgs const args) {
  constexpr Shape kShape = kShapes[kIndex];
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

template <class T, int kIndex>
void launch(GemmArgs const& args) {
  constexpr Shape kShape = kShapes[kIndex];
  constexpr int kBytes = kShape.stages * Tiles<BLayout::row_major, kShape, Swizzled>::kBytes;  // the same for both
  launch_tiles<kShape>(args.b_layout == BLayout::row_major ? small_tiles<T, BLayout::row_major, kIndex>
                                                           : small_tiles<T, BLayout::column_major, kIndex>,
                       kBytes, args);
}

template <class T, int kIndex>
constexpr GemmKernel kKernel{.summary = "small tiles, several blocks per multiprocessor",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T, kIndex>};

}  // namespace

PERFCHECK_GEMM_KERNEL(small_tiles_64x64_f16, kKernel<__half, 0>);
PERFCHECK_GEMM_KERNEL(small_tiles_32x64_f16, kKernel<__half, 1>);
PERFCHECK_GEMM_KERNEL(small_tiles_64x64_bf16, kKernel<__nv_bfloat16, 0>);
PERFCHECK_GEMM_KERNEL(small_tiles_32x64_bf16, kKernel<__nv_bfloat16, 1>);
