// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies of an operand's tiles into shared memory, one tile after the other along k.
#pragma once

#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile.cuh>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace perfcheck {

/// One thread's share of the copies. A tile has kRows rows of kColumns elements, contiguous in global memory along
/// columns; Place says where they go (Swizzled or Padded in tile.cuh). With `kAligned`, every row in global memory must
/// be aligned to 16 bytes and a copy moves 16 bytes; without it, a copy moves one element.
template <class T, int kRows, int kColumns, int kThreads, bool kAligned,
          class Place = Swizzled<kColumns* int{sizeof(T)}>>
class TileCopy {
  static constexpr int kChunk = 16 / sizeof(T);  // elements in 16 bytes
  static constexpr int kChunksPerRow = kColumns / kChunk;
  // A power of two, so that passes divide the tile; where that leaves threads over, they copy nothing.
  static constexpr int kRowsPerPass = std::min<int>(std::bit_floor(unsigned{kThreads / kChunksPerRow}), kRows);
  static constexpr bool kAllCopy = kRowsPerPass * kChunksPerRow == kThreads;
  static constexpr int kPasses = kRows / kRowsPerPass;
  static_assert(kRows % kRowsPerPass == 0);

 public:
  /// The row of the tile that this thread fills first; the others follow kRowsPerPass apart.
  static __device__ __forceinline__ int first_row() { return Place::row(threadIdx.x / kChunksPerRow); }

  /// `origin` is the first tile's first element, `k_stride` the distance from one tile to the next, in elements.
  /// `source_row` is the row of the matrix, counted from `origin`, that goes to the tile's row first_row().
  __device__ __forceinline__ TileCopy(T const* origin, int64_t ld, int64_t k_stride, int source_row = first_row())
      : from_(origin + source_row * ld + chunk() * kChunk), ld_(ld), k_stride_(k_stride), source_row_(source_row) {}

  /// Starts copying the next tile, of which `rows` x `columns` exist; the rest becomes zero.
  __device__ __forceinline__ void copy_next(unsigned char* tile, int rows, int columns) {
    if (!kAllCopy && threadIdx.x >= kRowsPerPass * kChunksPerRow) return;
    if (kAligned && rows >= kRows && columns >= kColumns) {
#pragma unroll
      for (int pass = 0; pass < kPasses; ++pass) {
        ptx::cp_async_16(ptx::shared_address(tile + offset(pass)), from_ + pass * kRowsPerPass * ld_);
      }
    } else {
      int const valid = min(max(columns - chunk() * kChunk, 0), kChunk);
#pragma unroll 1  // rare, so kept small
      for (int pass = 0; pass < kPasses; ++pass) {
        bool const inside = source_row_ + pass * kRowsPerPass < rows;
        copy_part(tile + offset(pass), from_ + pass * kRowsPerPass * ld_, inside ? valid : 0);
      }
    }
    from_ += k_stride_;
  }

  /// The same without a branch: all copies are started, each of as many bytes as exist. Past the last tile that is
  /// none: nothing is read, and the tile becomes zero.
  __device__ __forceinline__ void copy_next_straight(unsigned char* tile, int rows, int columns) {
    static_assert(kAligned && kAllCopy, "a copy moves 16 bytes, and every thread has the same number of them");
    int const valid_bytes = min(max(columns - chunk() * kChunk, 0), kChunk) * int{sizeof(T)};
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      bool const inside = source_row_ + pass * kRowsPerPass < rows;
      ptx::cp_async_16(ptx::shared_address(tile + offset(pass)), from_ + pass * kRowsPerPass * ld_,
                       inside ? valid_bytes : 0);
    }
    from_ += k_stride_;
  }

 private:
  static __device__ __forceinline__ int chunk() { return threadIdx.x % kChunksPerRow; }

  static __device__ __forceinline__ int offset(int pass) {
    return Place::offset(first_row() + pass * kRowsPerPass, chunk());
  }

  /// 16 bytes of which the first `valid` elements exist.
  static __device__ __forceinline__ void copy_part(unsigned char* to, T const* from, int valid) {
    if constexpr (kAligned) {
      ptx::cp_async_16(ptx::shared_address(to), from, valid * int{sizeof(T)});
    } else if constexpr (sizeof(T) == 4) {
#pragma unroll
      for (int i = 0; i < kChunk; ++i) ptx::cp_async_4(ptx::shared_address(to) + i * 4, from + i, i < valid);
    } else {  // cp.async copies no less than 4 bytes
      *reinterpret_cast<uint4*>(to) = load_chunk<false>(from, valid);
    }
  }

  T const* from_;  // this thread's first chunk in the next tile
  int64_t ld_, k_stride_;
  int source_row_;
};

}  // namespace perfcheck
