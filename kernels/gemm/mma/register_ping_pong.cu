// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Two sets of fragments: those of the next k-step are loaded while the current ones are multiplied.
//                   At the end of a tile, the next k-step is the first of the next tile, so what is multiplied right
//                   after the barrier was loaded before it.
// Previous step     swizzled: load_fragments() runs one k-step ahead of multiply().
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 32.
// Shared memory     32 KiB; at most 255 registers; two blocks share a multiprocessor.
// Intensity         64 FLOP per byte of global and 32 per byte of shared memory.
// Expected          Waits for shared memory (stall short_scoreboard) nearly vanish: 10 to 30 % faster.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 8.
// Limits            Registers: 128 sums, 64 for two sets of fragments and 32 for the next tiles leave 31. One tile is
//                   on its way at a time, and has one tile's time to arrive.
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .tile_k = 32, .warp_m = 64, .warp_n = 64, .stages = 2, .blocks = 2};
static_assert(kShape.k_steps() % 2 == 0, "each tile begins with the same set of fragments");

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) register_ping_pong(GemmArgs const args) {
  using OfTiles = Tiles<kLayout, kShape, Swizzled>;
  __shared__ __align__(128) unsigned char stages[kShape.stages][OfTiles::kBytes];

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  Sums<kShape> sums;
  RegisterTiles<T, OfTiles> next(args, row, column);
  next.read_next();
  next.store(stages[0]);
  __syncthreads();
  Fragments<kShape> fragments[2];
  load_fragments<OfTiles>(fragments[0], stages[0], 0);
  int current = 0;
#pragma unroll 1
  for (int k = 0; k < args.k; k += kShape.tile_k) {
    next.read_next();  // zeros after the last tile
#pragma unroll
    for (int step = 0; step < kShape.k_steps(); ++step) {
      if (step == kShape.k_steps() - 1) {  // the current tile is in registers
        current ^= 1;                      // a stage that all warps had read before the last barrier
        next.store(stages[current]);
        __syncthreads();
      }
      load_fragments<OfTiles>(fragments[(step + 1) % 2], stages[current], (step + 1) % kShape.k_steps());
      multiply<T, kShape>(sums, fragments[step % 2]);
    }
  }
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T, kShape>(args, row, column, stages, sums);
}

template <class T>
void launch(GemmArgs const& args) {
  launch_tiles<kShape>(args.b_layout == BLayout::row_major ? register_ping_pong<T, BLayout::row_major>
                                                           : register_ping_pong<T, BLayout::column_major>,
                       0, args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "the next fragments are loaded while one multiplies",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(register_ping_pong_f16, kKernel<__half>);
PERFCHECK_GEMM_KERNEL(register_ping_pong_bf16, kKernel<__nv_bfloat16>);
