// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of A and B on their way from global to shared memory through registers.
#pragma once

#include <perfcheck/operand_copies.cuh>
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
  template <int kRows, int kColumns, int kStride>
  using Copy = RegisterTile<Element, kRows, kColumns, kShape.threads(),
                            Padded<kColumns* int{sizeof(Element)}, kStride* int{sizeof(Element)}>>;

 public:
  __device__ __forceinline__ RegisterTiles(GemmArgs const& args, int row, int column) : of_(args, row, column) {}

  /// Reads the next tiles. Zeros for what lies outside A and B.
  __device__ __forceinline__ void read_next() {
    of_.a.read_next(of_.rows, of_.k);
    of_.b.read_next(of_.rows_of_b(), of_.columns_of_b());
    of_.k -= Shared::kTileK;
  }

  /// Stores what was read last.
  __device__ __forceinline__ void store(Element* tiles) const {
    of_.a.store(reinterpret_cast<unsigned char*>(tiles));
    of_.b.store(reinterpret_cast<unsigned char*>(tiles + Shared::kElementsA));
  }

 private:
  OperandCopies<Element, Shared::kRowMajor, Shared::kTileK, Copy<kShape.tile_m, Shared::kTileK, Shared::kStrideA>,
                Copy<Shared::kRowsB, Shared::kColumnsB, Shared::kStrideB>>
      of_;
};

}  // namespace perfcheck::wmma
