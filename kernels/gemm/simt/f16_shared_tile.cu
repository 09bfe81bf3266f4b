// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP16 data and FP32 sums, one thread per element of D.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              A block stages tiles of A and B in shared memory, as in shared_tile. Elements become FP32 on the
//                   way, once for 32 products each, so that the main loop is that of the FP32 step.
// Previous step     naive_f16: the loop over k becomes a loop over tiles; two barriers protect the reuse of the tiles.
// Tile and threads  Block 32 x 32 of D, 32 x 32 threads, one element per thread, k in steps of 128.
// Shared memory     32.5 KiB; at most 32 registers, so that two blocks share a multiprocessor.
// Intensity         Global: 2 * 32 * 32 FLOP per k for 2 * (32 + 32) bytes, 16 FLOP per byte. Shared: 0.4 FLOP per
//                   byte, as in shared_tile.
// Expected          Shared memory: 11 to 13 TFLOP/s, as in FP32. Half the bytes from global memory gain nothing,
//                   because those are not the limit.
// Requires          Nothing: any CUDA device, any size, any alignment. Tiles are filled with zeros past the edges.
// Limits            Each multiply-add still needs a read of B from shared memory. Tensor cores would do 256 in the
//                   time.
#include <cuda_fp16.h>
#include <perfcheck/gemm.h>
#include <perfcheck/epilogue.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 32;    // rows and columns of D per block
constexpr int kTileK = 128;  // k per tile; a thread copies every 32nd

template <bool kColumnMajor>
__global__ void __launch_bounds__(kTile* kTile, 2) f16_shared_tile(GemmArgs args) {
  __shared__ __align__(16) float a_tile[kTile][kTileK];  // (row, k)
  // One column of padding, so that a warp that stores along k (column-major B) hits 32 different banks.
  __shared__ float b_tile[kTileK][kTile + 1];  // (k, column)

  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const tile_row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const tile_column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  int const x = static_cast<int>(threadIdx.x);
  int const y = static_cast<int>(threadIdx.y);
  // The element of each tile of B that this thread copies: threadIdx.x runs along the contiguous index.
  int const b_k = kColumnMajor ? x : y;
  int const b_column = kColumnMajor ? y : x;

  int64_t const a_row_index = int64_t{tile_row} + y;
  int64_t const b_column_index = int64_t{tile_column} + b_column;
  __half const* a_next = static_cast<__half const*>(args.a) + a_row_index * args.lda + x;
  __half const* b_next = static_cast<__half const*>(args.b);
  b_next += kColumnMajor ? b_column_index * args.ldb + b_k : b_k * args.ldb + b_column_index;
  int64_t const b_k_stride = kColumnMajor ? 1 : args.ldb;
  // Elements left along k, from this thread's element on; 0 outside the matrix.
  int a_k_left = a_row_index < args.m ? args.k - x : 0;
  int b_k_left = b_column_index < args.n ? args.k - b_k : 0;

  float sum = 0.0F;
  for (int k_left = args.k; k_left > 0; k_left -= kTileK) {
#pragma unroll
    for (int k = 0; k < kTileK; k += kTile) {
      a_tile[y][x + k] = k < a_k_left ? __half2float(a_next[k]) : 0.0F;
      b_tile[b_k + k][b_column] = k < b_k_left ? __half2float(b_next[k * b_k_stride]) : 0.0F;
    }
    a_next += kTileK;
    b_next += kTileK * b_k_stride;
    a_k_left -= kTileK;
    b_k_left -= kTileK;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTileK; ++k) {
      sum = fmaf(a_tile[y][k], b_tile[k][x], sum);
    }
    __syncthreads();
  }

  if (y >= args.m - tile_row || x >= args.n - tile_column) return;

  store_elements<__half, 1>(args, tile_row + y, tile_column + x, &sum);
}

void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  auto const kernel = args.b_layout == BLayout::row_major ? f16_shared_tile<false> : f16_shared_tile<true>;
  kernel<<<blocks, dim3(kTile, kTile), 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(f16_shared_tile, .summary = "FP16 tiles in shared memory, without tensor cores",
                      .types = GemmTypes::f16, .arch = any_arch(), .launch = launch);
