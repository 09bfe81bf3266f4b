// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 2 x 2 elements of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              Coarser threads: two elements of A and two of B in registers are the operands of four
//                   multiply-adds. That is one element read per multiply-add, where shared_tile reads two.
// Previous step     shared_tile: the same number of threads computes a tile of D twice as high and wide. A thread's
//                   elements lie 32 apart, so that a warp still reads 32 neighbours. Column-major B is dropped, and the
//                   code that it took.
// Tile and threads  Block 64 x 64 of D, 1024 threads, 2 x 2 elements per thread, k in steps of 16.
// Shared memory     8 KiB; at most 32 registers, so that two blocks share a multiprocessor.
// Intensity         Global: 2 * 64 * 64 FLOP per k for 4 * (64 + 64) bytes, 16 FLOP per byte. Shared: for four k, a
//                   warp reads eight lines of 128 bytes of B, and twice 16 bytes of A, the same for all lanes (the
//                   compiler merges reads along k): ten to twelve cycles of 128 bytes for 1024 FLOP, 0.7 to 0.8 FLOP
//                   per byte.
// Expected          Shared memory: 0.7 * 33 TB/s, 22 to 27 TFLOP/s.
// Requires          B row-major. Any CUDA device, any size, any alignment.
// Limits            Still shared memory. All threads wait twice per tile.
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 64;  // rows and columns of D per block
constexpr int kTileK = 16;
constexpr int kPerThread = 2;               // rows and columns of D per thread
constexpr int kApart = kTile / kPerThread;  // distance between a thread's rows, and between its columns
constexpr int kThreads = kApart * kApart;
static_assert(kTile * kTileK == kThreads, "a thread copies one element of each operand per tile");

__global__ void __launch_bounds__(kThreads, 2) coarsened_2x2(GemmArgs args) {
  __shared__ __align__(16) float a_tile[kTile][kTileK];  // (row, k)
  __shared__ __align__(16) float b_tile[kTileK][kTile];  // (k, column)

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  // The thread's first row and column of D; the second ones are kApart further.
  int const row = threadIdx.x / kApart;
  int const column = threadIdx.x % kApart;
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

  float sum[kPerThread][kPerThread] = {};
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
    a_tile[a_row][a_k] = a_k_left > 0 ? *a_next : 0.0F;
    b_tile[b_k][b_column] = b_k_left > 0 ? *b_next : 0.0F;
    a_next += kTileK;
    b_next += b_step;
    a_k_left -= kTileK;
    b_k_left -= kTileK;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTileK; ++k) {
      float const a[kPerThread] = {a_tile[row][k], a_tile[row + kApart][k]};
      float const b[kPerThread] = {b_tile[k][column], b_tile[k][column + kApart]};
#pragma unroll
      for (int i = 0; i < kPerThread; ++i) {
#pragma unroll
        for (int j = 0; j < kPerThread; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
#pragma unroll
    for (int j = 0; j < kPerThread; ++j) {
      int const d_row = row + i * kApart, d_column = column + j * kApart;
      if (d_row >= args.m - tile_row || d_column >= args.n - tile_column) continue;
      store_elements<float, 1>(args, tile_row + d_row, tile_column + d_column, &sum[i][j]);
    }
  }
}

void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  coarsened_2x2<<<blocks, kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(coarsened_2x2, .summary = "2 x 2 elements of D per thread", .types = GemmTypes::f32,
                      .arch = any_arch(), .accepts = refuse_column_major_b, .launch = launch);
