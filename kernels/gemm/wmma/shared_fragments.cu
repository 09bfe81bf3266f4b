// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16 or TF32 with FP32 sums, INT8 with INT32 sums, or FP16 with
//                   FP16 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              A block stages tiles of A and B in shared memory, so that each element is read from global memory
//                   once per 64 elements of D that need it. Warps load their fragments from the tiles.
// Previous step     global_fragments: the loop over k becomes a loop over tiles; two barriers protect their reuse.
// Tile and threads  Block 64 x 64 of D, 16 warps as 4 x 4, one fragment of sums each, k in steps of 128 bytes (64 FP16
//                   elements). A thread copies 16 bytes of each tile.
// Shared memory     24 KiB: 16 for the tiles, and afterwards 24 for sums of 4 bytes.
// Intensity         FP16: global, 2 * 64 * 64 FLOP per k for 2 * (64 + 64) bytes, 32 FLOP per byte; shared, 8192 FLOP
//                   for two fragments of 512 bytes, 8 FLOP per byte.
// Expected          Rows of 128 bytes begin at the same bank, so the eight rows that ldmatrix reads together come one
//                   after the other: an eighth of 33 TB/s, 33 TFLOP/s.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 16 bytes.
// Limits            Bank conflicts; everybody waits while tiles are on their way. nvcc loads BF16 and TF32 fragments 4
//                   bytes at a time (shared_loads). INT8 fragments of row-major B are read byte by byte, because
//                   ldmatrix transposes elements of 2 bytes only.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

#include "fragments.cuh"
#include "register_copy.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wmma;

constexpr Shape kShape{.tile_m = 64, .tile_n = 64, .warp_m = 16, .warp_n = 16, .line_bytes = 128, .padded = false};

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads()) shared_fragments(GemmArgs const args) {
  __shared__ __align__(128) unsigned char memory[kSharedBytes<T, kLayout, kShape>];
  auto* const tiles = reinterpret_cast<typename T::Element*>(memory);

  int const tiles_n = tiles_to_cover(args.n, kShape.tile_n);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kShape.tile_m;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kShape.tile_n;
  WarpSums<T, kShape> sums;
  RegisterTiles<T, kLayout, kShape> copy(args, row, column);
#pragma unroll 1
  for (int k = 0; k < args.k; k += Tiles<T, kLayout, kShape>::kTileK) {
    copy.read_next();
    copy.store(tiles);
    __syncthreads();
    sums.template add_tiles<kLayout>(tiles);
    __syncthreads();  // the tiles are overwritten, by the next ones or by sums
  }
  sums.store(args, row, column, memory);
}

template <class T>
void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kShape.tile_m) * tiles_to_cover(args.n, kShape.tile_n);
  auto const kernel = args.b_layout == BLayout::row_major ? shared_fragments<T, BLayout::row_major>
                                                          : shared_fragments<T, BLayout::column_major>;
  kernel<<<blocks, kShape.threads(), 0, args.stream>>>(args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "wmma from tiles in shared memory, one fragment per warp",
                             .types = T::kTypes,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(shared_fragments_f16, kKernel<F16>);
PERFCHECK_GEMM_KERNEL(shared_fragments_bf16, kKernel<Bf16>);
PERFCHECK_GEMM_KERNEL(shared_fragments_tf32, kKernel<Tf32>);
PERFCHECK_GEMM_KERNEL(shared_fragments_s8, kKernel<S8>);
PERFCHECK_GEMM_KERNEL(shared_fragments_f16_f16, kKernel<F16Sums16>);
