// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a group's sums to D.
#pragma once

#include "multiply.cuh"

#include <perfcheck/epilogue.cuh>

#include <type_traits>

namespace perfcheck::wgmma {

/// Where a warp's sums belong: row of the first of 64 rows' sixteen, and first column.
struct Place {
  int row = 0, column = 0;
};

template <class V>
__device__ __forceinline__ Place place_of(TileIndex tile, int thread) {
  constexpr Shape kShape = V::kShape;
  int const group = thread / kGroupThreads, warp = thread % kGroupThreads / kWarp;
  return {
      .row =
          tile.row * kShape.tile_m + (kShape.share == Share::rows ? group * kShape.group_rows() : 0) + warp * kWarpRows,
      .column = tile.column * kShape.tile_n + (kShape.share == Share::columns ? group * kShape.group_columns() : 0)};
}

/// An element of D from a sum to which nothing is added any more.
template <class Out, class Sum>
__device__ __forceinline__ Out scaled(Sum sum, float factor) {
  if constexpr (std::is_integral_v<Sum>) {
    return static_cast<Sum>(factor) * sum;
  } else {
    return from_float<Out>(factor * sum);
  }
}

/// Two neighbouring elements of a row.
template <class Out>
struct alignas(2 * sizeof(Out)) Pair {
  Out of[2];
};

/// Of instructions' rows `begin` to `end` - 1: if there is a C, makes each sum alpha times the sum plus beta times C,
/// and returns 1; else returns alpha. What is returned is to be multiplied with.
template <class V>
__device__ __forceinline__ float add_c(GemmArgs const& args, GroupSums<V>& math, int begin, int end, Place const& place,
                                       int lane) {
  using Out = typename V::Out;
  using Sum = typename V::Sum;
  if (args.beta == 0.0F) [[likely]]
    return args.alpha;
  auto const* const c = static_cast<Out const*>(args.c);
#pragma unroll
  for (int i = begin; i < end; ++i) {
#pragma unroll
    for (int j = 0; j < V::kShape.group_columns() / 2; ++j) {
      int const row = place.row + i * kRows + lane / 4 + j / 2 % 2 * 8;
      int const column = place.column + j / 4 * 8 + lane % 4 * 2 + j % 2;
      if (row >= args.m || column >= args.n) continue;
      Out const element = c[row * args.ldd + column];
      if constexpr (std::is_integral_v<Sum>) {
        math.sums[i][j] = result_of<Sum>(args, math.sums[i][j], true, element);
      } else {
        math.sums[i][j] = result_of<float>(args, math.sums[i][j], true, to_float(element));
      }
    }
  }
  return 1.0F;
}

/// Stores sums of instructions' rows `kBegin` to `kEnd` - 1 directly, two neighbouring elements at a time: eight lines
/// of 8 or 16 bytes per instruction.
template <class V, int kBegin = 0, int kEnd = V::kShape.mmas_m()>
__device__ __forceinline__ void store_directly(GemmArgs const& args, GroupSums<V>& math, TileIndex tile) {
  using Out = typename V::Out;
  int const thread = ptx::thread_index(), lane = thread % kWarp;
  Place const place = place_of<V>(tile, thread);
  float const factor = add_c<V>(args, math, kBegin, kEnd, place, lane);
  auto* const d = static_cast<Out*>(args.d);
  bool const in_pairs = args.ldd % 2 == 0;
#pragma unroll
  for (int i = kBegin; i < kEnd; ++i) {
#pragma unroll
    for (int j = 0; j < V::kShape.group_columns() / 2; j += 2) {
      int const row = place.row + i * kRows + lane / 4 + j / 2 % 2 * 8;
      int const column = place.column + j / 4 * 8 + lane % 4 * 2;
      if (row >= args.m || column >= args.n) continue;
      Pair<Out> const pair{scaled<Out>(math.sums[i][j], factor), scaled<Out>(math.sums[i][j + 1], factor)};
      Out* const to = d + row * args.ldd + column;
      if (in_pairs && column + 1 < args.n) {
        *reinterpret_cast<Pair<Out>*>(to) = pair;
      } else {
        to[0] = pair.of[0];
        if (column + 1 < args.n) to[1] = pair.of[1];
      }
    }
  }
}

/// A strip: sixteen rows of a warp's results in shared memory, each of 128 bytes, or of 64 if a row of its tile is no
/// longer.
template <class V>
constexpr int kStripRowBytes = V::kShape.group_columns() * int{sizeof(typename V::Out)} >= 128 ? 128 : 64;
template <class V>
constexpr int kStripColumns = kStripRowBytes<V> / int{sizeof(typename V::Out)};
template <class V>
constexpr int kStripBytes = kWarpRows * kStripRowBytes<V>;
/// How many strips cover a row of the tile. The last one ends where the tile does; if it overlaps with the one before,
/// both store the same.
template <class V>
__host__ __device__ constexpr int strips_across() {
  return (V::kShape.group_columns() - 1) / kStripColumns<V> + 1;
}
template <class V>
__host__ __device__ constexpr int column_of_strip(int strip) {
  int const last = V::kShape.group_columns() - kStripColumns<V>;
  return strip * kStripColumns<V> < last ? strip * kStripColumns<V> : last;
}

/// Stores through strips: the copy engine writes whole strips to D while the warp goes on. A warp needs no other.
template <class V>
class StripStore {
  using Out = typename V::Out;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kM = kShape.mmas_m();
  static constexpr int kStrips = kShape.strips, kColumns = kStripColumns<V>;
  static constexpr int kAcross = strips_across<V>();
  static_assert(kStrips > 0 && kM * kAcross % kStrips == 0, "a strip is free when it comes round again");

 public:
  /// `strips` are those of all warps, aligned to 1024 bytes. `map` describes D in boxes of a strip; it is not used
  /// unless `aligned`.
  __device__ __forceinline__ StripStore(GemmArgs const& args, unsigned char* strips, CUtensorMap const& map,
                                        bool aligned)
      : args_(args), strips_(strips), map_(map), aligned_(aligned) {}

  __device__ __forceinline__ void store(GroupSums<V>& math, TileIndex tile) const { store<0, kM>(math, tile); }

  /// Stores half of the instructions' rows, 0 or 1.
  template <int kHalf>
  __device__ __forceinline__ void store_half(GroupSums<V>& math, TileIndex tile) const {
    store<kHalf * kM / 2, (kHalf + 1) * kM / 2>(math, tile);
  }

  /// Lets kCount of the warp's strips pass to D, of those that follow each other the ones from `number` on: the i-th to
  /// place(i). fill(i, strip) writes to it.
  template <int kCount = 1, class PlaceOf, class Fill>
  __device__ __forceinline__ void pass(int number, int thread, PlaceOf const& place, Fill const& fill) const {
    static_assert(kStrips % kCount == 0);
    int const lane = thread % kWarp;
    auto const strip = [&](int i) {
      return strips_ + (thread / kWarp * kStrips + (number + i) % kStrips) * kStripBytes<V>;
    };
    if (lane == 0) ptx::tma_store_wait_read<kStrips / kCount - 1>();
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kCount; ++i) fill(i, strip(i));
    if (aligned_) [[likely]] {
      ptx::fence_for_copy_engine();
      __syncwarp();
      if (lane == 0) {
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
          Place const at = place(i);
          if constexpr (kShape.d_leaves) {
            ptx::tma_store_evict_first(map_, {at.column, at.row}, ptx::shared_address(strip(i)));
          } else {
            ptx::tma_store(map_, {at.column, at.row}, ptx::shared_address(strip(i)));
          }
        }
        ptx::tma_store_commit();
      }
    } else {
      __syncwarp();
#pragma unroll
      for (int i = 0; i < kCount; ++i) copy(place(i), strip(i), lane);
    }
  }

  /// To be called before the block ends: its shared memory is being read until then.
  __device__ __forceinline__ void finish() const {
    if (threadIdx.x % kWarp == 0) ptx::tma_store_wait_read<0>();
  }

 private:
  template <int kBegin, int kEnd>
  __device__ __forceinline__ void store(GroupSums<V>& math, TileIndex tile) const {
    int const thread = ptx::thread_index(), lane = thread % kWarp;
    Place const place = place_of<V>(tile, thread);
    float const factor = add_c<V>(args_, math, kBegin, kEnd, place, lane);
    // Where all have a place, they pass together, behind one fence.
    constexpr int kCount = (kEnd - kBegin) * kAcross, kTogether = kCount == kStrips ? kCount : 1;
#pragma unroll
    for (int first = kBegin * kAcross; first < kEnd * kAcross; first += kTogether) {
      auto const row_of = [&](int i) { return (first + i) / kAcross; };
      auto const strip_of = [&](int i) { return (first + i) % kAcross; };
      pass<kTogether>(
          first, thread,
          [&](int i) {
            return Place{.row = place.row + row_of(i) * kRows,
                         .column = place.column + column_of_strip<V>(strip_of(i))};
          },
          [&](int i, unsigned char* strip) { fill(math, row_of(i), strip_of(i), factor, strip, lane); });
    }
  }

  static __device__ __forceinline__ int offset(int row, int chunk) {
    return swizzled_offset<kStripRowBytes<V>>(row, chunk);
  }

  /// Writes the results of strip `s` of rows `i` to shared memory.
  static __device__ __forceinline__ void fill(GroupSums<V> const& math, int i, int s, float factor,
                                              unsigned char* strip, int lane) {
    auto const pair_of = [&](int j, int half) {
      auto const* const sums = &math.sums[i][(column_of_strip<V>(s) / 8 + j) * 4 + half * 2];
      return Pair<Out>{scaled<Out>(sums[0], factor), scaled<Out>(sums[1], factor)};
    };
    if constexpr (sizeof(Out) == 2) {
      // Eight columns are a chunk. Lanes 0 to 15 address sixteen rows of one, lanes 16 to 31 of the next.
#pragma unroll
      for (int j = 0; j < kColumns / 8; j += 2) {
        uint32_t fragment[4];
#pragma unroll
        for (int matrix = 0; matrix < 4; ++matrix) {
          Pair<Out> const pair = pair_of(j + matrix / 2, matrix % 2);
          fragment[matrix] = *reinterpret_cast<uint32_t const*>(&pair);
        }
        ptx::stmatrix_x4(ptx::shared_address(strip + offset(lane % 16, j + lane / 16)), fragment);
      }
    } else {
      // Eight columns are two chunks, of which a lane has half of one.
#pragma unroll
      for (int j = 0; j < kColumns / 8; ++j) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          int const to = offset(half * 8 + lane / 4, j * 2 + lane % 4 / 2) + lane % 2 * 8;
          *reinterpret_cast<Pair<Out>*>(strip + to) = pair_of(j, half);
        }
      }
    }
  }

  /// Copies a strip to D element by element: rows of D are not aligned to 16 bytes.
  __device__ __forceinline__ void copy(Place const& at, unsigned char const* strip, int lane) const {
    auto* const d = static_cast<Out*>(args_.d);
#pragma unroll 1
    for (int n = lane; n < kWarpRows * kColumns; n += kWarp) {
      int const row = n / kColumns, column = n % kColumns;
      constexpr int kCount = 16 / int{sizeof(Out)};  // elements of a chunk
      if (at.row + row >= args_.m || at.column + column >= args_.n) continue;
      d[(at.row + row) * args_.ldd + at.column + column] =
          reinterpret_cast<Out const*>(strip + offset(row, column / kCount))[column % kCount];
    }
  }

  GemmArgs const& args_;
  unsigned char* strips_;
  CUtensorMap const& map_;
  bool aligned_;
};

}  // namespace perfcheck::wgmma
