// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32 for small problems; 1, 2, 4 or 8 x 4 sums per thread.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              A small problem has few tiles and is over in microseconds: what counts is the length of its chain
//                   of waits. The eight warps of a block compute one 32 x 32 tile; they split its rows, or k, or both.
//                   The more warps split k, the fewer chunks follow each other, but their sums have to be added up.
//                   Nothing is transposed: what lies along k in memory is read along k from shared memory too, four k
//                   per read.
// Previous step     split_k: parts of k go to the warps of one block instead of the blocks of a cluster.
// Tile and threads  Block 32 x 32 of D, 256 threads. Of the points of the tuning space, the first has chunks of 128 k,
//                   of which a warp takes 16; the last is for tiny matrices: one block per matrix, four rows per warp.
// Shared memory     99 KiB in the first point, three chunks of A and B; two blocks share a multiprocessor.
// Intensity         Per k, a block reads 256 bytes from global memory for 2 KiFLOP: 8 FLOP per byte. Per four k, a
//                   warp of the first point reads 12 x 512 bytes from shared memory for 8 KiFLOP: 1.3 FLOP per byte.
// Expected          A launch, one round trip to memory, k / 128 chunks of 0.6 us, and the sum: 3.5 us for 128 cubed.
// Requires          Compute capability 8.0 for cp.async. Copies are 16 bytes wide where rows are aligned to 16 bytes,
//                   else 4.
// Limits            L2 traffic: every element of A and B is read once per 32 columns or rows of D.
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm_tuning.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>

namespace {

using namespace perfcheck;

constexpr int kTile = 32;
constexpr int kWarps = 8;
constexpr int kThreads = kWarps * 32;

/// How the warps of a block split its tile.
struct Sharing {
  int warps_k = 0;  ///< warps that take a part of k each; kWarps / warps_k such groups take rows
  int chunk = 0;    ///< k per stage
  int stages = 0;

  __host__ __device__ constexpr int part() const { return chunk / warps_k; }  ///< k per warp and stage
  __host__ __device__ constexpr int warp_rows() const { return kTile * warps_k / kWarps; }
  __host__ __device__ constexpr int thread_rows() const { return warp_rows() / 4; }
};
constexpr Sharing kSharings[] = {{8, 128, 3}, {8, 64, 3}, {4, 64, 3}, {2, 64, 2}, {2, 32, 3}, {1, 32, 2}};
constexpr PointName point_name(Sharing const& sharing) {
  return join_with_x({sharing.warps_k, sharing.chunk, sharing.stages});
}

/// A tile of A, or of column-major B: its lines lie along k, and neighbouring lines begin four banks apart.
template <int kChunk>
using TileAlongK = float[kTile][kChunk + 4];
/// A tile of row-major B.
template <int kChunk>
using TileAlongN = float[kChunk][kTile];

template <bool kColumnMajor, int kChunk>
struct Stage {
  TileAlongK<kChunk> a;
  std::conditional_t<kColumnMajor, TileAlongK<kChunk>, TileAlongN<kChunk>> b;
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
template <bool kAligned, bool kColumnMajor, int kChunk>
__device__ __forceinline__ void copy_chunk(Stage<kColumnMajor, kChunk>& stage, GemmArgs const& args, int row,
                                           int column, int k) {
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
template <bool kColumnMajor, Sharing kSharing>
struct Own {
  int first_row = static_cast<int>(threadIdx.x) / 32 / kSharing.warps_k * kSharing.warp_rows() +
                  static_cast<int>(threadIdx.x) % 32 / 8;
  int first_column = static_cast<int>(threadIdx.x) % 8 * (kColumnMajor ? 1 : 4);

  __device__ __forceinline__ int row(int i) const { return first_row + 4 * i; }
  __device__ __forceinline__ int column(int j) const { return first_column + (kColumnMajor ? 8 : 1) * j; }
};

__device__ __forceinline__ float4 quad_at(float const* shared) { return *reinterpret_cast<float4 const*>(shared); }

/// Adds the products of four k.
template <bool kColumnMajor, Sharing kSharing>
__device__ __forceinline__ void multiply_four(float (&sum)[kSharing.thread_rows()][4],
                                              Stage<kColumnMajor, kSharing.chunk> const& stage, int k,
                                              Own<kColumnMajor, kSharing> const& own) {
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
  for (int i = 0; i < kSharing.thread_rows(); ++i) {
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

/// Adds up the sums of warps that shared k, and stores the tile. `shared` has room for a tile per such warp.
template <bool kColumnMajor, Sharing kSharing>
__device__ __forceinline__ void add_and_store(GemmArgs const& args, int row, int column,
                                              float (&sum)[kSharing.thread_rows()][4],
                                              Own<kColumnMajor, kSharing> const& own, float* shared) {
  constexpr int kPitch = kTile + 4;
  float* const tile = shared + static_cast<int>(threadIdx.x) / 32 % kSharing.warps_k * kTile * kPitch;
#pragma unroll
  for (int i = 0; i < kSharing.thread_rows(); ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) tile[own.row(i) * kPitch + own.column(j)] = sum[i][j];
  }
  __syncthreads();
  static_assert(kThreads * 4 == kTile * kTile, "a quad per thread");
  int const tile_row = static_cast<int>(threadIdx.x) / 8;
  int const tile_column = static_cast<int>(threadIdx.x) % 8 * 4;
  float total[4] = {};
#pragma unroll
  for (int warp = 0; warp < kSharing.warps_k; ++warp) {
    float4 const part = quad_at(shared + (warp * kTile + tile_row) * kPitch + tile_column);
    total[0] += part.x;
    total[1] += part.y;
    total[2] += part.z;
    total[3] += part.w;
  }
  if (row + tile_row < args.m) store_quad(args, row + tile_row, column + tile_column, total);
}

template <bool kColumnMajor, Sharing kSharing>
constexpr int kSharedBytes = std::max<int>(sizeof(Stage<kColumnMajor, kSharing.chunk>) * kSharing.stages,
                                           sizeof(float) * kSharing.warps_k * kTile * (kTile + 4));

template <int kPoint, bool kColumnMajor, bool kAligned>
__global__ void __launch_bounds__(kThreads, 2) small(GemmArgs args) {
  constexpr Sharing kSharing = kSharings[kPoint];
  constexpr int kStages = kSharing.stages;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const stages = reinterpret_cast<Stage<kColumnMajor, kSharing.chunk>*>(memory);
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const row = static_cast<int>(blockIdx.x) / tiles_n * kTile;
  int const column = static_cast<int>(blockIdx.x) % tiles_n * kTile;
  int const first_k = static_cast<int>(threadIdx.x) / 32 % kSharing.warps_k * kSharing.part();
  Own<kColumnMajor, kSharing> const own;

  int next_k = 0;  // of the next chunk to copy
  auto const copy_next = [&](int stage) {
    if (next_k < args.k) copy_chunk<kAligned>(stages[stage], args, row, column, next_k);
    ptx::cp_async_commit();
    next_k += kSharing.chunk;
  };
  for (int stage = 0; stage < kStages - 1; ++stage) copy_next(stage);
  float sum[kSharing.thread_rows()][4] = {};
  int stage = 0;
  for (int k = 0; k < args.k; k += kSharing.chunk) {
    ptx::cp_async_wait<kStages - 2>();
    __syncthreads();  // this chunk has arrived for all, and the one before has been read by all
    copy_next((stage + kStages - 1) % kStages);
#pragma unroll
    for (int part = 0; part < kSharing.part(); part += 4) multiply_four(sum, stages[stage], first_k + part, own);
    stage = (stage + 1) % kStages;
  }
  ptx::cp_async_wait<0>();
  __syncthreads();
  add_and_store(args, row, column, sum, own, reinterpret_cast<float*>(memory));
}

template <int kPoint, bool kColumnMajor, bool kAligned>
void launch_with(GemmArgs const& args) {
  constexpr int kBytes = kSharedBytes<kColumnMajor, kSharings[kPoint]>;
  auto const kernel = small<kPoint, kColumnMajor, kAligned>;
  PERFCHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  int const tiles = tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
  kernel<<<tiles, kThreads, kBytes, args.stream>>>(args);
}

template <int kPoint>
void launch(GemmArgs const& args) {
  bool const aligned = args.lda % 4 == 0 && args.ldb % 4 == 0;
  if (args.b_layout == BLayout::row_major) {
    aligned ? launch_with<kPoint, false, true>(args) : launch_with<kPoint, false, false>(args);
  } else {
    aligned ? launch_with<kPoint, true, true>(args) : launch_with<kPoint, true, false>(args);
  }
}

template <int kPoint>
constexpr GemmKernel kKernel{.summary = "32 x 32 tiles; the warps of a block take rows, or parts of k",
                             .types = GemmTypes::f32,
                             .arch = arch_at_least(8, 0),
                             .launch = launch<kPoint>};

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(small, kSharings, kKernel);
