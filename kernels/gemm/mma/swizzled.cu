// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Instead of padding, the chunks of 16 bytes of a row change places, by an exclusive or with the
//                   number of the row (swizzled_offset() in tile.cuh): the same chunk of eight consecutive rows lies in
//                   eight different groups of four banks, and no memory is lost.
// Previous step     padded: Swizzled instead of PaddedRows.
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 32.
// Shared memory     32 KiB; at most 255 registers; two blocks share a multiprocessor.
// Intensity         64 FLOP per byte of global and 32 per byte of shared memory.
// Expected          As fast as padded. Places take a few more instructions, most of them before the loop; what is saved
//                   pays when there are more stages.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 8.
// Limits            mma.sync waits for its fragments: a warp loads them right before, and only four warps per block can
//                   fill the gap.
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .tile_k = 32, .warp_m = 64, .warp_n = 64, .stages = 2, .blocks = 2};

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) swizzled(GemmArgs const args) {
  using OfTiles = Tiles<kLayout, kShape, Swizzled>;
  __shared__ __align__(128) unsigned char stages[kShape.stages][OfTiles::kBytes];

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  Sums<kShape> sums;
  RegisterTiles<T, OfTiles> next(args, row, column);
  next.read_next();
  int const k_tiles = tiles_to_cover(args.k, kShape.tile_k);
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
    // One barrier is enough: since the previous one, no warp reads this stage, which was filled two tiles ago.
    unsigned char* const tiles = stages[tile % kShape.stages];
    next.store(tiles);
    __syncthreads();
    next.read_next();  // zeros after the last tile
#pragma unroll
    for (int step = 0; step < kShape.k_steps(); ++step) {
      Fragments<kShape> fragments;
      load_fragments<OfTiles>(fragments, tiles, step);
      multiply<T, kShape>(sums, fragments);
    }
  }
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T, kShape>(args, row, column, stages, sums);
}

template <class T>
void launch(GemmArgs const& args) {
  launch_tiles<kShape>(
      args.b_layout == BLayout::row_major ? swizzled<T, BLayout::row_major> : swizzled<T, BLayout::column_major>, 0,
      args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "chunks of 16 bytes swizzled against bank conflicts",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(swizzled_f16, kKernel<__half>);
PERFCHECK_GEMM_KERNEL(swizzled_bf16, kKernel<__nv_bfloat16>);
