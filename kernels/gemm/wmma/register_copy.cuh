// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of A and B on their way from global to shared memory through registers.
#pragma once

#include <perfcheck/register_tile.cuh>
#include <perfcheck/tile.cuh>

#include "fragments.cuh"

namespace perfcheck::wmma {

/// One thread's share of copying a block's rows of A and columns of B, tile after tile along k. Rows of A and B are
/// aligned to 16 bytes.
template <class T, BLayout kLayout, Shape kShape>
class RegisterTiles {
  using Element = typename T::Element;
  using Shared = Tiles<T, kLayout, kShape>;
  static constexpr bool kRowMajor = Shared::kRowMajor;
  template <int kRows, int kColumns, int kStride>
  using Copy = RegisterTile<Element, kRows, kColumns, kShape.threads(),
                            Padded<kColumns* int{sizeof(Element)}, kStride* int{sizeof(Element)}>>;

 public:
  __device__ __forceinline__ RegisterTiles(GemmArgs const& args, int row, int column)
      : a_(static_cast<Element const*>(args.a) + row * args.lda, args.lda, Shared::kTileK),
        b_(static_cast<Element const*>(args.b) + (kRowMajor ? column : column * args.ldb), args.ldb,
           kRowMajor ? Shared::kTileK * args.ldb : Shared::kTileK),
        rows_(args.m - row),
        columns_(args.n - column),
        k_left_(args.k) {}

  /// Reads the next tiles. Zeros for what lies outside A and B.
  __device__ __forceinline__ void read_next() {
    a_.read_next(rows_, k_left_);
    b_.read_next(kRowMajor ? k_left_ : columns_, kRowMajor ? columns_ : k_left_);
    k_left_ -= Shared::kTileK;
  }

  /// Stores what was read last.
  __device__ __forceinline__ void store(Element* tiles) const {
    a_.store(reinterpret_cast<unsigned char*>(tiles));
    b_.store(reinterpret_cast<unsigned char*>(tiles + Shared::kElementsA));
  }

 private:
  Copy<kShape.tile_m, Shared::kTileK, Shared::kStrideA> a_;
  Copy<Shared::kRowsB, Shared::kColumnsB, Shared::kStrideB> b_;
  int rows_, columns_, k_left_;  // what exists of A and B, from the first elements of the next tiles on
};

}  // namespace perfcheck::wmma
