// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP16 data and FP32 sums, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              What the FP32 ladder reaches with two buffers (double_buffered), for FP16 data: 8 x 8 sums per
//                   thread, and while one tile is multiplied, the next is on its way from global memory to registers.
//                   Elements become FP32 when they arrive there.
// Previous step     f16_shared_tile: a thread owns 64 sums instead of one; tiles become pairs of tiles.
// Tile and threads  Block 128 x 128 of D, 256 threads, 8 x 8 neighbouring elements per thread, k in steps of 8.
// Shared memory     16 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Intensity         64 FLOP per byte of global and, as in double_buffered, 2.7 per byte of shared memory.
// Expected          Limited by instruction issue, as in FP32: 40 to 46 TFLOP/s, 6 % of what tensor cores reach. This is
//                   as far as FP16 data gets on the ordinary units with FP32 sums.
// Requires          B row-major. Any CUDA device, any size, any alignment. Reads from global memory are 8 bytes wide
//                   where rows consist of whole, aligned quads, else 2.
// Limits            A multiply-add of a warp takes an issue slot, and four schedulers have four per cycle.
#include <cuda_fp16.h>
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
static_assert(kTile % 64 == 0 && kTileK == 8, "places change within 64 neighbours, and between two halves of k");
static_assert(kTile * kTileK == 4 * kThreads, "a thread copies one quad of each operand per tile");

using Tile = float[kTileK][kTile];  // (k, row) of A or (k, column) of B

/// Index of A's row `row` in row k of its tile: from k = 4 on, the halves of every 32 banks are swapped.
__device__ __forceinline__ int place_of_row(int k, int row) { return row ^ k / 4 * 16; }

/// Index of B's column `column` in a row of its tile: in every other 32 banks, neighbouring quads are swapped.
__device__ __forceinline__ int place_of_column(int column) { return column ^ column / 32 % 2 * 4; }

/// Stores a row of A at four k.
__device__ __forceinline__ void store_transposed(Tile& tile, int row, int k, float4 quad) {
  int const place = place_of_row(k, row);  // the same for all four
  tile[k + 0][place] = quad.x;
  tile[k + 1][place] = quad.y;
  tile[k + 2][place] = quad.z;
  tile[k + 3][place] = quad.w;
}

/// Stores four columns of a row of B.
__device__ __forceinline__ void store_straight(Tile& tile, int k, int column, float4 quad) {
  *reinterpret_cast<float4*>(&tile[k][place_of_column(column)]) = quad;
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
      read_quad(&a[i], &a_tile[k][place_of_row(k, row + i)]);
      read_quad(&b[i], &b_tile[k][place_of_column(column + i)]);
    }
    multiply_add(sum, a, b);
  }
}

template <bool kWhole>
__global__ void __launch_bounds__(kThreads, 2) f16_double_buffered(GemmArgs args) {
  __shared__ __align__(16) Tile a_tiles[2];
  __shared__ __align__(16) Tile b_tiles[2];

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  // The thread's first row and column of D.
  int const row = threadIdx.x / (kTile / kPerThread) * kPerThread;
  int const column = threadIdx.x % (kTile / kPerThread) * kPerThread;
  // The quad of each tile that the thread copies.
  int const a_row = threadIdx.x / kQuadsK, a_k = threadIdx.x % kQuadsK * 4;
  int const b_k = threadIdx.x / kQuadsTile, b_column = threadIdx.x % kQuadsTile * 4;

  ViewOfA<__half> a_view(args, tile_row, a_row, a_k);
  ViewOfB<__half> b_view(args, tile_column, b_k, b_column);
  float sum[kPerThread][kPerThread] = {};
  store_transposed(a_tiles[0], a_row, a_k, a_view.quad<kWhole>());
  store_straight(b_tiles[0], b_k, b_column, b_view.quad<kWhole>());
  __syncthreads();
  int current = 0;
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
    a_view.next_tile(kTileK);
    b_view.next_tile(kTileK);
    float4 const a_quad = a_view.quad<kWhole>();  // of the next tile: zeros after the last one
    float4 const b_quad = b_view.quad<kWhole>();
    multiply_tiles(sum, a_tiles[current], b_tiles[current], row, column);
    current ^= 1;  // switch to the buffers that all threads had multiplied before the last barrier
    store_transposed(a_tiles[current], a_row, a_k, a_quad);
    store_straight(b_tiles[current], b_k, b_column, b_quad);
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (row + i >= args.m - tile_row) continue;
#pragma unroll
    for (int j = 0; j < kPerThread; j += 4) {
      store_quad<__half>(args, tile_row + row + i, tile_column + column + j, &sum[i][j]);
    }
  }
}

Refusal accepts(GemmProblem const& problem) {
  if (problem.b_layout == BLayout::row_major) return std::nullopt;
  return "this step of the ladder reads row-major B; f16_shared_tile reads both";
}

void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  auto const kernel = has_whole_quads(args) ? f16_double_buffered<true> : f16_double_buffered<false>;
  kernel<<<blocks, kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(f16_double_buffered, .summary = "FP16 tiles in two buffers, without tensor cores",
                      .types = GemmTypes::f16, .arch = any_arch(), .accepts = accepts, .launch = launch);
