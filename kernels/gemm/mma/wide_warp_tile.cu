// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              A warp as large as registers allow, because what a warp reads from shared memory grows with the
//                   sides of its tile, and what it multiplies with the area. 64 x 128 sums would take 256 registers of
//                   255; 96 x 64 take 192. One set of fragments has to be enough then: B's of a k-step first, and A's
//                   16 rows at a time, each for 8 mma.sync.
// Previous step     wide_tile: the shape, and accumulate_row_by_row() instead of accumulate(). k tiles are twice as
//                   deep, so that barriers come half as often.
// Tile and threads  Block 192 x 256 of D, 8 warps as 2 x 4 of 96 x 64, k in steps of 64.
// Shared memory     3 stages of 56 KiB; at most 255 registers; one block on a multiprocessor.
// Intensity         110 FLOP per byte of global and 38 per byte of shared memory; wide_tile has 85 and 32.
// Expected          A sixth fewer reads of shared memory, and almost a quarter less traffic from L2. Against it stand
//                   waits for fragments of B at the start of every k-step, which two warps per scheduler hide for each
//                   other in part, and fewer, larger tiles. Within 5 % of wide_tile, either way.
// Requires          168 KiB of shared memory per block, so compute capability 9.0: 8.0 has 163, and 8.9 has 99. lda and
//                   ldb must be multiples of 8.
// Limits            Registers. A tile of 192 x 256 of D per multiprocessor is too much for small problems.
#include "step_pipeline.cuh"
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShape{
    .tile_m = 192, .tile_n = 256, .tile_k = 64, .warp_m = 96, .warp_n = 64, .stages = 3, .blocks = 1};

/// Runs the ring of stages over all of k, with one set of fragments of B and, in turns, 16 rows of A.
template <class T, class OfTiles>
__device__ __forceinline__ void accumulate_row_by_row(Sums<kShape>& sums, unsigned char* stages,
                                                      AsyncTiles<T, OfTiles> source) {
  constexpr int kAhead = kShape.stages - 1;
#pragma unroll 1
  for (int stage = 0; stage < kAhead; ++stage) {
    source.copy_next(stages + stage * OfTiles::kBytes);
    ptx::cp_async_commit();
  }
  FragmentLoader<OfTiles> const loader;
  int read_stage = 0;
#pragma unroll 1
  while (source.k_left() > -kAhead * kShape.tile_k) {  // kAhead tiles are on their way
    ptx::cp_async_wait<kAhead - 1>();
    __syncthreads();  // the tile has arrived, and no warp reads the one before any more, whose place is filled next
    int const write_stage = read_stage == 0 ? kAhead : read_stage - 1;
    source.copy_next(stages + write_stage * OfTiles::kBytes);  // zeros past the end, without reading
    ptx::cp_async_commit();
    unsigned char const* const tiles = stages + read_stage * OfTiles::kBytes;
#pragma unroll
    for (int step = 0; step < kShape.k_steps(); ++step) {
      uint32_t b[kShape.mmas_n() / 2][4];
#pragma unroll
      for (int j = 0; j < kShape.mmas_n() / 2; ++j) loader.load_b(b[j], tiles, step, j);
#pragma unroll
      for (int i = 0; i < kShape.mmas_m(); ++i) {
        uint32_t a[4];
        loader.load_a(a, tiles, step, i);
        multiply_row<T, kShape.mmas_n()>(sums.at[i], a, b);
      }
    }
    read_stage = read_stage == kAhead ? 0 : read_stage + 1;
  }
  ptx::cp_async_wait<0>();  // the zeros, which must not arrive among the sums
}

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) wide_warp_tile(GemmArgs const args) {
  using OfTiles = Tiles<kLayout, kShape, Swizzled>;
  extern __shared__ __align__(128) unsigned char stages[];  // kShape.stages times the tiles of A and B
  TileIndex const tile =
      grouped_tile(blockIdx.x, tiles_to_cover(args.m, kShape.tile_m), tiles_to_cover(args.n, kShape.tile_n));
  int const row = tile.row * kShape.tile_m;
  int const column = tile.column * kShape.tile_n;
  Sums<kShape> sums;
  accumulate_row_by_row<T, OfTiles>(sums, stages, {args, row, column});
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T, kShape>(args, row, column, stages, sums);
}

template <class T>
void launch(GemmArgs const& args) {
  constexpr int kBytes = kShape.stages * Tiles<BLayout::row_major, kShape, Swizzled>::kBytes;  // the same for both
  launch_tiles<kShape>(args.b_layout == BLayout::row_major ? wide_warp_tile<T, BLayout::row_major>
                                                           : wide_warp_tile<T, BLayout::column_major>,
                       kBytes, args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "96 x 64 sums per warp, blocks of 192 x 256",
                             .types = kTypes<T>,
                             .arch = arch_at_least(9, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(wide_warp_tile_f16, kKernel<__half>);
PERFCHECK_GEMM_KERNEL(wide_warp_tile_bf16, kKernel<__nv_bfloat16>);
