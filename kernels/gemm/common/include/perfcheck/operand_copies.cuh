// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Both operands of a block's tile of D on their way to shared memory, by TileCopy (tile_copy.cuh) or RegisterTile
// (register_tile.cuh).
#pragma once

#include <perfcheck/gemm.h>

namespace perfcheck {

/// One thread's copies of a block's rows of A and columns of B, tiles of kTileK one after the other along k.
template <class T, bool kRowMajor, int kTileK, class CopyA, class CopyB>
struct OperandCopies {
  CopyA a;
  CopyB b;
  int rows, columns, k;  // what exists of A and B from the next tile's first element on; zeros beyond it

  /// For the tile of D whose first element is (row, column).
  __device__ __forceinline__ OperandCopies(GemmArgs const& args, int row, int column)
      : a(static_cast<T const*>(args.a) + row * args.lda, args.lda, kTileK),
        b(static_cast<T const*>(args.b) + (kRowMajor ? column : column * args.ldb), args.ldb,
          kRowMajor ? kTileK * args.ldb : kTileK),
        rows(args.m - row),
        columns(args.n - column),
        k(args.k) {}

  __device__ __forceinline__ int rows_of_b() const { return kRowMajor ? k : columns; }
  __device__ __forceinline__ int columns_of_b() const { return kRowMajor ? columns : k; }
};

}  // namespace perfcheck
