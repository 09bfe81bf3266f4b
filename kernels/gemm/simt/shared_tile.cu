// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, one thread per element of D.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              A block stages 32 x 32 tiles of A and B in shared memory, so each element of A and B is read from
//                   global memory once per 32 elements of D that need it, not once per element.
// Previous step     naive: the loop over k becomes a loop over tiles; two barriers fence the reuse of the tiles.
// Tile and threads  Block 32 x 32 of D, 32 x 32 threads, one element per thread, k in steps of 32.
// Shared memory     8.1 KiB.
// Requires          Nothing: any CUDA device, any size, any alignment. Tiles are filled with zeros past the edges.
// Limits            A multiply-add still needs a read from shared memory for B, and a quarter of one for A.
#include <perfcheck/gemm.h>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile* kTile) shared_tile(GemmArgs args) {
  __shared__ __align__(16) float a_tile[kTile][kTile];  // (row, k)
  // One column of padding, so that a warp that stores along k (column-major B) meets 32 different banks.
  __shared__ float b_tile[kTile][kTile + 1];  // (k, column)

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int64_t const tile_row = static_cast<int64_t>(blockIdx.x / tiles_n) * kTile;
  int64_t const tile_column = static_cast<int64_t>(blockIdx.x % tiles_n) * kTile;
  int64_t const row = tile_row + threadIdx.y;
  int64_t const column = tile_column + threadIdx.x;
  bool const column_major = args.b_layout == BLayout::column_major;
  int64_t const b_k_stride = column_major ? 1 : args.ldb;
  int64_t const b_column_stride = column_major ? args.ldb : 1;
  // The element of each tile of B that this thread copies: threadIdx.x runs along the contiguous index.
  int const b_copy_k = column_major ? threadIdx.x : threadIdx.y;
  int const b_copy_column = column_major ? threadIdx.y : threadIdx.x;

  float const* a = static_cast<float const*>(args.a) + row * args.lda;
  float const* b = static_cast<float const*>(args.b) + (tile_column + b_copy_column) * b_column_stride;
  bool const b_column_inside = tile_column + b_copy_column < args.n;
  float sum = 0.0F;
  for (int64_t tile_k = 0; tile_k < args.k; tile_k += kTile) {
    int64_t const a_k = tile_k + threadIdx.x;
    int64_t const b_k = tile_k + b_copy_k;
    a_tile[threadIdx.y][threadIdx.x] = row < args.m && a_k < args.k ? a[a_k] : 0.0F;
    b_tile[b_copy_k][b_copy_column] = b_column_inside && b_k < args.k ? b[b_k * b_k_stride] : 0.0F;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      sum = fmaf(a_tile[threadIdx.y][k], b_tile[k][threadIdx.x], sum);
    }
    __syncthreads();
  }

  if (row >= args.m || column >= args.n) return;

  int64_t const at = row * args.ldd + column;
  float const scaled = args.alpha * sum;
  static_cast<float*>(args.d)[at] =
      args.beta == 0.0F ? scaled : fmaf(args.beta, static_cast<float const*>(args.c)[at], scaled);
}

void launch(GemmArgs const& args) {
  int const tiles_m = tiles_to_cover(args.m, kTile);
  int const tiles_n = tiles_to_cover(args.n, kTile);
  shared_tile<<<tiles_m * tiles_n, dim3(kTile, kTile), 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(shared_tile, .summary = "32 x 32 tiles of A and B in shared memory", .types = GemmTypes::f32,
                      .arch = any_arch(), .launch = launch);
