// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP32, 8 x 8 elements of D per thread.
// Layouts           A row-major; B row-major only; C and D row-major. Any leading dimensions.
// Idea              For one k, a warp needs 32 rows of A and 64 columns of B. Each lane reads only four of these
//                   numbers from shared memory, and gets the others by __shfl_sync from the lanes that read them.
// Previous step     warp_tile: Fragment::read() becomes Part::read() and Fragment::gather().
// Tile and threads  Block 128 x 128 of D, 256 threads as 4 x 2 warps of 32 x 64, 8 x 8 per thread, k in steps of 8.
// Shared memory     16.5 KiB; at most 128 registers, so that two blocks share a multiprocessor.
// Intensity         Global: 32 FLOP per byte. Shared: per k, a warp reads four times up to 128 bytes, one cycle each,
//                   for 4096 FLOP: 8 FLOP per byte. But it also shuffles 16 times.
// Expected          Slower than warp_tile. A shuffle goes through the same crossbar as a read of 4 bytes per lane and
//                   takes as long, but brings one number where a read in warp_tile brings four: 20 cycles per k instead
//                   of 8. A warp's multiply-adds take 16 cycles of its multiprocessor: at most 16 / 20 of the peak, 53
//                   TFLOP/s. And of 84 instructions 64 are multiply-adds: at most 51 TFLOP/s.
// Requires          B row-major. Any CUDA device, any size, any alignment. Reads from global memory are 16 bytes wide
//                   where rows consist of whole, aligned quads, else 4.
// Limits            Shuffles. With fewer of them, lanes would share less, and lanes that share less read more.
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

namespace {

using namespace perfcheck;

// A warp's lanes form a grid of 4 x 8. The first quads of all lanes form a group, and the second quads another.
constexpr int kLanesM = 4;
constexpr int kLanesN = 8;
constexpr int kRowsPerGroup = 4 * kLanesM;
constexpr int kColumnsPerGroup = 4 * kLanesN;
static_assert(kColumnsPerGroup == 32, "a lane has one column of each group");
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
  int lane;
  int warp_row, warp_column;  // where the warp's tile begins
  int lane_row, lane_column;  // where the lane's quads begin, within their groups

  /// The lanes are arranged as in warp_tile.
  __device__ __forceinline__ ThreadTile() : lane(threadIdx.x % 32) {
    int const warp = threadIdx.x / 32;
    warp_row = warp % (T::kTileM / T::kWarpM) * T::kWarpM;
    warp_column = warp / (T::kTileM / T::kWarpM) * T::kWarpN;
    lane_row = lane / 2 % 4 * 4;
    lane_column = (lane / 8 * 2 + lane % 2) * 4;
  }
  __device__ __forceinline__ int row(int i) const { return warp_row + lane_row + i / 4 * kRowsPerGroup + i % 4; }
  __device__ __forceinline__ int column(int j) const {
    return warp_column + lane_column + j / 4 * kColumnsPerGroup + j % 4;
  }
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

/// A lane's share of the warp's operands for one k: of each group of quads, it reads one row of A or one column of B.
template <class T>
struct Part {
  float a[T::kThreadM / 4];
  float b[T::kThreadN / 4];

  __device__ __forceinline__ void read(Tiles<T> const& tiles, int k, ThreadTile<T> const& mine) {
#pragma unroll
    for (int i = 0; i < T::kThreadM / 4; ++i)
      a[i] = tiles.a[k][mine.warp_row + mine.lane % kRowsPerGroup + i * kRowsPerGroup];
#pragma unroll
    for (int j = 0; j < T::kThreadN / 4; ++j) b[j] = tiles.b[k][mine.warp_column + mine.lane + j * kColumnsPerGroup];
  }
};

/// The operands of one k: the thread's rows of A and columns of B.
template <class T>
struct Fragment {
  float a[T::kThreadM];
  float b[T::kThreadN];

  /// Gets each number from a lane that has it.
  __device__ __forceinline__ void gather(Part<T> const& part, ThreadTile<T> const& mine) {
    constexpr unsigned kAllLanes = 0xFFFFFFFF;
#pragma unroll
    for (int i = 0; i < T::kThreadM; ++i) a[i] = __shfl_sync(kAllLanes, part.a[i / 4], mine.lane_row + i % 4);
#pragma unroll
    for (int j = 0; j < T::kThreadN; ++j) b[j] = __shfl_sync(kAllLanes, part.b[j / 4], mine.lane_column + j % 4);
  }
};

template <class T, bool kWhole>
__global__ void __launch_bounds__(T::kThreads, 2) shuffle_broadcast(GemmArgs args) {
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
  Part<T> parts[2];
  parts[0].read(tiles[0], 0, mine);
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
      parts[(k + 1) % 2].read(tiles[current], (k + 1) % T::kTileK, mine);
      Fragment<T> fragment;
      fragment.gather(parts[k % 2], mine);
      multiply_add(sum, fragment.a, fragment.b);
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
  auto const kernel =
      has_whole_quads(args) ? shuffle_broadcast<ThisTiling, true> : shuffle_broadcast<ThisTiling, false>;
  kernel<<<blocks, ThisTiling::kThreads, 0, args.stream>>>(args);
}

}  // namespace

PERFCHECK_GEMM_KERNEL(shuffle_broadcast, .summary = "lanes of a warp share reads, and pass on what others need",
                      .types = GemmTypes::f32, .arch = any_arch(), .accepts = refuse_column_major_b, .launch = launch);
