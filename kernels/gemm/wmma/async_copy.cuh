// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of A and B on their way from global to shared memory by cp.async, which passes by the registers.
#pragma once

#include <perfcheck/tile.cuh>
#include <perfcheck/tile_copy.cuh>

#include "fragments.cuh"

namespace perfcheck::wmma {

/// One thread's share of copying a block's rows of A and columns of B, tile after tile along k. Without `kAligned`,
/// elements are copied one by one.
template <class T, BLayout kLayout, Shape kShape, bool kAligned = true>
class AsyncTiles {
  using Element = typename T::Element;
  using Shared = Tiles<T, kLayout, kShape>;
  static constexpr bool kRowMajor = Shared::kRowMajor;
  template <int kRows, int kColumns, int kStride>
  using Copy = TileCopy<Element, kRows, kColumns, kShape.threads(), kAligned,
                        Padded<kColumns* int{sizeof(Element)}, kStride* int{sizeof(Element)}>>;

 public:
  __device__ __forceinline__ AsyncTiles(GemmArgs const& args, int row, int column)
      : a_(static_cast<Element const*>(args.a) + row * args.lda, args.lda, Shared::kTileK),
        b_(static_cast<Element const*>(args.b) + (kRowMajor ? column : column * args.ldb), args.ldb,
           kRowMajor ? Shared::kTileK * args.ldb : Shared::kTileK),
        rows_(args.m - row),
        columns_(args.n - column),
        k_left_(args.k) {}

  /// Starts copying the next tiles to `tiles`. Zeros for what lies outside A and B.
  __device__ __forceinline__ void copy_next(Element* tiles) {
    a_.copy_next(reinterpret_cast<unsigned char*>(tiles), rows_, k_left_);
    b_.copy_next(reinterpret_cast<unsigned char*>(tiles + Shared::kElementsA), kRowMajor ? k_left_ : columns_,
                 kRowMajor ? columns_ : k_left_);
    k_left_ -= Shared::kTileK;
  }

 private:
  Copy<kShape.tile_m, Shared::kTileK, Shared::kStrideA> a_;
  Copy<Shared::kRowsB, Shared::kColumnsB, Shared::kStrideB> b_;
  int rows_, columns_, k_left_;  // what exists of A and B, from the first elements of the next tiles on
};

}  // namespace perfcheck::wmma
