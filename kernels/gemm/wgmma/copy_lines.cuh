// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles copied by the threads of a group, without the copy engine.
#pragma once

#include "shape.cuh"

#include <perfcheck/ptx_sm80.cuh>

namespace perfcheck::wgmma {

/// Begins to copy lines of 128 bytes: line l begins at row `row` + l and column `column` of a row-major matrix of
/// `rows` x `columns`. What lies outside becomes zero.
template <int kLines, bool kAligned, class T>
__device__ __forceinline__ void copy_lines(unsigned char* to, T const* from, int64_t stride, int row, int column,
                                           int rows, int columns) {
  constexpr int kChunks = kLineBytes / 16, kAtATime = kGroupThreads / kChunks, kElements = 16 / int{sizeof(T)};
  int const chunk = static_cast<int>(threadIdx.x) % kChunks, first = static_cast<int>(threadIdx.x) / kChunks;
  int const left = columns - column - chunk * kElements;
#pragma unroll
  for (int line = first; line < kLines; line += kAtATime) {
    int const valid = row + line < rows ? min(max(left, 0), kElements) : 0;
    T const* const source = from + (row + line) * stride + column + chunk * kElements;
    unsigned char* const place = to + swizzled_offset<kLineBytes>(line, chunk);
    if constexpr (kAligned) {
      ptx::cp_async_16(ptx::shared_address(place), source, valid * int{sizeof(T)});
    } else {
      *reinterpret_cast<uint4*>(place) = load_chunk<false>(source, valid);
    }
  }
}

/// Begins to copy k-block `k_block` of a tile to a stage. With `kAligned`, rows must begin at multiples of 16 bytes,
/// and the copies are cp.async's, which the calling thread has to wait for. All threads of a group call it; before
/// wgmma reads the stage, each executes fence_for_copy_engine(), and all meet.
template <class V, bool kAligned>
__device__ __forceinline__ void copy_stage(unsigned char* stage, GemmArgs const& args, TileIndex tile, int k_block) {
  constexpr Shape kShape = V::kShape;
  auto const* const a = static_cast<typename V::In const*>(args.a);
  auto const* const b = static_cast<typename V::In const*>(args.b);
  int const row = tile.row * kShape.tile_m, column = tile.column * kShape.tile_n, k = k_block * V::kK;
  copy_lines<kShape.tile_m, kAligned>(stage, a, args.lda, row, k, args.m, args.k);
  if constexpr (V::kRowMajor) {
#pragma unroll
    for (int box = 0; box < V::kBoxes; ++box) {
      copy_lines<V::kK, kAligned>(stage + V::kBytesA + box * V::kK * kLineBytes, b, args.ldb, k, column + box * V::kK,
                                  args.k, args.n);
    }
  } else {
    copy_lines<kShape.tile_n, kAligned>(stage + V::kBytesA, b, args.ldb, column, k, args.n, args.k);
  }
}

}  // namespace perfcheck::wgmma
