// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The FP32 GEMM that all kernels of this folder share: 128 x 128 tiles of D, two buffers of tiles in shared memory, 8 x
// 8 elements of D per thread. Each kernel adds one thing in which two builds may differ although machine code, name,
// grid, block, registers and shared memory are the same. Not for use outside tests.
#pragma once

#include <cuda_runtime.h>
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>
#include <perfcheck/f32_epilogue.cuh>
#include <perfcheck/simt_tile.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace perfcheck::zoo {

/// Which of the two builds of the same source this is: the commit that is slower, or the one before it.
#ifdef PERFCHECK_ZOO_SLOW
inline constexpr bool kSlow = true;
#else
inline constexpr bool kSlow = false;
#endif

inline constexpr int kTile = 128;  // rows and columns of D per block
inline constexpr int kTileK = 8;
inline constexpr int kThreads = 256;
inline constexpr int kQuads = 2;              // per row and per column of a thread's elements of D
inline constexpr int kHalf = kTile / kQuads;  // distance from one quad to the next
inline constexpr int kPadding = 4;            // keeps rows of tiles aligned to 16 bytes

__host__ __device__ constexpr int tiles_of(GemmArgs const& args) {
  return tiles_to_cover(args.m, kTile) * tiles_to_cover(args.n, kTile);
}

struct Tiles {
  alignas(16) float a[2][kTileK][kTile + kPadding];  // (k, row)
  alignas(16) float b[2][kTileK][kTile + kPadding];  // (k, column)
};

using Sums = float[4 * kQuads][4 * kQuads];

/// Does nothing between two steps of k.
struct Nothing {
  __device__ __forceinline__ void operator()() const {}
};

/// One thread's part in copying tiles and multiplying them.
template <bool kWhole>
class Multiplier {
 public:
  __device__ __forceinline__ Multiplier(GemmArgs const& args, Tiles& tiles, int tile_row, int tile_column)
      : tiles_(tiles), a_view_(args, tile_row, a_row(), a_k()), b_view_(args, tile_column, b_k(), b_column()) {}

  /// Adds the product of `k` columns of A and rows of B, starting where the last call ended. All threads call it.
  template <class Between>
  __device__ __forceinline__ void add_products(int k, Sums& sums, Between const& between) {
    __syncthreads();  // nobody reads the buffers any more
    store(0, a_view_.template quad<kWhole>(), b_view_.template quad<kWhole>());
    __syncthreads();
    int current = 0;
#pragma unroll 1  // 512 multiply-adds are enough
    for (int k_left = k; k_left > 0; k_left -= kTileK) {
      a_view_.next_tile(kTileK);
      b_view_.next_tile(kTileK);
      float4 const a_quad = a_view_.template quad<kWhole>(), b_quad = b_view_.template quad<kWhole>();
      multiply(current, sums);
      between();
      current ^= 1;
      store(current, a_quad, b_quad);
      __syncthreads();
    }
  }

  static __device__ __forceinline__ int row(int i) { return threadIdx.x / 16 * 4 + i / 4 * kHalf + i % 4; }
  static __device__ __forceinline__ int column(int j) { return threadIdx.x % 16 * 4 + j / 4 * kHalf + j % 4; }

 private:
  // The quad of each tile that the thread copies.
  static __device__ __forceinline__ int a_row() { return threadIdx.x / 2; }
  static __device__ __forceinline__ int a_k() { return threadIdx.x % 2 * 4; }
  static __device__ __forceinline__ int b_k() { return threadIdx.x / 32; }
  static __device__ __forceinline__ int b_column() { return threadIdx.x % 32 * 4; }

  __device__ __forceinline__ void store(int buffer, float4 a, float4 b) {
    float const of_a[] = {a.x, a.y, a.z, a.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) tiles_.a[buffer][a_k() + i][a_row()] = of_a[i];
    *reinterpret_cast<float4*>(&tiles_.b[buffer][b_k()][b_column()]) = b;
  }

  __device__ __forceinline__ void multiply(int buffer, Sums& sums) const {
#pragma unroll
    for (int k = 0; k < kTileK; ++k) {
      alignas(16) float a[4 * kQuads], b[4 * kQuads];
#pragma unroll
      for (int i = 0; i < 4 * kQuads; i += 4) {
        *reinterpret_cast<float4*>(&a[i]) = *reinterpret_cast<float4 const*>(&tiles_.a[buffer][k][row(i)]);
        *reinterpret_cast<float4*>(&b[i]) = *reinterpret_cast<float4 const*>(&tiles_.b[buffer][k][column(i)]);
      }
      multiply_add(sums, a, b);
    }
  }

  Tiles& tiles_;
  ViewOfA<> a_view_;
  ViewOfB<> b_view_;
};

/// Writes a tile of D.
template <bool kWhole>
__device__ __forceinline__ void store_tile(GemmArgs const& args, int tile_row, int tile_column, Sums const& sums) {
#pragma unroll
  for (int i = 0; i < 4 * kQuads; ++i) {
    int const row = tile_row + Multiplier<kWhole>::row(i);
    if (row >= args.m) continue;
#pragma unroll
    for (int j = 0; j < 4 * kQuads; j += 4) {
      store_quad(args, row, tile_column + Multiplier<kWhole>::column(j), &sums[i][j]);
    }
  }
}

/// Computes the block's tile of D in one go. `between` runs between two steps of k.
template <bool kWhole, class Between = Nothing>
__device__ __forceinline__ void compute_tile(GemmArgs const& args, Tiles& tiles, int tile,
                                             Between const& between = {}) {
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const row = tile / tiles_n * kTile, column = tile % tiles_n * kTile;
  Sums sums = {};
  Multiplier<kWhole>(args, tiles, row, column).add_products(args.k, sums, between);
  store_tile<kWhole>(args, row, column, sums);
}

/// The same in parts of `part` columns of A and rows of B, a multiple of kTileK; the sums of each part are added to D
/// in memory. More parts mean more traffic and more pipeline starts.
template <bool kWhole>
__device__ __forceinline__ void compute_tile_in_parts(GemmArgs args, Tiles& tiles, int tile, int part) {
  int const tiles_n = tiles_to_cover(args.n, kTile);
  int const row = tile / tiles_n * kTile, column = tile % tiles_n * kTile;
  Multiplier<kWhole> multiplier(args, tiles, row, column);
#pragma unroll 1
  for (int done = 0; done < args.k; done += part) {
    Sums sums = {};
    multiplier.add_products(min(part, args.k - done), sums, Nothing());
    store_tile<kWhole>(args, row, column, sums);
    args.c = args.d;  // to which the next part is added
    args.beta = 1.0F;
  }
}

/// Launches one of two instances, `whole` for rows of whole quads and `other` for the rest, with a block for each tile
/// of D.
template <class... Arguments>
void launch_tiles(void (*whole)(GemmArgs, Arguments...), void (*other)(GemmArgs, Arguments...), GemmArgs const& args,
                  Arguments... arguments) {
  auto const kernel = has_whole_quads(args) ? whole : other;
  kernel<<<tiles_of(args), kThreads, 0, args.stream>>>(args, arguments...);
}

}  // namespace perfcheck::zoo
