// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              A block as large as registers allow, 128 x 256, so that fewer bytes are copied per product. Two
//                   blocks of 128 x 128 on a multiprocessor copy a third more for as many sums.
// Previous step     block_order: the shape; eight warps in a block, and one block on a multiprocessor. Unaligned rows
//                   are taken as well, through a second instance of the kernel.
// Tile and threads  Block 128 x 256 of D, 8 warps as 2 x 4 of 64 x 64, k in steps of 32.
// Shared memory     4 stages of 24 KiB; at most 255 registers; one block on a multiprocessor.
// Intensity         85 FLOP per byte of global and 32 per byte of shared memory; with 128 x 128, global was 64.
// Expected          A quarter less traffic from L2: 0 to 5 % faster than block_order where tiles are many. Slower where
//                   half as many tiles leave multiprocessors idle.
// Requires          Compute capability 8.0. Copies of 16 bytes need lda and ldb to be multiples of 8; otherwise
//                   elements are copied one by one without overlap, through the same ring.
// Limits            One block per tile of D and no split along k, so small m * n leaves multiprocessors idle.
#include "step_pipeline.cuh"
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 256, .tile_k = 32, .warp_m = 64, .warp_n = 64, .stages = 4, .blocks = 1};

template <class T, BLayout kLayout, bool kAligned>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) wide_tile(GemmArgs const args) {
  using OfTiles = Tiles<kLayout, kShape, Swizzled>;
  extern __shared__ __align__(128) unsigned char stages[];  // kShape.stages times the tiles of A and B
  auto const tile =
      grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_m), tiles_to_cover(args.n, kShape.tile_n));
  int const row = tile.row * kShape.tile_m;
  int const column = tile.column * kShape.tile_n;
  Sums<kShape> sums;
  accumulate<T, OfTiles, kAligned>(sums, stages, {args, row, column});
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T, kShape>(args, row, column, stages, sums);
}

template <class T, BLayout kLayout>
void launch_layout(GemmArgs const& args) {
  bool const aligned = args.lda % kChunk == 0 && args.ldb % kChunk == 0;
  launch_tiles<kShape>(aligned ? wide_tile<T, kLayout, true> : wide_tile<T, kLayout, false>,
                       kShape.stages * Tiles<kLayout, kShape, Swizzled>::kBytes, args);
}

template <class T>
void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_layout<T, BLayout::row_major>(args)
                                      : launch_layout<T, BLayout::column_major>(args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "cp.async pipeline of wide tiles, 128 x 256",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(wide_tile_f16, kKernel<__half>);
PERFCHECK_GEMM_KERNEL(wide_tile_bf16, kKernel<__nv_bfloat16>);
