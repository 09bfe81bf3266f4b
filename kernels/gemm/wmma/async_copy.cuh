// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of A and B on their way from global to shared memory by cp.async, which passes by the registers.
#pragma once

#include <perfcheck/operand_copies.cuh>
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
  template <int kRows, int kColumns, int kStride>
  using Copy = TileCopy<Element, kRows, kColumns, kShape.threads(), kAligned,
                        Padded<kColumns* int{sizeof(Element)}, kStride* int{sizeof(Element)}>>;

 public:
  __device__ __forceinline__ AsyncTiles(GemmArgs const& args, int row, int column) : of_(args, row, column) {}

  /// Starts copying the next tiles to `tiles`. Zeros for what lies outside A and B.
  __device__ __forceinline__ void copy_next(Element* tiles) {
    of_.a.copy_next(reinterpret_cast<unsigned char*>(tiles), of_.rows, of_.k);
    of_.b.copy_next(reinterpret_cast<unsigned char*>(tiles + Shared::kElementsA), of_.rows_of_b(), of_.columns_of_b());
    of_.k -= Shared::kTileK;
  }

 private:
  OperandCopies<Element, Shared::kRowMajor, Shared::kTileK, Copy<kShape.tile_m, Shared::kTileK, Shared::kStrideA>,
                Copy<Shared::kRowsB, Shared::kColumnsB, Shared::kStrideB>>
      of_;
};

}  // namespace perfcheck::wmma
