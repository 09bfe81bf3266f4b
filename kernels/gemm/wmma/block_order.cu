// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Blocks take tiles of D in groups of eight rows of tiles, down the columns first (grouped_tile).
//                   Some 250 blocks run at a time: before, they read 8 rows of tiles of A and all columns of B at 4096
//                   cubed; now 8 rows and 32 columns at any size, which stay in L2.
// Previous step     cp_async_pipeline: which tile a block computes.
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 32.
// Shared memory     4 stages, 74 to 80 KiB; at most 255 registers; two blocks share a multiprocessor.
// Intensity         As in cp_async_pipeline: 64 FLOP per byte of global and 32 per byte of shared memory.
// Expected          Nothing at 4096 cubed, where one row of tiles has 32 columns as well; at 8192 and 16384 cubed less
//                   traffic to DRAM, a few percent.
// Requires          Compute capability 8.0 for cp.async. lda and ldb must be multiples of 8.
// Limits            nvcc loads BF16 fragments 4 bytes at a time.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "async_copy.cuh"
#include "fragments.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wmma;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .warp_m = 64, .warp_n = 64, .line_bytes = 64, .stages = 4, .blocks = 2};

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) block_order(GemmArgs const args) {
  using Element = typename T::Element;
  using OfTiles = Tiles<T, kLayout, kShape>;
  extern __shared__ __align__(128) unsigned char memory[];  // kShape.stages times the tiles of A and B
  auto* const stages = reinterpret_cast<Element*>(memory);

  TileIndex const tile =
      grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_m), tiles_to_cover(args.n, kShape.tile_n));
  int const row = tile.row * kShape.tile_m;
  int const column = tile.column * kShape.tile_n;
  WarpSums<T, kShape> sums;
  AsyncTiles<T, kLayout, kShape> copy(args, row, column);
  int const k_tiles = tiles_to_cover(args.k, OfTiles::kTileK);
#pragma unroll 1
  for (int i = 0; i < kShape.stages - 1; ++i) {
    if (i < k_tiles) copy.copy_next(stages + i * OfTiles::kElements);
    ptx::cp_async_commit();
  }
#pragma unroll 1
  for (int i = 0; i < k_tiles; ++i) {
    // A group of copies is committed for every tile, an empty one past the end, so that all but the youngest
    // kShape.stages - 2 groups always mean: tile i has arrived.
    ptx::cp_async_wait<kShape.stages - 2>();
    __syncthreads();  // for all threads; and no warp reads tile i - 1 any more, whose place is filled next
    int const ahead = i + kShape.stages - 1;
    if (ahead < k_tiles) copy.copy_next(stages + ahead % kShape.stages * OfTiles::kElements);
    ptx::cp_async_commit();
    sums.template add_tiles<kLayout>(stages + i % kShape.stages * OfTiles::kElements);
  }
  __syncthreads();  // the stages become space for sums
  sums.store(args, row, column, memory);
}

template <class T, BLayout kLayout>
void launch_as(GemmArgs const& args) {
  auto const kernel = block_order<T, kLayout>;
  constexpr int kBytes = kSharedBytes<T, kLayout, kShape>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  kernel<<<blocks, kShape.threads(), kBytes, args.stream>>>(args);
}

template <class T>
void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<T, BLayout::row_major>(args)
                                      : launch_as<T, BLayout::column_major>(args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "blocks ordered so that those that run together share L2",
                             .types = T::kTypes,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(block_order_f16, kKernel<F16>);
PERFCHECK_GEMM_KERNEL(block_order_bf16, kKernel<Bf16>);
