// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              A square of sums in registers: per k, 8 elements of A and 8 of B serve 64 multiply-adds, four for
//                   each element read. From here on most instructions are multiply-adds, and their order matters: see
//                   multiply_add() in simt_tile.cuh.
// Previous step     register_tile_1d: the thread's part of D becomes 8 x 8 and the block's 128 x 128. A thread copies
//                   four elements of A and four of B per tile.
// Tile and threads  Block 128 x 128 of D, 256 threads, 8 x 8 elements per thread, 16 apart, k in steps of 8.
// Shared memory     8 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Intensity         Global: 2 * 128 * 128 FLOP per k for 4 * (128 + 128) bytes, 32 FLOP per byte. Shared: per k, a
//                   warp reads 16 times up to 128 bytes, one cycle each, for 4096 FLOP: 2 FLOP per byte.
// Expected          Shared memory allows 2 * 33 TB/s, the peak; reads are 16 of 80 instructions, so 80 % of it remain,
//                   53 TFLOP/s, less the time in which all threads wait for the next tile.
// Requires          B row-major. Any CUDA device, any size, any alignment.
// Limits            Copies of four bytes: eight requests per thread and tile to global memory.
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 128;  // rows and columns of D per block
constexpr int kTileK = 8;
constexpr int kPerThread = 8;               // rows and columns of D per thread
constexpr int kApart = kTile / kPerThread;  // distance between a thread's rows, and between its columns
constexpr int kThreads = kApart * kApart;
constexpr int kRowsOfA = kThreads / kTileK;  // rows that the block copies at a time
constexpr int kRowsOfB = kThreads / kTile;
static_assert(kTile % kRowsOfA == 0 && kTileK % kRowsOfB == 0, "copies divide the tiles evenly");

__global__ void __launch_bounds__(kThreads, 2) register_tile_2d(GemmArgs args) {
  __shared__ __align__(16) float a_tile[kTile][kTileK];  // (row, k)
  __shared__ __align__(16) float b_tile[kTileK][kTile];  // (k, column)

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  // The thread's first row and column of D; the others follow at intervals of kApart.
  int const row = threadIdx.x / kApart;
  int const column = threadIdx.x % kApart;
  // The first element of each tile that the thread copies.
  int const a_row = threadIdx.x / kTileK, a_k = threadIdx.x % kTileK;
  int const b_k = threadIdx.x / kTile, b_column = threadIdx.x % kTile;

  ViewOfA a_view(args, tile_row, a_row, a_k);
  ViewOfB b_view(args, tile_column, b_k, b_column);
  float sum[kPerThread][kPerThread] = {};
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
#pragma unroll
    for (int i = 0; i < kTile; i += kRowsOfA) a_tile[a_row + i][a_k] = a_view.element(i);
#pragma unroll
    for (int i = 0; i < kTileK; i += kRowsOfB) b_tile[b_k + i][b_column] = b_view.element(i);
    a_view.next_tile(kTileK);
    b_view.next_tile(kTileK);
    __syncthreads();
#pragma unroll 2
    for (int k = 0; k < kTileK; ++k) {
      float a[kPerThread], b[kPerThread];
#pragma unroll
      for (int i = 0; i < kPerThread; ++i) a[i] = a_tile[row + i * kApart][k];
#pragma unroll
      for (int j = 0; j < kPerThread; ++j) b[j] = b_tile[k][column + j * kApart];
      multiply_add(sum, a, b);
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
  register_tile_2d<<<blocks, kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(register_tile_2d, .summary = "8 x 8 sums per thread in registers", .types = GemmTypes::f32,
                      .arch = any_arch(), .accepts = refuse_column_major_b, .launch = launch);
