// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16 or TF32 with FP32 sums, INT8 with INT32 sums, or FP16 with
//                   FP16 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              A warp owns 4 x 4 fragments of sums. Four fragments of A and four of B, once loaded, serve sixteen
//                   products; before, one of each served one.
// Previous step     double_buffered: the warp's tile grows from 16 x 16 to 64 x 64, and the block's with it. Tiles are
//                   half as deep, so that two buffers still fit into static shared memory.
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 64 bytes (32 FP16 elements).
// Shared memory     37 to 40 KiB; at most 255 registers, so that two blocks share a multiprocessor.
// Intensity         FP16: global, 64 FLOP per byte; shared, 16 * 8192 FLOP for eight fragments of 512 bytes, 32 FLOP
//                   per byte.
// Expected          Shared memory would allow 1000 TFLOP/s of FP16, tensor cores some 600. 250 TFLOP/s, because a warp
//                   waits for fragments, which are loaded right before they are needed, and for barriers, and there are
//                   only eight warps per multiprocessor.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 16 bytes.
// Limits            Tiles occupy registers on their way, and arrive only one tile ahead.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

#include "fragments.cuh"
#include "register_copy.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wmma;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .warp_m = 64, .warp_n = 64, .line_bytes = 64, .stages = 2, .blocks = 2};

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) many_fragments(GemmArgs const args) {
  using OfTiles = Tiles<T, kLayout, kShape>;
  __shared__ __align__(128) typename T::Element buffers[2][OfTiles::kElements];
  static_assert(sizeof(buffers) >= kStripBytes<T, kShape>);

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  WarpSums<T, kShape> sums;
  RegisterTiles<T, kLayout, kShape> next(args, row, column);
  next.read_next();
  int const k_tiles = tiles_to_cover(args.k, OfTiles::kTileK);
#pragma unroll 1
  for (int i = 0; i < k_tiles; ++i) {
    // One barrier is enough: since the previous one, no warp reads this buffer, which was filled two tiles ago.
    next.store(buffers[i % 2]);
    __syncthreads();
    if (i + 1 < k_tiles) next.read_next();
    sums.template add_tiles<kLayout>(buffers[i % 2]);
  }
  __syncthreads();  // the buffers become space for sums
  sums.store(args, row, column, buffers);
}

template <class T>
void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  auto const kernel = args.b_layout == BLayout::row_major ? many_fragments<T, BLayout::row_major>
                                                          : many_fragments<T, BLayout::column_major>;
  kernel<<<blocks, kShape.threads(), 0, args.stream>>>(args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "4 x 2 fragments of sums per warp",
                             .types = T::kTypes,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(many_fragments_f16, kKernel<F16>);
PERFCHECK_GEMM_KERNEL(many_fragments_bf16, kKernel<Bf16>);
PERFCHECK_GEMM_KERNEL(many_fragments_tf32, kKernel<Tf32>);
PERFCHECK_GEMM_KERNEL(many_fragments_s8, kKernel<S8>);
PERFCHECK_GEMM_KERNEL(many_fragments_f16_f16, kKernel<F16Sums16>);
