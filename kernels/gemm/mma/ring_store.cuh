// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a warp's sums to D. Elements are finished in registers and pass through a strip of shared memory that is the
// warp's own, sixteen rows at a time, so that D is written 16 bytes at a time.
#pragma once

#include "ring_math.cuh"

#include <perfcheck/epilogue.cuh>

namespace perfcheck::mma {

/// Bytes between the rows of a strip: eight rows begin in different groups of four banks.
template <class V>
constexpr int kStripRowBytes = V::kShape.warp_n * int{sizeof(typename V::Out)} + 16;
template <class V>
constexpr int kStripBytes = 16 * kStripRowBytes<V>;
template <class V>
constexpr int kStripsBytes = V::kShape.math_warps() * kStripBytes<V>;

/// An element of D from its sum, or nothing of use if it lies outside D.
template <class V>
__device__ __forceinline__ typename V::Out finished(GemmArgs const& args, int row, int column, typename V::Sum sum) {
  using Out = typename V::Out;
  bool const has_c = args.beta != 0.0F;
  Out c{};
  if (has_c && row < args.m && column < args.n) c = static_cast<Out const*>(args.c)[row * args.ldd + column];
  return result_of<Out>(args, sum, has_c, c);
}

/// Writes sixteen rows of sums, row `i` of mma tiles, to the strip. `row` and `column` are those of the strip in D.
template <class V>
__device__ __forceinline__ void fill_strip(GemmArgs const& args, WarpMath<V> const& math, int i, int row, int column,
                                           int lane, unsigned char* strip) {
  using Out = typename V::Out;
  constexpr bool kQuads = V::kDealt && sizeof(typename V::In) == 1;
  constexpr int kCount = kQuads ? 4 : 2;  // neighbouring elements of a lane; WarpMath deals columns
  struct alignas(kCount * sizeof(Out)) Neighbours {
    Out of[kCount];
  };
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int const r = lane / 4 + half * 8;
#pragma unroll
    for (int j = 0; j < V::kShape.mmas_n(); j += kQuads ? 4 : 1) {
      if constexpr (kQuads) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          int const c = j * 8 + lane % 4 * 8 + e * 4;
          Neighbours elements;
#pragma unroll
          for (int t = 0; t < 4; ++t) {
            elements.of[t] = finished<V>(args, row + r, column + c + t, math.sums[i][j + t][half * 2 + e]);
          }
          *reinterpret_cast<Neighbours*>(strip + r * kStripRowBytes<V> + c * sizeof(Out)) = elements;
        }
      } else {
        int const pair = lane % 4;
        int const c = V::kDealt ? j / 4 * 32 + j % 4 * 4 + pair / 2 * 16 + pair % 2 * 2 : j * 8 + pair * 2;
        Neighbours elements;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          elements.of[e] = finished<V>(args, row + r, column + c + e, math.sums[i][j][half * 2 + e]);
        }
        *reinterpret_cast<Neighbours*>(strip + r * kStripRowBytes<V> + c * sizeof(Out)) = elements;
      }
    }
  }
}

/// Writes a strip to D, leaving out what lies outside.
template <class V>
__device__ __forceinline__ void write_strip(GemmArgs const& args, int row, int column, int lane,
                                            unsigned char const* strip) {
  using Out = typename V::Out;
  constexpr int kWidth = V::kShape.warp_n, kCount = 16 / int{sizeof(Out)}, kVectors = kWidth / kCount;
  Out* const d = static_cast<Out*>(args.d) + row * args.ldd + column;
  int const rows = args.m - row;
  if (column + kWidth <= args.n && args.ldd % kCount == 0) {
#pragma unroll
    for (int pass = 0; pass < 16 * kVectors / kWarp; ++pass) {
      int const r = (pass * kWarp + lane) / kVectors, v = (pass * kWarp + lane) % kVectors;
      if (r < rows) {
        *reinterpret_cast<uint4*>(d + r * args.ldd + v * kCount) =
            *reinterpret_cast<uint4 const*>(strip + r * kStripRowBytes<V> + v * 16);
      }
    }
  } else {
    int const columns = args.n - column;
#pragma unroll 1
    for (int at = lane; at < 16 * kWidth; at += kWarp) {
      int const r = at / kWidth, c = at % kWidth;
      if (r < rows && c < columns) {
        d[r * args.ldd + c] = *reinterpret_cast<Out const*>(strip + r * kStripRowBytes<V> + c * sizeof(Out));
      }
    }
  }
}

/// Stores the sums that a warp owns to a tile of D, through the warp's strip. Calls complete(i) before row `i` of
/// mma.sync's tiles is stored.
template <class V, class Complete>
__device__ __forceinline__ void store(GemmArgs const& args, WarpMath<V> const& math, RowOwners<V> const& owners,
                                      TileIndex tile, unsigned char* strips, Complete const& complete) {
  static_assert(16 * V::kShape.warp_n * sizeof(typename V::Out) % (kWarp * 16) == 0);
  int const thread = ptx::thread_index(), lane = thread % kWarp;
  unsigned char* const strip = strips + thread / kWarp * kStripBytes<V>;
  int const row = tile.row * V::kShape.tile_m + WarpMath<V>::row_of(thread);
  int const column = tile.column * V::kShape.tile_n + WarpMath<V>::column_of(thread);
#pragma unroll
  for (int i = 0; i < V::kShape.mmas_m(); ++i) {
    if (!owners.owns(i)) continue;
    complete(i);
    fill_strip(args, math, i, row + i * 16, column, lane, strip);
    __syncwarp();
    write_strip<V>(args, row + i * 16, column, lane, strip);
    __syncwarp();
  }
}

/// Stores all of a warp's sums.
template <class V>
__device__ __forceinline__ void store(GemmArgs const& args, WarpMath<V> const& math, TileIndex tile,
                                      unsigned char* strips) {
  static_assert(RowOwners<V>::kOwners == 1, "each owner stores its rows");
  store(args, math, RowOwners<V>(0), tile, strips, [](int /*row*/) {});
}

}  // namespace perfcheck::mma
