// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Between two tiles the tensor cores have nothing to do while sums are stored: all registers hold sums, so that the
// next tile cannot begin. Here the last stages of a tile, and the first of the next, are multiplied half by half. While
// one half of the sums is stored, products of the other half execute:
//
//   products   ... all sums, half 0, half 1 |               half 0 of the next |                 half 1, all sums ...
//   stores                                  | half 0 of D                      | half 1 of D
//
// A group needs two instructions for a step along k, one below the other. (Halves of the columns of one instruction
// would read A twice, and ptxas cannot lay out sums for instructions of two widths: C7511 in CUDA 13.0.)
#pragma once

#include "ring.cuh"
#include "store.cuh"

namespace perfcheck::wgmma {

/// Multiplies a block's tiles, or parts of tiles, which must have more stages than 2 * Shape::halves; `Results` stores
/// them. (In a loop that might not be entered at all, ptxas does not know which products are done, and waits for each:
/// C7514.)
template <class V, class Results>
class HalvesReader {
  static constexpr int kEnd = V::kShape.halves;  // stages that are multiplied half by half, on either side
  static_assert(V::kShape.stages >= 2 * kEnd, "both sides are in the ring at the same time");

 public:
  __device__ __forceinline__ HalvesReader(RingReader<V>& ring, GroupMath<V>& math, Results const& results)
      : ring_(ring), math_(math), results_(results) {}

  template <class Tiles>
  __device__ __forceinline__ void multiply(Tiles tiles) {
    typename Tiles::Item tile, next;
    if (!tiles.next(tile)) return;
    tiles.look_ahead();
    int begin = 0;
#pragma unroll 1
    while (tiles.next(next)) {
      multiply_all(begin, tiles.k_blocks(tile) - kEnd);
      finish_first_half(tile);
      begin_half<0>(kEnd, false);
      ptx::wgmma_wait<1>();
      finish_second_half(tile);
      begin_half<1>(0, false);
      tiles.look_ahead();
      owed_ = begin = kEnd;
      tile = next;
    }
    multiply_all(begin, tiles.k_blocks(tile) - kEnd);
    finish_first_half(tile);
    ptx::wgmma_wait<0>();
    finish_second_half(tile);
  }

 private:
  /// Multiplies stages `begin` to `end` - 1 of a tile.
  __device__ __forceinline__ void multiply_all(int begin, int end) {
    int k = begin;
#pragma unroll 1
    do {
      math_.multiply(ring_.wait_until_full(owed_), k > 0);
      ptx::wgmma_wait<1>();
      release_owed();
      owed_ = 1;
    } while (++k < end);
  }

  template <class Item>
  __device__ __forceinline__ void finish_first_half(Item tile) {
    begin_half<0>(owed_, true);
    begin_half<1>(owed_, true);
    ptx::wgmma_wait<1>();
    release_owed();
    math_.template hold_half<0>();
    results_.template store_half<0>(math_, tile);
  }

  /// Products of the second half have been waited for.
  template <class Item>
  __device__ __forceinline__ void finish_second_half(Item tile) {
#pragma unroll
    for (int i = 0; i < kEnd; ++i) ring_.release_and_advance();
    math_.template hold_half<1>();
    results_.template store_half<1>(math_, tile);
  }

  /// Begins to multiply half of the sums in kEnd stages, `ahead` of the present one.
  template <int kHalf>
  __device__ __forceinline__ void begin_half(int ahead, bool add) {
    uint32_t stages[kEnd];
#pragma unroll
    for (int i = 0; i < kEnd; ++i) stages[i] = ring_.wait_until_full(ahead + i);
    ptx::wgmma_fence();
#pragma unroll
    for (int i = 0; i < kEnd; ++i) math_.template multiply_half<kHalf>(stages[i], i > 0 || add);
    ptx::wgmma_commit();
  }

  __device__ __forceinline__ void release_owed() {
    for (; owed_ > 0; --owed_) ring_.release_and_advance();
  }

  RingReader<V>& ring_;
  GroupMath<V>& math_;
  Results const& results_;
  int owed_ = 0;  // stages whose products may be executing
};

}  // namespace perfcheck::wgmma
