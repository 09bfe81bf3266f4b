// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 for small problems, 8 x 4 elements of a tile per thread.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              A small problem has few tiles and is over in microseconds: what counts is how long its chain of
//                   waits is. All eight warps of a block compute the same 32 x 32 tile, each over its eighth of every
//                   chunk of k, and add up in the end. Nothing is transposed: what lies along k in memory is read
//                   along k from shared memory too, four k per read.
// Previous step     split_k: parts of k go to the warps of one block instead of the blocks of a cluster.
// Tile and threads  Block 32 x 32 of D, 256 threads; k in chunks of 128, 16 of them per warp.
// Shared memory     99 KiB: three chunks of A and B. Two blocks share a multiprocessor.
// Intensity         Per k, a block reads 256 bytes from global memory for 2 KiFLOP: 8 FLOP per byte. Per k, a warp
//                   reads 3 x 512 bytes from shared memory for 2 KiFLOP: 1.3 FLOP per byte.
// Expected          A launch, one trip to memory and back, k / 128 chunks of 0.6 us, and the sum: 3.5 us for 128
//                   cubed.
// Requires          Compute capability 8.0 for cp.async. Copies are 16 bytes wide where rows are aligned to that, else
//                   4.
// Limits            L2 traffic: every element of A and B is read once per 32 columns or rows of D.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

constexpr int kTile = 32;
constexpr int kChunk = 128;  // k per stage
constexpr int kStages = 3;
constexpr int kWarps = 8;
constexpr int kThreads = kWarps * 32;
constexpr int kPart = kChunk / kWarps;    // k per warp and stage
constexpr int kPitchAlongK = kChunk + 4;  // neighbouring lines begin four banks apart

/// A tile of A, or of column-major B: lines that lie along k.
using TileAlongK = float[kTile][kPitchAlongK];
/// A tile of row-major B.
using TileAlongN = float[kChunk][kTile];

template <bool kColumnMajor>
struct Stage {
  TileAlongK a;
  std::conditional_t<kColumnMajor, TileAlongK, TileAlongN> b;
};

/// Starts copying kLines x kLength elements, of which `lines` x `length` exist; the rest becomes zero.
template <bool kAligned, int kLines, int kLength, int kPitch>
__device__ __forceinline__ void copy_tile(float (&tile)[kLines][kPitch], float const* source, int64_t ld, int lines,
                                          int length) {
  constexpr int kWidth = kAligned ? 4 : 1;
  constexpr int kCopiesPerLine = kLength / kWidth;
  constexpr int kLinesAtOnce = kThreads / kCopiesPerLine;
  static_assert(kThreads % kCopiesPerLine == 0 && kLines % kLinesAtOnce == 0);
  int const first_line = static_cast<int>(threadIdx.x) / kCopiesPerLine;
  int const at = static_cast<int>(threadIdx.x) % kCopiesPerLine * kWidth;
  int const inside = min(max(length - at, 0), kWidth);
  float const* from = source + first_line * ld + at;
#pragma unroll(kAligned ? 4 : 2)
  for (int line = first_line; line < kLines; line += kLinesAtOnce) {
    uint32_t const to = ptx::shared_address(&tile[line][at]);
    if constexpr (kAligned) {
      ptx::cp_async_16(to, from, line < lines ? inside * 4 : 0);
    } else {
      ptx::cp_async_4(to, from, line < lines && inside > 0);
    }
    from += kLinesAtOnce * ld;
  }
}

/// Starts copying a chunk of k.
template <bool kColumnMajor, bool kAligned>
__device__ __forceinline__ void copy_chunk(Stage<kColumnMajor>& stage, GemmArgs const& args, int row, int column,
                                           int k) {
  auto const* const a = static_cast<float const*>(args.a) + row * args.lda + k;
  copy_tile<kAligned, kTile, kChunk>(stage.a, a, args.lda, args.m - row, args.k - k);
  if constexpr (kColumnMajor) {
    auto const* const b = static_cast<float const*>(args.b) + column * args.ldb + k;
    copy_tile<kAligned, kTile, kChunk>(stage.b, b, args.ldb, args.n - column, args.k - k);
  } else {
    auto const* const b = static_cast<float const*>(args.b) + k * args.ldb + column;
    copy_tile<kAligned, kChunk, kTile>(stage.b, b, args.ldb, args.k - k, args.n - column);
  }
}

/// What a thread owns of the tile: rows 4 apart, and columns next to each other or, if B lies along k, 8 apart.
template <bool kColumnMajor>
struct Own {
  int first_row = static_cast<int>(threadIdx.x) % 32 / 8;
  int first_column = static_cast<int>(threadIdx.x) % 8 * (kColumnMajor ? 1 : 4);

  __device__ __forceinline__ int row(int i) const { return first_row + 4 * i; }
  __device__ __forceinline__ int column(int j) const { return first_column + (kColumnMajor ? 8 : 1) * j; }
};

__device__ __forceinline__ float4 quad_at(float const* shared) { return *reinterpret_cast<float4 const*>(shared); }

/// Adds the products of four k.
template <bool kColumnMajor>
__device__ __forceinline__ void multiply_four(float (&sum)[8][4], Stage<kColumnMajor> const& stage, int k,
                                              Own<kColumnMajor> const& own) {
  float b[4][4];  // (k, column)
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    float4 const quad = kColumnMajor ? quad_at(&stage.b[own.column(n)][k]) : quad_at(&stage.b[k + n][own.column(0)]);
    (kColumnMajor ? b[0][n] : b[n][0]) = quad.x;
    (kColumnMajor ? b[1][n] : b[n][1]) = quad.y;
    (kColumnMajor ? b[2][n] : b[n][2]) = quad.z;
    (kColumnMajor ? b[3][n] : b[n][3]) = quad.w;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    float4 const a = quad_at(&stage.a[own.row(i)][k]);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sum[i][j] = fmaf(a.x, b[0][j], sum[i][j]);
      sum[i][j] = fmaf(a.y, b[1][j], sum[i][j]);
      sum[i][j] = fmaf(a.z, b[2][j], sum[i][j]);
      sum[i][j] = fmaf(a.w, b[3][j], sum[i][j]);
    }
  }
}

/// Adds up the warps' sums and stores the tile. `shared` has room for a tile per warp.
template <bool kColumnMajor>
__device__ __forceinline__ void add_and_store(GemmArgs const& args, int row, int column, float (&sum)[8][4],
                                              Own<kColumnMajor> const& own, float* shared) {
  constexpr int kPitch = kTile + 4;
  float* const tile = shared + threadIdx.x / 32 * kTile * kPitch;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) tile[own.row(i) * kPitch + own.column(j)] = sum[i][j];
  }
  __syncthreads();
  static_assert(kThreads * 4 == kTile * kTile, "a quad per thread");
  int const tile_row = static_cast<int>(threadIdx.x) / 8;
  int const tile_column = static_cast<int>(threadIdx.x) % 8 * 4;
  float total[4] = {};
#pragma unroll
  for (int warp = 0; warp < kWarps; ++warp) {
    float4 const part = quad_at(shared + (warp * kTile + tile_row) * kPitch + tile_column);
    total[0] += part.x;
    total[1] += part.y;
    total[2] += part.z;
    total[3] += part.w;
  }
  if (row + tile_row < args.m) store_quad(args, row + tile_row, column + tile_column, total);
}

template <bool kColumnMajor, bool kAligned>
__global__ void __launch_bounds__(kThreads, 2) small(GemmArgs args) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const stages = reinterpret_cast<Stage<kColumnMajor>*>(memory);
  static_assert(sizeof(Stage<kColumnMajor>) * kStages >= sizeof(float) * kWarps * kTile * (kTile + 4));
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  int const warp = static_cast<int>(threadIdx.x) / 32;
  Own<kColumnMajor> const own;

  int next_k = 0;  // of the next chunk to copy
  auto const copy_next = [&](int stage) {
    if (next_k < args.k) copy_chunk<kColumnMajor, kAligned>(stages[stage], args, row, column, next_k);
    ptx::cp_async_commit();
    next_k += kChunk;
  };
  for (int stage = 0; stage < kStages - 1; ++stage) copy_next(stage);
  float sum[8][4] = {};
  int stage = 0;
  for (int k = 0; k < args.k; k += kChunk) {
    ptx::cp_async_wait<kStages - 2>();
    __syncthreads();  // this chunk has arrived for all, and the one before has been read by all
    copy_next((stage + kStages - 1) % kStages);
#pragma unroll
    for (int part = 0; part < kPart; part += 4) multiply_four(sum, stages[stage], warp * kPart + part, own);
    stage = (stage + 1) % kStages;
  }
  ptx::cp_async_wait<0>();
  __syncthreads();
  add_and_store(args, row, column, sum, own, reinterpret_cast<float*>(memory));
}

template <bool kColumnMajor, bool kAligned>
void launch_with(GemmArgs const& args) {
  constexpr int kBytes = sizeof(Stage<kColumnMajor>) * kStages;
  auto const kernel = small<kColumnMajor, kAligned>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  int const tiles = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  kernel<<<tiles, kThreads, kBytes, args.stream>>>(args);
}

void launch(GemmArgs const& args) {
  bool const aligned = args.lda % 4 == 0 && args.ldb % 4 == 0;
  if (args.b_layout == BLayout::row_major) {
    aligned ? launch_with<false, true>(args) : launch_with<false, false>(args);
  } else {
    aligned ? launch_with<true, true>(args) : launch_with<true, false>(args);
  }
}

}  // namespace

PERFCHECK_GEMM_KERNEL(small, .summary = "32 x 32 tiles; the warps of a block take parts of k in turns",
                      .types = GemmTypes::f32, .arch = arch_at_least(8, 0), .launch = launch);
