// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of matrices: which tile a block computes, where an element of a tile lies in shared memory, and how 16 bytes
// of a matrix are read when its rows are not aligned or end early.
#pragma once

#include <cstdint>

namespace perfcheck {

/// Tiles of `tile` elements that cover `size` >= 1 elements.
__host__ __device__ constexpr int tiles_to_cover(int size, int tile) { return (size - 1) / tile + 1; }

struct TileIndex {
  int row = 0, column = 0;
};

/// Assigns the tiles of D to blocks in groups of `group_rows` rows of tiles, down the column first. Blocks that run
/// together then share rows of A and columns of B, which therefore come from the L2 cache.
__device__ __forceinline__ TileIndex grouped_tile(int block, int tile_rows, int tile_columns, int group_rows = 8) {
  int const blocks_per_group = group_rows * tile_columns;
  int const first_row = block / blocks_per_group * group_rows;
  int const rows = min(group_rows, tile_rows - first_row);
  int const within = block % blocks_per_group;
  return {.row = first_row + within % rows, .column = within / rows};
}

/// Byte offset of a chunk of 16 bytes in a tile whose rows have `kRowBytes`. The chunks of a row are permuted by an
/// exclusive or, so that the same chunk of eight consecutive rows (what ldmatrix reads) lies in eight different groups
/// of four banks. Rows of 128 bytes or more span all banks and need eight places; two rows of 64 bytes share a line and
/// need four.
template <int kRowBytes>
__device__ __forceinline__ int swizzled_offset(int row, int chunk) {
  static_assert(kRowBytes == 64 || kRowBytes % 128 == 0);
  int const place = kRowBytes == 64 ? chunk ^ (row / 2 % 4) : chunk ^ (row % 8);
  return row * kRowBytes + place * 16;
}

/// Places of chunks of 16 bytes in a tile whose rows have `kRowBytes`: offset() is a chunk's byte offset; row() puts
/// rows in the order in which threads fill them, those of one row after the other.
template <int kRowBytes>
struct Swizzled {
  static constexpr int kStride = kRowBytes;  // bytes from one row to the next
  static __device__ __forceinline__ int row(int index) { return index; }
  static __device__ __forceinline__ int offset(int row, int chunk) { return swizzled_offset<kRowBytes>(row, chunk); }
};

/// The same in rows that are longer than their contents. Eight threads that store together fill two rows of 64 bytes or
/// four of 32: four, or two, rows apart they fall into different banks if `kStrideBytes` is an odd number of chunks;
/// neighbours would not.
template <int kRowBytes, int kStrideBytes>
struct Padded {
  static constexpr int kTogether = kRowBytes < 128 ? 128 / kRowBytes : 1;  // rows
  static constexpr int kStride = kStrideBytes;
  static __device__ __forceinline__ int row(int index) {
    if constexpr (kTogether == 1) return index;
    return index / 8 * 8 + index % kTogether * (8 / kTogether) + index % 8 / kTogether;
  }
  static __device__ __forceinline__ int offset(int row, int chunk) { return row * kStrideBytes + chunk * 16; }
};

/// Reads 16 bytes of a row, of which only the first `valid` elements exist; the others become zero. With `kAligned` a
/// whole chunk is one load and `source` must be aligned to 16 bytes, otherwise elements are read one by one.
template <bool kAligned, class T>
__device__ __forceinline__ uint4 load_chunk(T const* source, int valid) {
  constexpr int kElements = 16 / sizeof(T);
  union {
    uint4 chunk;
    T elements[kElements];
  } loaded = {.chunk = {0, 0, 0, 0}};
  if (kAligned && valid >= kElements) {
    loaded.chunk = *reinterpret_cast<uint4 const*>(source);
  } else {
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      if (i < valid) loaded.elements[i] = source[i];
    }
  }
  return loaded.chunk;
}

}  // namespace perfcheck
