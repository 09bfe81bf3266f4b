// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP32 data, products of TF32 and FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              More shared memory than the 48 KiB of fixed size that a block may declare: dynamic shared memory
//                   holds larger tiles, and four of them. Three tiles are on their way while one is multiplied, and
//                   with a ring of stages one barrier per tile is enough.
// Previous step     ldmatrix_tf32: another Shape, one block per multiprocessor; the loop, in which the barrier that
//                   publishes a tile also says that the stage before it is free; swizzled instead of padded rows of k,
//                   so that four stages fit into 99 KiB, which every GPU since 8.0 has.
// Tile and threads  Block 128 x 256 of D, 256 threads as 2 x 4 warps of 64 x 64, k in steps of 16.
// Shared memory     4 stages, 98 KiB (column-major B: 96); at most 255 registers.
// Intensity         Global: 43 FLOP per byte. Shared: for 8 k, a warp reads 4 fragments of A and 8 of B: 64 KiFLOP for
//                   4 KiB, 16 FLOP per byte.
// Expected          Nothing waits for global memory. For 8 k, a warp executes 8 reads (row-major B: 20) and 64
//                   instructions that round for 32 mma.sync; with 32 x 64 it was 6 (18) and 48 for 16.
// Requires          Compute capability 8.0. lda and ldb multiples of 4.
// Limits            Two warps per scheduler, which wait at the same barrier; fragments are read when they are needed.
#include <perfcheck/gemm.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include "tf32_ldmatrix.cuh"
#include "tf32_tile.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::tf32;

constexpr Shape kShape{.tile_n = 256, .warp_m = 64, .stages = 4, .blocks = 1, .swizzled = true};

template <BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) deep_pipeline_tf32(GemmArgs const args) {
  constexpr int kBytes = Tiles<kLayout, kShape>::kBytes;
  static_assert(kSharedBytes<kLayout, kShape> <= 99 * 1024);
  extern __shared__ __align__(128) unsigned char stages[];  // kShape.stages times the tiles of A and B
  TileIndex const first = first_element<kShape>(args);
  WarpSums<kShape> sums;
  AsyncTiles<kLayout, kShape> copy(args, first.row, first.column);
#pragma unroll 1
  for (int stage = 0; stage < kShape.stages - 1; ++stage) {
    copy.copy_next_straight(stages + stage * kBytes);
    ptx::cp_async_commit();
  }
  int const k_tiles = tiles_to_cover(args.k, kShape.tile_k);
  int read_stage = 0, write_stage = kShape.stages - 1;
#pragma unroll 1
  for (int tile = 0; tile < k_tiles; ++tile) {
    ptx::cp_async_wait<kShape.stages - 2>();  // the current tile has arrived for this thread,
    __syncthreads();                          // for all threads, and no warp reads the one before it any more
    copy.copy_next_straight(stages + write_stage * kBytes);
    ptx::cp_async_commit();
    add_tiles_by_ldmatrix<kLayout>(sums, stages + read_stage * kBytes);
    write_stage = read_stage;
    read_stage = read_stage + 1 == kShape.stages ? 0 : read_stage + 1;
  }
  ptx::cp_async_wait<0>();  // copies of zeros end
  __syncthreads();          // in all threads, and no warp reads a tile any more
  sums.store(args, first, stages);
}

template <BLayout kLayout>
void launch_as(GemmArgs const& args) {
  launch_tiles<kLayout, kShape>(deep_pipeline_tf32<kLayout>, args);
}

void launch(GemmArgs const& args) {
  args.b_layout == BLayout::row_major ? launch_as<BLayout::row_major>(args) : launch_as<BLayout::column_major>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(deep_pipeline_tf32, .summary = "four stages of 128x256x16 in dynamic shared memory",
                      .types = GemmTypes::tf32, .arch = arch_at_least(8, 0), .accepts = refuse_unaligned,
                      .launch = launch);
