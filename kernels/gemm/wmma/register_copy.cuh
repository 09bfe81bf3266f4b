// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of A and B on their way from global to shared memory through registers.
#pragma once

#include <perfcheck/tile.cuh>

#include "fragments.cuh"

namespace perfcheck::wmma {

/// One thread's chunks of 16 bytes of a tile of kRows x kColumns elements, contiguous along columns.
template <class Element, int kRows, int kColumns, int kStride, int kThreads>
struct RegisterTile {
  static constexpr int kChunkElements = 16 / int{sizeof(Element)};
  static constexpr int kChunksPerRow = kColumns / kChunkElements;
  static constexpr int kChunks = kRows * kChunksPerRow / kThreads;
  static_assert(kRows * kChunksPerRow % kThreads == 0, "threads have equal shares of a tile");
  uint4 chunks[kChunks];

  static __device__ __forceinline__ int row(int i) {
    return Padded<kColumns* int{sizeof(Element)}, kStride* int{sizeof(Element)}>::row((threadIdx.x + i * kThreads) /
                                                                                      kChunksPerRow);
  }
  static __device__ __forceinline__ int column(int i) {
    return (threadIdx.x + i * kThreads) % kChunksPerRow * kChunkElements;
  }

  /// Reads from the tile at `source`, of which `rows` x `columns` exist; the rest becomes zero. Rows are aligned.
  __device__ __forceinline__ void read(Element const* source, int64_t ld, int rows, int columns) {
#pragma unroll
    for (int i = 0; i < kChunks; ++i) {
      chunks[i] = load_chunk<true>(source + row(i) * ld + column(i), row(i) < rows ? columns - column(i) : 0);
    }
  }

  __device__ __forceinline__ void store(Element* shared) const {
#pragma unroll
    for (int i = 0; i < kChunks; ++i) *reinterpret_cast<uint4*>(shared + row(i) * kStride + column(i)) = chunks[i];
  }
};

/// The tiles of one step along k.
template <class T, BLayout kLayout, Shape kShape>
struct RegisterTiles {
  using Element = typename T::Element;
  using Shared = Tiles<T, kLayout, kShape>;
  RegisterTile<Element, kShape.tile_m, Shared::kTileK, Shared::kStrideA, kShape.threads()> a;
  RegisterTile<Element, Shared::kRowsB, Shared::kColumnsB, Shared::kStrideB, kShape.threads()> b;

  /// Reads the tiles of step `k` for the tile of D at (row, column). Zeros for what lies outside A and B.
  __device__ __forceinline__ void read(GemmArgs const& args, int row, int column, int k) {
    constexpr bool kRowMajor = Shared::kRowMajor;
    Element const* const from_b = static_cast<Element const*>(args.b);
    int const k_left = args.k - k, columns = args.n - column;
    a.read(static_cast<Element const*>(args.a) + row * args.lda + k, args.lda, args.m - row, k_left);
    b.read(from_b + (kRowMajor ? k * args.ldb + column : column * args.ldb + k), args.ldb, kRowMajor ? k_left : columns,
           kRowMajor ? columns : k_left);
  }

  __device__ __forceinline__ void store(Element* tiles) const {
    a.store(tiles);
    b.store(tiles + Shared::kElementsA);
  }
};

}  // namespace perfcheck::wmma
