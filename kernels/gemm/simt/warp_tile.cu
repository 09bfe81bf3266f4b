// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              A tile for every level of the machine: blocks that share the L2 cache, a block, a warp, a thread. A
//                   warp's tile is compact, so that its lanes read fewer different numbers, and the order of the lanes
//                   lets shared memory serve half a warp per cycle instead of a quarter.
// Previous step     register_ping_pong (ptx_loads is a side step): Tiling and ThreadTile. A thread's quads of columns
//                   are 32 apart, so reads need no swizzle; stores of A are padded again, which works for any tile.
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, 8 x 8 per thread, k in steps of 8.
// Shared memory     16.5 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Intensity         Global: 32 FLOP per byte. Shared: per k, a warp reads four times 16 bytes per lane, in two cycles
//                   each: 8 cycles of 128 bytes for 4096 FLOP, 4 FLOP per byte.
// Expected          Shared memory would allow twice the peak. Instruction issue does not: 64 of 76 cycles are
//                   multiply-adds, at most 56 TFLOP/s.
// Requires          B row-major. Any CUDA device, any size, any alignment. Reads from global memory are 16 bytes wide
//                   where rows consist of whole, aligned quads, else 4.
// Limits            A tile passes through registers on its way to shared memory, and only one tile is in flight.
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

// A warp's lanes form a grid of 4 x 8.
constexpr int kLanesM = 4;
constexpr int kLanesN = 8;
// Four floats of padding: rows of a tile that are four k apart begin 16 banks apart, and quads stay aligned.
constexpr int kPadding = 4;

/// Tile sizes of each level in rows (M), columns (N) and k: a block has kWarpsM x kWarpsN warps, and a thread kQuadsM x
/// kQuadsN squares of 4 x 4 sums, which lie 4 * kLanesM rows and 4 * kLanesN columns apart.
template <int kWarpsM, int kWarpsN, int kQuadsM, int kQuadsN, int kLengthK>
struct Tiling {
  static constexpr int kThreadM = 4 * kQuadsM, kThreadN = 4 * kQuadsN;
  static constexpr int kWarpM = kLanesM * kThreadM, kWarpN = kLanesN * kThreadN;
  static constexpr int kTileM = kWarpsM * kWarpM, kTileN = kWarpsN * kWarpN;
  static constexpr int kTileK = kLengthK;
  static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
  // Rows that the block copies at a time, a quad per thread.
  static constexpr int kRowsOfA = 4 * kThreads / kTileK, kRowsOfB = 4 * kThreads / kTileN;
  static_assert(kRowsOfA * kTileK == 4 * kThreads && kTileM % kRowsOfA == 0, "copies divide A's tile evenly");
  static_assert(kRowsOfB * kTileN == 4 * kThreads && kTileK % kRowsOfB == 0, "copies divide B's tile evenly");
  static_assert(kTileK % 4 == 0, "a row of A's tile consists of quads, and each tile begins with the same fragment");
};
using ThisTiling = Tiling<4, 2, 2, 2, 8>;

template <class T>
struct Tiles {
  alignas(16) float a[T::kTileK][T::kTileM + kPadding];  // (k, row)
  alignas(16) float b[T::kTileK][T::kTileN + kPadding];  // (k, column)
};

/// A thread's rows and columns of the block's tile.
template <class T>
struct ThreadTile {
  int first_row, first_column;

  /// Each quarter of the warp covers 4 x 2 lanes of the grid: a 16-byte read by the warp then takes 64 contiguous bytes
  /// of A's tile or 128 of B's, without bank conflicts.
  __device__ __forceinline__ ThreadTile() {
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    first_row = warp % (T::kTileM / T::kWarpM) * T::kWarpM + lane / 2 % 4 * 4;
    first_column = warp / (T::kTileM / T::kWarpM) * T::kWarpN + (lane / 8 * 2 + lane % 2) * 4;
  }
  __device__ __forceinline__ int row(int i) const { return first_row + i / 4 * (4 * kLanesM) + i % 4; }
  __device__ __forceinline__ int column(int j) const { return first_column + j / 4 * (4 * kLanesN) + j % 4; }
};

/// One thread's share of copying tiles.
template <class T, bool kWhole>
struct TileCopy {
  static constexpr int kQuadsA = T::kTileM / T::kRowsOfA, kQuadsB = T::kTileK / T::kRowsOfB;
  int a_row, a_k, b_k, b_column;  // the first quad of each operand
  ViewOfA<> a;
  ViewOfB<> b;
  float4 a_quads[kQuadsA], b_quads[kQuadsB];

  __device__ __forceinline__ TileCopy(GemmArgs const& args, int tile_row, int tile_column)
      : a_row(threadIdx.x / (T::kTileK / 4)),
        a_k(threadIdx.x % (T::kTileK / 4) * 4),
        b_k(threadIdx.x / (T::kTileN / 4)),
        b_column(threadIdx.x % (T::kTileN / 4) * 4),
        a(args, tile_row, a_row, a_k),
        b(args, tile_column, b_k, b_column) {}

  /// Reads the next tile; zeros after the last one.
  __device__ __forceinline__ void read_next() {
#pragma unroll
    for (int i = 0; i < kQuadsA; ++i) a_quads[i] = a.quad<kWhole>(i * T::kRowsOfA);
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i) b_quads[i] = b.quad<kWhole>(i * T::kRowsOfB);
    a.next_tile(T::kTileK);
    b.next_tile(T::kTileK);
  }
  __device__ __forceinline__ void store(Tiles<T>& tiles) const {
#pragma unroll
    for (int i = 0; i < kQuadsA; ++i) {
      int const row = a_row + i * T::kRowsOfA;
      tiles.a[a_k + 0][row] = a_quads[i].x;
      tiles.a[a_k + 1][row] = a_quads[i].y;
      tiles.a[a_k + 2][row] = a_quads[i].z;
      tiles.a[a_k + 3][row] = a_quads[i].w;
    }
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i) {
      *reinterpret_cast<float4*>(&tiles.b[b_k + i * T::kRowsOfB][b_column]) = b_quads[i];
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

template <class T, bool kWhole>
__global__ void __launch_bounds__(T::kThreads, 2) warp_tile(GemmArgs args) {
  __shared__ Tiles<T> tiles[2];
  TileIndex const tile = grouped_tile(blockIdx.x, tiles_to_cover(args.m, T::kTileM), tiles_to_cover(args.n, T::kTileN));
  int const tile_row = tile.row * T::kTileM;
  int const tile_column = tile.column * T::kTileN;
  ThreadTile<T> const mine;

  TileCopy<T, kWhole> copy(args, tile_row, tile_column);
  copy.read_next();
  copy.store(tiles[0]);
  __syncthreads();

  float sum[T::kThreadM][T::kThreadN] = {};
  Fragment<T> fragments[2];
  fragments[0].read(tiles[0], 0, mine);
  int current = 0;
  for (int k_left = args.k; k_left > 0; k_left -= T::kTileK) {
    copy.read_next();
#pragma unroll
    for (int k = 0; k < T::kTileK; ++k) {
      if (k == T::kTileK - 1) {  // the current tile has been read
        current ^= 1;            // switch to the buffers that all threads had read before the last barrier
        copy.store(tiles[current]);
        __syncthreads();
      }
      fragments[(k + 1) % 2].read(tiles[current], (k + 1) % T::kTileK, mine);
      multiply_add(sum, fragments[k % 2].a, fragments[k % 2].b);
    }
  }

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
  auto const kernel = has_whole_quads(args) ? warp_tile<ThisTiling, true> : warp_tile<ThisTiling, false>;
  kernel<<<blocks, ThisTiling::kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(warp_tile, .summary = "tiles for blocks, warps and threads", .types = GemmTypes::f32,
                      .arch = any_arch(), .accepts = refuse_column_major_b, .launch = launch);
