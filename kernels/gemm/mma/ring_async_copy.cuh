// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The ring without a copy engine: all threads copy by cp.async, and __syncthreads() tells that a stage has arrived and
// that another one has been read. For compute capability 8.0 and later, and for rows of any alignment.
#pragma once

#include "ring_math.cuh"

namespace perfcheck::mma {

/// One thread's share of copying the tiles of A and B to a stage, one after the other along k: a chunk of each line
/// that is kLines further down. With `kAligned`, rows must begin at multiples of 16 bytes.
template <class V, bool kAligned>
class AsyncCopy {
  using In = typename V::In;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kK = kLineK<In>;
  static constexpr int kChunk = 16 / int{sizeof(In)};                       // elements in a chunk
  static constexpr int kLines = kShape.math_threads() / (kLineBytes / 16);  // that the block copies at a time
  static constexpr int kPassesA = kShape.tile_m / kLines, kPassesB = kShape.tile_n / kLines;
  static_assert(kShape.tile_m % kLines == 0 && kShape.tile_n % kLines == 0, "copies divide the tiles");
  static_assert(!V::kRowMajor || kK % kLines == 0 || kLines % kK == 0, "copies divide the boxes of B");
  static_assert(kLines % 8 == 0, "the swizzle is the same in each of a thread's lines");

 public:
  __device__ __forceinline__ AsyncCopy(GemmArgs const& args, int row, int column)
      : lda_(args.lda), ldb_(args.ldb), k_left_(args.k), rows_(args.m - row), columns_(args.n - column) {
    a_ = static_cast<In const*>(args.a) + (int64_t{row} + line()) * lda_ + chunk() * kChunk;
    b_ = static_cast<In const*>(args.b) + (V::kRowMajor
                                               ? line() % kK * ldb_ + column + line() / kK * kK + chunk() * kChunk
                                               : (int64_t{column} + line()) * ldb_ + chunk() * kChunk);
  }

  /// Copies part `part` of kParts of the present tile to `stage`.
  template <int kParts>
  __device__ __forceinline__ void copy(unsigned char* stage, int part) const {
#pragma unroll
    for (int pass = 0; pass < kPassesA; ++pass) {
      if (pass * kParts / kPassesA != part) continue;
      int const left = pass * kLines + line() < rows_ ? k_left_ - chunk() * kChunk : 0;
      copy_chunk(stage + to() + pass * kLines * kLineBytes, a_ + pass * kLines * lda_, left);
    }
    unsigned char* const b_stage = stage + kShape.tile_m * kLineBytes + to();
#pragma unroll
    for (int pass = 0; pass < kPassesB; ++pass) {
      if (pass * kParts / kPassesB != part) continue;
      unsigned char* const b_to = b_stage + pass * kLines * kLineBytes;
      if constexpr (V::kRowMajor) {
        int const k = pass * kLines % kK, boxes = pass * kLines / kK;  // from this thread's first line
        int const left = k + line() % kK < k_left_ ? columns_ - (boxes + line() / kK) * kK - chunk() * kChunk : 0;
        copy_chunk(b_to, b_ + k * ldb_ + boxes * kK, left);
      } else {
        int const left = pass * kLines + line() < columns_ ? k_left_ - chunk() * kChunk : 0;
        copy_chunk(b_to, b_ + pass * kLines * ldb_, left);
      }
    }
  }

  /// Goes on to the next tile.
  __device__ __forceinline__ void advance() {
    a_ += kK;
    b_ += V::kRowMajor ? kK * ldb_ : kK;
    k_left_ -= kK;
  }

 private:
  static __device__ __forceinline__ int line() { return threadIdx.x / (kLineBytes / 16); }
  static __device__ __forceinline__ int chunk() { return threadIdx.x % (kLineBytes / 16); }
  static __device__ __forceinline__ int to() { return line_offset(line(), chunk()); }

  /// 16 bytes, of which `left` elements exist, or more than that; zeros for the rest.
  static __device__ __forceinline__ void copy_chunk(unsigned char* to, In const* from, int left) {
    int const valid = min(max(left, 0), kChunk);
    if constexpr (kAligned) {
      ptx::cp_async_16(ptx::shared_address(to), from, valid * int{sizeof(In)});
    } else if constexpr (sizeof(In) == 4) {
#pragma unroll
      for (int i = 0; i < kChunk; ++i) ptx::cp_async_4(ptx::shared_address(to) + i * 4, from + i, i < valid);
    } else {  // cp.async copies no less than 4 bytes
      *reinterpret_cast<uint4*>(to) = load_chunk<false>(from, valid);
    }
  }

  In const* a_;  // this thread's first chunk of the present tile
  In const* b_;
  int64_t lda_, ldb_;
  int k_left_, rows_, columns_;  // that exist from the present tile's, or the block's, first on
};

/// Multiplies all k-blocks of the tile that begins at `row` and `column`. Exactly one group of copies is committed per
/// k-block, an empty one past the end, so that "all but the youngest stages - 2 groups" always means "the next stage
/// has arrived".
template <class V, bool kAligned>
__device__ __forceinline__ void multiply_all(WarpMath<V>& math, GemmArgs const& args, unsigned char* ring, int row,
                                             int column) {
  constexpr Shape kShape = V::kShape;
  constexpr int kStageBytes = kShape.stage_bytes();
  static_assert(kShape.groups == 1 && kShape.slices == 1 && kShape.stages >= 2);
  int const k_blocks = tiles_to_cover(args.k, kLineK<typename V::In>);
  AsyncCopy<V, kAligned> source(args, row, column);
#pragma unroll 1
  for (int stage = 0; stage < kShape.stages - 1; ++stage) {
    if (stage < k_blocks) source.template copy<1>(ring + stage * kStageBytes, 0);
    source.advance();
    ptx::cp_async_commit();
  }
  ptx::cp_async_wait<kShape.stages - 2>();
  __syncthreads();

  constexpr bool kReadAhead = WarpMath<V>::kReadAhead;
  typename WarpMath<V>::Fragments fragments[kReadAhead ? 2 : 1];
  uint32_t const first = ptx::shared_address(ring);
  int current = 0, to_fill = kShape.stages - 1;
  auto const next_stage = [&] {
    source.advance();
    ptx::cp_async_commit();
    ptx::cp_async_wait<kShape.stages - 2>();  // the next stage has arrived, for this thread;
    __syncthreads();                          // for all, and none reads the current one any more
    to_fill = current;
    current = current + 1 == kShape.stages ? 0 : current + 1;
  };
  if constexpr (kReadAhead) math.read(fragments[0], first, 0);
#pragma unroll 1
  for (int k = 0; k < k_blocks; ++k) {
    bool const more = k + kShape.stages - 1 < k_blocks;
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if constexpr (kReadAhead) {
        if (step == kSteps - 1) next_stage();
        // After the last k-block this reads a stage with stale data, and the result is not used.
        math.read(fragments[(step + 1) % 2], first + current * kStageBytes, (step + 1) % kSteps);
        if (step < kSteps - 1 && more) source.template copy<kSteps - 1>(ring + to_fill * kStageBytes, step);
        math.template multiply<false>(fragments[step % 2]);
      } else {
        math.read(fragments[0], first + current * kStageBytes, step);
        if (more) source.template copy<kSteps>(ring + to_fill * kStageBytes, step);
        math.template multiply<false>(fragments[0]);
        if (step == kSteps - 1) next_stage();
      }
    }
  }
  ptx::cp_async_wait<0>();
}

}  // namespace perfcheck::mma
