// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// An operand's tiles on their way from global to shared memory through registers, one tile after the other along k.
// TileCopy (tile_copy.cuh) does the same with cp.async, which passes by the registers.
#pragma once

#include <perfcheck/tile.cuh>

#include <cstdint>

namespace perfcheck {

/// One thread's chunks of 16 bytes of a tile of kRows rows of kColumns elements, contiguous in global memory along
/// columns; Place says where they go (Swizzled or Padded in tile.cuh). Every row in global memory must be aligned to 16
/// bytes.
template <class T, int kRows, int kColumns, int kThreads, class Place>
class RegisterTile {
  static constexpr int kChunk = 16 / sizeof(T);  // elements in 16 bytes
  static constexpr int kChunksPerRow = kColumns / kChunk;
  static constexpr int kRowsPerPass = kThreads / kChunksPerRow;
  static constexpr int kPasses = kRows / kRowsPerPass;
  static_assert(kRowsPerPass * kChunksPerRow == kThreads && kRows % kRowsPerPass == 0, "threads have equal shares");

 public:
  /// `origin` is the first tile's first element, `k_stride` the distance from one tile to the next, in elements.
  __device__ __forceinline__ RegisterTile(T const* origin, int64_t ld, int64_t k_stride)
      : from_(origin + first_row() * ld + chunk() * kChunk), ld_(ld), k_stride_(k_stride) {}

  /// Reads the next tile, of which `rows` x `columns` exist; the rest becomes zero.
  __device__ __forceinline__ void read_next(int rows, int columns) {
    if (rows >= kRows && columns >= kColumns) {
#pragma unroll
      for (int pass = 0; pass < kPasses; ++pass) {
        chunks_[pass] = *reinterpret_cast<uint4 const*>(from_ + pass * kRowsPerPass * ld_);
      }
    } else {
#pragma unroll
      for (int pass = 0; pass < kPasses; ++pass) {
        bool const inside = first_row() + pass * kRowsPerPass < rows;
        int const valid = inside ? columns - chunk() * kChunk : 0;
        chunks_[pass] = load_chunk<true>(from_ + pass * kRowsPerPass * ld_, valid);
      }
    }
    from_ += k_stride_;
  }

  /// Stores what was read last.
  __device__ __forceinline__ void store(unsigned char* tile) const {
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      int const offset = Place::offset(first_row() + pass * kRowsPerPass, chunk());
      *reinterpret_cast<uint4*>(tile + offset) = chunks_[pass];
    }
  }

 private:
  static __device__ __forceinline__ int first_row() { return Place::row(threadIdx.x / kChunksPerRow); }
  static __device__ __forceinline__ int chunk() { return threadIdx.x % kChunksPerRow; }

  T const* from_;  // this thread's first chunk in the next tile
  int64_t ld_, k_stride_;
  uint4 chunks_[kPasses];
};

}  // namespace perfcheck
