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

/// Writes sixteen rows of finished elements, row `i` of mma tiles, to the strip. With `kHasC`, the strip holds C, whose
/// elements are replaced one by one.
template <bool kHasC, class V>
__device__ __forceinline__ void fill_strip(GemmArgs const& args, WarpMath<V> const& math, int i, int lane,
                                           unsigned char* strip) {
  using Out = typename V::Out;
  constexpr bool kQuads = V::kDealt && sizeof(typename V::In) == 1;
  constexpr int kCount = kQuads ? 4 : 2;  // neighbouring elements of a lane; WarpMath deals columns
  struct alignas(kCount * sizeof(Out)) Neighbours {
    Out of[kCount];
  };
  auto const finish = [&](int row, int column, auto const& sum_of) {
    auto& place = *reinterpret_cast<Neighbours*>(strip + row * kStripRowBytes<V> + column * sizeof(Out));
    Neighbours elements{};
    if constexpr (kHasC) elements = place;
#pragma unroll
    for (int e = 0; e < kCount; ++e) elements.of[e] = result_of<Out>(args, sum_of(e), kHasC, elements.of[e]);
    place = elements;
  };
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int const row = lane / 4 + half * 8, pair = lane % 4;
#pragma unroll
    for (int j = 0; j < V::kShape.mmas_n(); j += kQuads ? 4 : 1) {
      if constexpr (kQuads) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          finish(row, j * 8 + pair * 8 + e * 4, [&](int t) { return math.sums[i][j + t][half * 2 + e]; });
        }
      } else {
        int const column = V::kDealt ? j / 4 * 32 + j % 4 * 4 + pair / 2 * 16 + pair % 2 * 2 : j * 8 + pair * 2;
        finish(row, column, [&](int e) { return math.sums[i][j][half * 2 + e]; });
      }
    }
  }
}

/// Calls copy(place in the strip, offset in C or D, type) for each part of a strip at (row, column) that lies inside D,
/// with what is copied at a time: 16 bytes if rows of D are aligned to that, else an element.
template <class V, class Copy>
__device__ __forceinline__ void for_strip(GemmArgs const& args, int row, int column, int lane, Copy const& copy) {
  using Out = typename V::Out;
  constexpr int kWidth = V::kShape.warp_n, kCount = 16 / int{sizeof(Out)}, kVectors = kWidth / kCount;
  int64_t const first = row * args.ldd + column;
  int const rows = args.m - row;
  if (column + kWidth <= args.n && args.ldd % kCount == 0) {
    constexpr int kRows = kWarp / kVectors;  // at a time
    static_assert(kRows * kVectors == kWarp && 16 % kRows == 0);
    int const r = lane / kVectors, v = lane % kVectors;
    int const place = r * kStripRowBytes<V> + v * 16;
    int64_t const offset = first + r * args.ldd + v * kCount;
#pragma unroll
    for (int pass = 0; pass < 16; pass += kRows) {
      if (r + pass < rows) copy(place + pass * kStripRowBytes<V>, offset + pass * args.ldd, uint4{});
    }
  } else {
    int const columns = args.n - column;
#pragma unroll 1
    for (int at = lane; at < 16 * kWidth; at += kWarp) {
      int const r = at / kWidth, c = at % kWidth;
      if (r < rows && c < columns) copy(r * kStripRowBytes<V> + c * int{sizeof(Out)}, first + r * args.ldd + c, Out{});
    }
  }
}

/// Fills a strip with sixteen rows of C, 16 bytes at a time: sums lie in twos or fours, of which each read would take a
/// sector of its own.
template <class V>
__device__ __forceinline__ void read_strip(GemmArgs const& args, int row, int column, int lane, unsigned char* strip) {
  auto const* const c = static_cast<typename V::Out const*>(args.c);
  for_strip<V>(args, row, column, lane, [&]<class Vector>(int place, int64_t offset, Vector /*type*/) {
    *reinterpret_cast<Vector*>(strip + place) = *reinterpret_cast<Vector const*>(c + offset);
  });
}

/// Writes a strip to D, leaving out what lies outside.
template <class V>
__device__ __forceinline__ void write_strip(GemmArgs const& args, int row, int column, int lane,
                                            unsigned char const* strip) {
  auto* const d = static_cast<typename V::Out*>(args.d);
  for_strip<V>(args, row, column, lane, [&]<class Vector>(int place, int64_t offset, Vector /*type*/) {
    *reinterpret_cast<Vector*>(d + offset) = *reinterpret_cast<Vector const*>(strip + place);
  });
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
    if (args.beta == 0.0F) [[likely]] {
      fill_strip<false>(args, math, i, lane, strip);
    } else {
      read_strip<V>(args, row + i * 16, column, lane, strip);
      __syncwarp();
      fill_strip<true>(args, math, i, lane, strip);
    }
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
