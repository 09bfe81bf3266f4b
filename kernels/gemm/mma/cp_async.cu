// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              cp.async copies from global to shared memory without passing through registers and without anybody
//                   waiting, so several tiles can be on their way: a ring of 2, 3 or 4 stages, of which one is read and
//                   the others are being filled. One barrier per tile is still enough.
// Previous step     register_ping_pong: accumulate() in step_pipeline.cuh is its loop, with AsyncTiles instead of
//                   RegisterTiles.
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 32.
// Shared memory     16 KiB per stage; at most 255 registers; two blocks share a multiprocessor.
// Intensity         64 FLOP per byte of global and 32 per byte of shared memory.
// Expected          A copy starts in the first half of a tile and must have arrived by the second half, of the same
//                   tile (2 stages), the next (3) or the one after that (4). With two stages that is one k-step, about
//                   400 cycles while two blocks share the tensor cores: enough for L2 and not for DRAM. That may be
//                   slower than register_ping_pong; three and four stages should be 10 to 20 % faster, because no
//                   instructions store tiles and nothing waits for global memory.
// Requires          Compute capability 8.0 for cp.async. lda and ldb must be multiples of 8.
// Limits            Blocks that run together read from all over A and B, and L2 cannot hold it all.
#include "step_pipeline.cuh"
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

template <int kStages>
constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .tile_k = 32, .warp_m = 64, .warp_n = 64, .stages = kStages, .blocks = 2};

template <class T, BLayout kLayout, int kStages>
__global__ void __launch_bounds__(kShape<kStages>.threads(), kShape<kStages>.blocks) cp_async(GemmArgs const args) {
  constexpr Shape kThis = kShape<kStages>;
  using OfTiles = Tiles<kLayout, kThis, Swizzled>;
  extern __shared__ __align__(128) unsigned char stages[];  // kStages times the tiles of A and B

  int const tiles_n = tiles_to_cover(args.n, kThis.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kThis.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kThis.tile_n;
  Sums<kThis> sums;
  accumulate<T, OfTiles, true>(sums, stages, {args, row, column});
  __syncthreads();  // the stages become the warps' space for sums
  store_sums<T, kThis>(args, row, column, stages, sums);
}

template <class T, int kStages>
void launch(GemmArgs const& args) {
  constexpr int kBytes = kStages * Tiles<BLayout::row_major, kShape<kStages>, Swizzled>::kBytes;  // same for both
  launch_tiles<kShape<kStages>>(args.b_layout == BLayout::row_major ? cp_async<T, BLayout::row_major, kStages>
                                                                    : cp_async<T, BLayout::column_major, kStages>,
                                kBytes, args);
}

template <class T, int kStages>
constexpr GemmKernel kKernel{.summary = "ring of 2, 3 or 4 stages filled by cp.async",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T, kStages>};

}  // namespace

PERFCHECK_GEMM_KERNEL(cp_async_2_f16, kKernel<__half, 2>);
PERFCHECK_GEMM_KERNEL(cp_async_3_f16, kKernel<__half, 3>);
PERFCHECK_GEMM_KERNEL(cp_async_4_f16, kKernel<__half, 4>);
PERFCHECK_GEMM_KERNEL(cp_async_2_bf16, kKernel<__nv_bfloat16, 2>);
PERFCHECK_GEMM_KERNEL(cp_async_3_bf16, kKernel<__nv_bfloat16, 3>);
PERFCHECK_GEMM_KERNEL(cp_async_4_bf16, kKernel<__nv_bfloat16, 4>);
