// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              Every read and write moves four neighbouring floats at once, to and from global and shared memory.
//                   To make that possible for A, its tile is stored transposed: a thread's rows become neighbours.
// Previous step     register_tile_2d: quads instead of elements. A thread's rows and columns of D become neighbours.
// Tile and threads  Block 128 x 128 of D, 256 threads, 8 x 8 neighbouring elements per thread, k in steps of 8.
// Shared memory     8 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Intensity         Global: 32 FLOP per byte, as in register_tile_2d. Shared: per k, a warp makes two reads of A (the
//                   quads of two rows of threads) in two cycles each, and two of B (the quads of 16 threads along a
//                   row) in eight cycles each because of bank conflicts: 20 cycles of 128 bytes for 4096 FLOP, 1.6 FLOP
//                   per byte.
// Expected          Shared memory: 1.6 * 33 TB/s, 53 TFLOP/s, less the time in which all threads wait for the next
//                   tile. Reads are 4 of 68 instructions.
// Requires          B row-major. Any CUDA device, any size, any alignment. Reads from global memory are 16 bytes wide
//                   where rows consist of whole, aligned quads, else 4.
// Limits            Bank conflicts. A warp stores 16 rows of A at two k, whose lines in shared memory begin at the same
//                   bank: a store takes two cycles instead of one. Its 16 threads along a row read quads of B that lie
//                   32 bytes apart; every fourth of them begins at the same bank: a read takes eight cycles instead of
//                   four.
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 128;  // rows and columns of D per block
constexpr int kTileK = 8;
constexpr int kPerThread = 8;  // rows and columns of D per thread
constexpr int kThreads = kTile / kPerThread * (kTile / kPerThread);
constexpr int kQuadsK = kTileK / 4;    // in a row of A's tile
constexpr int kQuadsTile = kTile / 4;  // in a row of B's tile
static_assert(kTile * kTileK == 4 * kThreads, "a thread copies one quad of each operand per tile");

using Tile = float[kTileK][kTile];  // (k, row) of A or (k, column) of B

/// Stores a row of A at four k.
__device__ __forceinline__ void store_transposed(Tile& tile, int row, int k, float4 quad) {
  tile[k + 0][row] = quad.x;
  tile[k + 1][row] = quad.y;
  tile[k + 2][row] = quad.z;
  tile[k + 3][row] = quad.w;
}

/// Stores four columns of a row of B.
__device__ __forceinline__ void store_straight(Tile& tile, int k, int column, float4 quad) {
  *reinterpret_cast<float4*>(&tile[k][column]) = quad;
}

/// Reads four neighbouring elements of a row of a tile.
__device__ __forceinline__ void read_quad(float* quad, float const* shared) {
  *reinterpret_cast<float4*>(quad) = *reinterpret_cast<float4 const*>(shared);
}

/// Adds the product of two tiles to the thread's sums.
__device__ __forceinline__ void multiply_tiles(float (&sum)[kPerThread][kPerThread], Tile const& a_tile,
                                               Tile const& b_tile, int row, int column) {
#pragma unroll
  for (int k = 0; k < kTileK; ++k) {
    alignas(16) float a[kPerThread], b[kPerThread];
#pragma unroll
    for (int i = 0; i < kPerThread; i += 4) {
      read_quad(&a[i], &a_tile[k][row + i]);
      read_quad(&b[i], &b_tile[k][column + i]);
    }
    multiply_add(sum, a, b);
  }
}

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) vectorized(GemmArgs args) {
  __shared__ __align__(16) Tile a_tile;
  __shared__ __align__(16) Tile b_tile;

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  // The thread's first row and column of D.
  int const row = threadIdx.x / (kTile / kPerThread) * kPerThread;
  int const column = threadIdx.x % (kTile / kPerThread) * kPerThread;
  // The quad of each tile that the thread copies.
  int const a_row = threadIdx.x / kQuadsK, a_k = threadIdx.x % kQuadsK * 4;
  int const b_k = threadIdx.x / kQuadsTile, b_column = threadIdx.x % kQuadsTile * 4;

  ViewOfA a_view(args, tile_row, a_row, a_k);
  ViewOfB b_view(args, tile_column, b_k, b_column);
  float sum[kPerThread][kPerThread] = {};
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
    float4 const a_quad = a_view.quad<kWhole>();
    float4 const b_quad = b_view.quad<kWhole>();
    store_transposed(a_tile, a_row, a_k, a_quad);
    store_straight(b_tile, b_k, b_column, b_quad);
    a_view.next_tile(kTileK);
    b_view.next_tile(kTileK);
    __syncthreads();
    multiply_tiles(sum, a_tile, b_tile, row, column);
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (row + i >= args.m - tile_row) continue;
#pragma unroll
    for (int j = 0; j < kPerThread; j += 4) {
      store_quad(args, tile_row + row + i, tile_column + column + j, &sum[i][j]);
    }
  }
}

void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  auto const kernel = has_whole_quads(args) ? vectorized<true> : vectorized<false>;
  kernel<<<blocks, kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(vectorized, .summary = "8 x 8 sums per thread, reads and writes of four floats",
                      .types = GemmTypes::f32, .arch = any_arch(), .accepts = refuse_column_major_b, .launch = launch);
