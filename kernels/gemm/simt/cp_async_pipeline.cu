// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major or column-major; C and D row-major. Any leading dimensions.
// Idea              A pipeline of tiles in shared memory: cp.async copies a tile without passing through registers,
//                   three tiles ahead of the one being multiplied. One barrier per tile is still enough.
// Previous step     warp_tile: TileCopy starts copies instead of reading and storing, into a ring of stages.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, 8 x 8 per thread, k in steps of 8.
// Shared memory     4 stages, 33 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Intensity         As in warp_tile: 32 FLOP per byte of global and 4 per byte of shared memory.
// Expected          As for warp_tile, instruction issue allows at most 56 TFLOP/s; nothing waits for global memory.
// Requires          Compute capability 8.0 for cp.async. Any size, any alignment: row-major B is copied 16 bytes at a
//                   time where its rows are aligned to 16 bytes, else 4; elements outside the matrices become zeros.
// Limits            A, and column-major B, are copied 4 bytes at a time because they are transposed on the way.
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

// A warp's lanes form a grid of 4 x 8.
constexpr int kLanesM = 4;
constexpr int kLanesN = 8;
// Four floats of padding: the eight k of a line that is copied transposed fall into banks 4 apart, so a warp that
// copies four lines hits 32 different banks.
constexpr int kPadding = 4;

/// Tile sizes of each level in rows (M), columns (N) and k: a block has kWarpsM x kWarpsN warps, and a thread kQuadsM x
/// kQuadsN squares of 4 x 4 sums, which lie 4 * kLanesM rows and 4 * kLanesN columns apart.
template <int kWarpsM, int kWarpsN, int kQuadsM, int kQuadsN, int kLengthK, int kDepth>
struct Tiling {
  static constexpr int kThreadM = 4 * kQuadsM, kThreadN = 4 * kQuadsN;
  static constexpr int kWarpM = kLanesM * kThreadM, kWarpN = kLanesN * kThreadN;
  static constexpr int kTileM = kWarpsM * kWarpM, kTileN = kWarpsN * kWarpN;
  static constexpr int kTileK = kLengthK;
  static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
  static constexpr int kStages = kDepth;
  // Rows of A, or columns of column-major B, that the block copies at a time, an element per thread.
  static constexpr int kLines = kThreads / kTileK;
  static_assert(kLines * kTileK == kThreads && kTileM % kLines == 0 && kTileN % kLines == 0, "copies divide the tiles");
  static_assert(kTileK % 2 == 0, "each tile begins with the same fragment");
};
using ThisTiling = Tiling<4, 2, 2, 2, 8, 4>;

template <class T>
struct Tiles {
  alignas(16) float a[T::kTileK][T::kTileM + kPadding];  // (k, row)
  alignas(16) float b[T::kTileK][T::kTileN + kPadding];  // (k, column)
};

/// A thread's rows and columns of the block's tile.
template <class T>
struct ThreadTile {
  int first_row, first_column;

  /// The lanes are arranged as in warp_tile.
  __device__ __forceinline__ ThreadTile() {
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    first_row = warp % (T::kTileM / T::kWarpM) * T::kWarpM + lane / 2 % 4 * 4;
    first_column = warp / (T::kTileM / T::kWarpM) * T::kWarpN + (lane / 8 * 2 + lane % 2) * 4;
  }
  __device__ __forceinline__ int row(int i) const { return first_row + i / 4 * (4 * kLanesM) + i % 4; }
  __device__ __forceinline__ int column(int j) const { return first_column + j / 4 * (4 * kLanesN) + j % 4; }
};

/// How tiles of B are copied.
enum class CopyB { row_quads, row_elements, transposed };

/// One thread's share of copying tiles: elements of A, and quads or elements of B.
template <class T, CopyB kCopyB>
struct TileCopy {
  static constexpr int kWidth = kCopyB == CopyB::row_quads ? 4 : 1;  // elements of B per copy
  static constexpr int kRowsOfB = kWidth * T::kThreads / T::kTileN;  // of row-major B, that the block copies at a time
  static_assert(kRowsOfB * T::kTileN == kWidth * T::kThreads && T::kTileK % kRowsOfB == 0, "copies divide B's tile");
  float const* a;
  float const* b;
  uint32_t a_shared, b_shared;  // where this thread's first element goes in stage 0
  int a_rows_left, a_k_left;    // elements from this thread's first one of the next tile to the end of the matrix
  int b_columns_left, b_k_left;
  int64_t lda, ldb;

  __device__ __forceinline__ TileCopy(GemmArgs const& args, Tiles<T> const& tiles, int tile_row, int tile_column)
      : lda(args.lda), ldb(args.ldb) {
    int const line = threadIdx.x / T::kTileK, k = threadIdx.x % T::kTileK;
    a = static_cast<float const*>(args.a) + (int64_t{tile_row} + line) * lda + k;
    a_shared = ptx::shared_address(&tiles.a[k][line]);
    a_rows_left = args.m - tile_row - line;
    a_k_left = args.k - k;

    bool const transposed = kCopyB == CopyB::transposed;
    int const b_k = transposed ? k : threadIdx.x * kWidth / T::kTileN;
    int const b_column = transposed ? line : threadIdx.x * kWidth % T::kTileN;
    b = static_cast<float const*>(args.b);
    b += transposed ? (int64_t{tile_column} + b_column) * ldb + b_k : b_k * ldb + tile_column + b_column;
    b_shared = ptx::shared_address(&tiles.b[b_k][b_column]);
    b_columns_left = args.n - tile_column - b_column;
    b_k_left = args.k - b_k;
  }

  /// Starts copying the next tile to a stage, and commits the group of copies. Zeros after the last tile.
  __device__ __forceinline__ void start_next(int stage) {
    uint32_t const offset = stage * sizeof(Tiles<T>);
    copy_lines<T::kTileM>(a_shared + offset, a, lda, a_k_left > 0 ? a_rows_left : 0);
    a += T::kTileK;
    a_k_left -= T::kTileK;
    if constexpr (kCopyB == CopyB::transposed) {
      copy_lines<T::kTileN>(b_shared + offset, b, ldb, b_k_left > 0 ? b_columns_left : 0);
      b += T::kTileK;
    } else {
#pragma unroll
      for (int k = 0; k < T::kTileK; k += kRowsOfB) {
        uint32_t const to = b_shared + offset + k * sizeof(Tiles<T>::b[0]);
        int const columns = k < b_k_left ? min(max(b_columns_left, 0), kWidth) : 0;
        if constexpr (kCopyB == CopyB::row_quads) {
          ptx::cp_async_16(to, b + k * ldb, columns * 4);
        } else {
          ptx::cp_async_4(to, b + k * ldb, columns > 0);
        }
      }
      b += T::kTileK * ldb;
    }
    b_k_left -= T::kTileK;
    ptx::cp_async_commit();
  }

  /// Copies one k of every T::kLines-th line, of which `left` from the first one on lie inside the matrix.
  template <int kTile>
  static __device__ __forceinline__ void copy_lines(uint32_t to, float const* from, int64_t ld, int left) {
#pragma unroll
    for (int line = 0; line < kTile; line += T::kLines) {
      ptx::cp_async_4(to + line * 4, from + line * ld, line < left);
    }
  }
};

/// The operands of one k: the thread's rows of A and columns of B.
template <class T>
struct Fragment {
  alignas(16) float a[T::kThreadM];
  alignas(16) float b[T::kThreadN];

  __device__ __forceinline__ void read(Tiles<T> const& tiles, int k, ThreadTile<T> const& mine) {
#pragma unroll
    for (int i = 0; i < T::kThreadM; i += 4) {
      *reinterpret_cast<float4*>(&a[i]) = *reinterpret_cast<float4 const*>(&tiles.a[k][mine.row(i)]);
    }
#pragma unroll
    for (int j = 0; j < T::kThreadN; j += 4) {
      *reinterpret_cast<float4*>(&b[j]) = *reinterpret_cast<float4 const*>(&tiles.b[k][mine.column(j)]);
    }
  }
};

template <class T, CopyB kCopyB>
__global__ void __launch_bounds__(T::kThreads, 2) cp_async_pipeline(GemmArgs args) {
  __shared__ Tiles<T> tiles[T::kStages];
  TileIndex const tile = grouped_tile(blockIdx.x, tiles_to_cover(args.m, T::kTileM), tiles_to_cover(args.n, T::kTileN));
  int const tile_row = tile.row * T::kTileM;
  int const tile_column = tile.column * T::kTileN;
  ThreadTile<T> const mine;

  TileCopy<T, kCopyB> copy(args, tiles[0], tile_row, tile_column);
  for (int stage = 0; stage < T::kStages - 1; ++stage) copy.start_next(stage);
  ptx::cp_async_wait<T::kStages - 2>();
  __syncthreads();

  float sum[T::kThreadM][T::kThreadN] = {};
  Fragment<T> fragments[2];
  fragments[0].read(tiles[0], 0, mine);
  int current = 0;
  int to_fill = T::kStages - 1;
  for (int k_left = args.k; k_left > 0; k_left -= T::kTileK) {
    copy.start_next(to_fill);
#pragma unroll
    for (int k = 0; k < T::kTileK; ++k) {
      if (k == T::kTileK - 1) {  // the current tile has been read
        to_fill = current;
        current = current + 1 == T::kStages ? 0 : current + 1;
        ptx::cp_async_wait<T::kStages - 2>();  // the next tile has arrived, for this thread;
        __syncthreads();                       // for all threads, and none reads the current tile any more
      }
      fragments[(k + 1) % 2].read(tiles[current], (k + 1) % T::kTileK, mine);
      multiply_add(sum, fragments[k % 2].a, fragments[k % 2].b);
    }
  }

  ptx::cp_async_wait<0>();

#pragma unroll
  for (int i = 0; i < T::kThreadM; ++i) {
    if (mine.row(i) >= args.m - tile_row) continue;
#pragma unroll
    for (int j = 0; j < T::kThreadN; j += 4) {
      store_quad(args, tile_row + mine.row(i), tile_column + mine.column(j), &sum[i][j]);
    }
  }
}

void launch(GemmArgs const& args) {
  int const blocks = tiles_to_cover(args.m, ThisTiling::kTileM) * tiles_to_cover(args.n, ThisTiling::kTileN);
  auto kernel = cp_async_pipeline<ThisTiling, CopyB::transposed>;
  if (args.b_layout == BLayout::row_major) {
    kernel = args.ldb % 4 == 0 ? cp_async_pipeline<ThisTiling, CopyB::row_quads>
                               : cp_async_pipeline<ThisTiling, CopyB::row_elements>;
  }
  kernel<<<blocks, ThisTiling::kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(cp_async_pipeline, .summary = "cp.async pipeline of tiles, 8 x 8 sums per thread",
                      .types = GemmTypes::f32, .arch = arch_at_least(8, 0), .launch = launch);
