// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 neighbouring elements of a column of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              A column of sums in registers: an element of B, once read, serves eight multiply-adds, and an
//                   element of A is read once for all lanes of a warp.
// Previous step     coarsened_2x2: the thread's part of D becomes 8 x 1 instead of 2 x 2.
// Tile and threads  Block 64 x 64 of D, 512 threads, 8 x 1 elements per thread, k in steps of 8.
// Shared memory     4 KiB; at most 40 registers, so that three blocks share a multiprocessor.
// Intensity         Global: 16 FLOP per byte, as in coarsened_2x2. Shared: for four k, a warp reads four lines of 128
//                   bytes of B, and eight times 16 bytes of A, the same for all lanes (the compiler merges reads along
//                   k): 12 to 20 cycles of 128 bytes for 2048 FLOP, 0.8 to 1.3 FLOP per byte.
// Expected          Shared memory: 1.0 * 33 TB/s, 26 to 44 TFLOP/s.
// Requires          B row-major. Any CUDA device, any size, any alignment.
// Limits            Nine elements read for eight multiply-adds: a column of sums reuses B, but not A.
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 64;  // rows and columns of D per block
constexpr int kTileK = 8;
constexpr int kPerThread = 8;  // rows of D per thread
constexpr int kThreads = kTile / kPerThread * kTile;
static_assert(kTile * kTileK == kThreads, "a thread copies one element of each operand per tile");

__global__ void __launch_bounds__(kThreads, 3) register_tile_1d(GemmArgs args) {
  __shared__ __align__(16) float a_tile[kTile][kTileK];  // (row, k)
  __shared__ __align__(16) float b_tile[kTileK][kTile];  // (k, column)

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  // The thread's first row of D, and its column.
  int const row = threadIdx.x / kTile * kPerThread;
  int const column = threadIdx.x % kTile;
  // The element of each tile that the thread copies.
  int const a_row = threadIdx.x / kTileK, a_k = threadIdx.x % kTileK;
  int const b_k = threadIdx.x / kTile, b_column = threadIdx.x % kTile;

  int64_t const a_row_index = int64_t{tile_row} + a_row;
  int64_t const b_column_index = int64_t{tile_column} + b_column;
  float const* a_next = static_cast<float const*>(args.a) + a_row_index * args.lda + a_k;
  float const* b_next = static_cast<float const*>(args.b) + b_k * args.ldb + b_column_index;
  int64_t const b_step = kTileK * args.ldb;
  // Elements left along k, from this thread's element on; 0 outside the matrix.
  int a_k_left = a_row_index < args.m ? args.k - a_k : 0;
  int b_k_left = b_column_index < args.n ? args.k - b_k : 0;

  float sum[kPerThread] = {};
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
    a_tile[a_row][a_k] = a_k_left > 0 ? *a_next : 0.0F;
    b_tile[b_k][b_column] = b_k_left > 0 ? *b_next : 0.0F;
    a_next += kTileK;
    b_next += b_step;
    a_k_left -= kTileK;
    b_k_left -= kTileK;
    __syncthreads();
    float b[kTileK];
#pragma unroll
    for (int k = 0; k < kTileK; ++k) b[k] = b_tile[k][column];
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
#pragma unroll
      for (int k = 0; k < kTileK; ++k) sum[i] = fmaf(a_tile[row + i][k], b[k], sum[i]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (row + i >= args.m - tile_row || column >= args.n - tile_column) continue;
    store_elements<float, 1>(args, tile_row + row + i, tile_column + column, &sum[i]);
  }
}

void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  register_tile_1d<<<blocks, kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(register_tile_1d, .summary = "a column of 8 sums per thread in registers",
                      .types = GemmTypes::f32, .arch = any_arch(), .accepts = refuse_column_major_b, .launch = launch);
