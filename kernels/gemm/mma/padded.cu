// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16 or BF16 with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Rows of the tiles are 16 bytes longer than their contents, so that eight consecutive rows begin in
//                   eight different groups of four banks, and ldmatrix reads a matrix in one cycle.
// Previous step     ldmatrix: PaddedRows instead of Unpadded.
// Tile and threads  Block 128 x 128 of D, 4 warps as 2 x 2 of 64 x 64, k in steps of 32.
// Shared memory     40 KiB (row-major B: 37 KiB); at most 255 registers; two blocks share a multiprocessor.
// Intensity         64 FLOP per byte of global and 32 per byte of shared memory.
// Expected          No conflicts: a k-step of a warp takes 32 cycles of shared memory instead of 128 or 192. Shared
//                   memory would allow 1070 TFLOP/s, more than mma.sync can do. Up to twice as fast; waits for
//                   fragments, which are loaded right before they are needed, become the limit.
// Requires          Compute capability 8.0. lda and ldb must be multiples of 8.
// Limits            A fifth of the shared memory holds nothing, which costs stages later on.
#include "step_tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::mma_steps;

constexpr Shape kShape{
    .tile_m = 128, .tile_n = 128, .tile_k = 32, .warp_m = 64, .warp_n = 64, .stages = 2, .blocks = 2};

/// Places of chunks of 16 bytes in rows that are a chunk longer than their contents.
template <int kRowBytes>
using PaddedRows = Padded<kRowBytes, kRowBytes + 16>;

template <class T, BLayout kLayout>
__global__ void __launch_bounds__(kShape.threads(), kShape.blocks) padded(GemmArgs const args) {
  using OfTiles = Tiles<kLayout, kShape, PaddedRows>;
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
      args.b_layout == BLayout::row_major ? padded<T, BLayout::row_major> : padded<T, BLayout::column_major>, 0, args);
}

template <class T>
constexpr GemmKernel kKernel{.summary = "rows of tiles padded against bank conflicts",
                             .types = kTypes<T>,
                             .arch = arch_at_least(8, 0),
                             .accepts = refuse_unaligned<T>,
                             .launch = launch<T>};

}  // namespace

PERFCHECK_GEMM_KERNEL(padded_f16, kKernel<__half>);
PERFCHECK_GEMM_KERNEL(padded_bf16, kKernel<__nv_bfloat16>);
