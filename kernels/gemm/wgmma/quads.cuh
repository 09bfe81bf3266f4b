// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From a group's sums to D without shared memory, for blocks with a single small tile, where the way through strips and
// the copy engine takes longer. wgmma deals a row's neighbouring sums to the four lanes of a quad, two to each. The
// lanes exchange elements of 16 bits until each has eight neighbours, and stores them as one.
#pragma once

#include "store.cuh"

namespace perfcheck::wgmma {

/// Transposes 4 x 4 words of the four lanes of a quad: word i of lane q becomes word q of lane i.
__device__ __forceinline__ void transpose_quad(uint32_t (&words)[4], int lane) {
  constexpr uint32_t kAll = 0xFFFFFFFF;
  bool const odd = lane % 2 != 0, upper = lane % 4 >= 2;
  uint32_t const first = __shfl_xor_sync(kAll, odd ? words[0] : words[1], 1);
  uint32_t const second = __shfl_xor_sync(kAll, odd ? words[2] : words[3], 1);
  uint32_t const low[2] = {odd ? first : words[0], odd ? words[1] : first};
  uint32_t const high[2] = {odd ? second : words[2], odd ? words[3] : second};
  uint32_t const third = __shfl_xor_sync(kAll, upper ? low[0] : high[0], 2);
  uint32_t const fourth = __shfl_xor_sync(kAll, upper ? low[1] : high[1], 2);
  words[0] = upper ? third : low[0];
  words[1] = upper ? fourth : low[1];
  words[2] = upper ? high[0] : third;
  words[3] = upper ? high[1] : fourth;
}

/// Stores a group's sums so. Tiles at D's edges, and a D whose rows are not aligned, take store_directly().
template <class V>
class QuadStore {
  using Out = typename V::Out;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kM = kShape.mmas_m(), kColumns = kShape.group_columns();
  static constexpr int kTogether = sizeof(Out) == 2 ? 4 : 1;  // groups of eight columns whose elements are exchanged
  static_assert(kColumns / 8 % kTogether == 0 && !kShape.d_leaves);

 public:
  __device__ __forceinline__ explicit QuadStore(GemmArgs const& args) : args_(args) {}

  __device__ __forceinline__ void store(GroupSums<V>& math, TileIndex tile) const { store<0, kM>(math, tile); }

  /// Stores half of the instructions' rows, 0 or 1.
  template <int kHalf>
  __device__ __forceinline__ void store_half(GroupSums<V>& math, TileIndex tile) const {
    store<kHalf * kM / 2, (kHalf + 1) * kM / 2>(math, tile);
  }

  __device__ __forceinline__ void finish() const {}

 private:
  template <int kBegin, int kEnd>
  __device__ __forceinline__ void store(GroupSums<V>& math, TileIndex tile) const {
    bool const whole = (tile.row + 1) * kShape.tile_m <= args_.m && (tile.column + 1) * kShape.tile_n <= args_.n;
    if (whole && args_.ldd * int{sizeof(Out)} % 16 == 0) [[likely]] {
      store_whole<kBegin, kEnd>(math, tile);
    } else {
      store_directly<V, kBegin, kEnd>(args_, math, tile);
    }
  }

  /// Stores a tile that lies within D, whose rows begin at multiples of 16 bytes.
  template <int kBegin, int kEnd>
  __device__ __forceinline__ void store_whole(GroupSums<V>& math, TileIndex tile) const {
    int const thread = ptx::thread_index(), lane = thread % kWarp;
    Place const place = place_of<V>(tile, thread);
    float const factor = add_c<V>(args_, math, kBegin, kEnd, place, lane);
    auto* const first = static_cast<Out*>(args_.d) + (place.row + lane / 4) * args_.ldd + place.column;
#pragma unroll
    for (int i = kBegin; i < kEnd; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        auto* const row = first + (i * kRows + half * 8) * args_.ldd;
#pragma unroll
        for (int j = 0; j < kColumns / 8; j += kTogether) {
          Pair<Out> pairs[kTogether];
#pragma unroll
          for (int w = 0; w < kTogether; ++w) {
            auto const* const sums = &math.sums[i][(j + w) * 4 + half * 2];
            pairs[w] = {scaled<Out>(sums[0], factor), scaled<Out>(sums[1], factor)};
          }
          store_pairs(row + j * 8, pairs, lane);
        }
      }
    }
  }

  static __device__ __forceinline__ void store_pairs(Out* to, Pair<Out> const (&pairs)[kTogether], int lane) {
    if constexpr (sizeof(Out) == 2) {
      uint32_t words[4];
#pragma unroll
      for (int w = 0; w < 4; ++w) words[w] = *reinterpret_cast<uint32_t const*>(&pairs[w]);
      transpose_quad(words, lane);
      uint4 const quad = make_uint4(words[0], words[1], words[2], words[3]);
      *reinterpret_cast<uint4*>(to + lane % 4 * 8) = quad;
    } else {
      *reinterpret_cast<Pair<Out>*>(to + lane % 4 * 2) = pairs[0];
    }
  }

  GemmArgs const& args_;
};

/// What stores the results of math threads: the shape says how. The parameters are those of StripStore.
template <class V>
__device__ __forceinline__ auto results_of(GemmArgs const& args, unsigned char* strips, CUtensorMap const& map,
                                           bool aligned) {
  if constexpr (V::kShape.quads) {
    return QuadStore<V>(args);
  } else {
    return StripStore<V>(args, strips, map, aligned);
  }
}

}  // namespace perfcheck::wgmma
