// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a warp does with a stage of the ring: fragments by ldmatrix, products by mma.sync.
#pragma once

#include "ring_shape.cuh"
#include "ring_types.cuh"

namespace perfcheck::mma {

/// A warp's part of the block's tile, and the sums of one of its threads.
///
/// Sums of 16 x 8 follow PTX's layout: sums[i][j][0] and [1] lie in row 16 i + lane / 4, [2] and [3] eight rows below.
/// ldmatrix transposes elements of 16 bits only. Rows of B with other elements are therefore read 16 bytes (TF32) or
/// four bytes at four k (INT8) at a time, and each lane's four neighbouring columns go to four tiles of mma.sync: the
/// columns of a group of 32 are dealt to its four tiles.
template <class V>
class WarpMath {
  using In = typename V::In;
  using Sum = typename V::Sum;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kM = kShape.mmas_m(), kN = kShape.mmas_n();
  static constexpr int kLocalSteps = kSteps / kShape.groups;
  static constexpr int kBox = kTileK<In>;  // columns of a row-major B in a line, and lines in a box
  static_assert(kN % 2 == 0 && kLocalSteps * kShape.groups == kSteps);
  static_assert(!V::kDealt || kN % 4 == 0, "columns are dealt in groups of 32");

 public:
  Sum sums[kM][kN][4];

  __device__ __forceinline__ WarpMath() : lane_(threadIdx.x % kWarp) {
    int const warp = threadIdx.x / kWarp % kShape.group_warps();
    group_ = threadIdx.x / kShape.group_threads();
    row_ = warp / kShape.warps_n() * kShape.warp_m;
    column_ = warp % kShape.warps_n() * kShape.warp_n;
    // Groups take turns along k; within a line, a step is two chunks further on, which is an exclusive or of 32.
    a_ = line_offset(row_ + lane_ % 16, lane_ / 16) ^ (group_ * kStepBytes);
    if constexpr (!V::kRowMajor) {
      b_ = line_offset(kShape.tile_m + column_ + lane_ / 16 * 8 + lane_ % 8, lane_ / 8 % 2) ^ (group_ * kStepBytes);
    } else {
      b_ = kShape.tile_m * kLineBytes;
      // Lanes of a quad read four k; their eight columns' chunks are 0, 4, 1, 5, ..., which the swizzle spreads.
      if constexpr (sizeof(In) == 4) b_ += column_ * kLineBytes + line_offset(lane_ % 4, lane_ / 4 % 2 * 4 + lane_ / 8);
      if constexpr (sizeof(In) == 2) {
        b_ += column_ / kBox * kBox * kLineBytes + line_offset(lane_ % 16, column_ % kBox / 8 + lane_ / 16);
      }
    }
    clear();
  }

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int i = 0; i < kM; ++i) {
#pragma unroll
      for (int j = 0; j < kN; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) sums[i][j][e] = 0;
      }
    }
  }

  /// First row and column of the warp within the tile, and its group.
  __device__ __forceinline__ int row() const { return row_; }
  __device__ __forceinline__ int column() const { return column_; }
  __device__ __forceinline__ int group() const { return group_; }

  /// Fragments of the next step can be read while those of this one are multiplied: a stage has an even number of steps
  /// for each group, and registers suffice.
  static constexpr bool kReadAhead =
      kLocalSteps % 2 == 0 && kShape.sums() <= 128 && !(V::kDealt && sizeof(In) == 1 && kShape.sums() > 64);

  /// One step's operands.
  struct Fragments {
    uint32_t a[kM][4];
    uint32_t b[kN / 2][4];  // two tiles of eight columns each, two registers per tile
  };

  /// A number that is not known before all of `fragments` have been read.
  static __device__ __forceinline__ uint32_t depends_on(Fragments const& fragments) {
    uint32_t all = 0;
#pragma unroll
    for (auto const& of_row : fragments.a) all ^= of_row[0];
#pragma unroll
    for (auto const& of_columns : fragments.b) {
      all ^= of_columns[0];
      if constexpr (V::kDealt) all ^= of_columns[1] ^ of_columns[2] ^ of_columns[3];  // of several reads
    }
    return all;
  }

  /// Reads this group's `step`-th step of the stage at shared address `stage`.
  __device__ __forceinline__ void read(Fragments& fragments, uint32_t stage, int step) const {
    step *= kShape.groups;
#pragma unroll
    for (int i = 0; i < kM; ++i) {
      ptx::ldmatrix_x4(fragments.a[i], ((stage + a_) ^ (step * kStepBytes)) + i * 16 * kLineBytes);
    }
    if constexpr (!V::kRowMajor) {
#pragma unroll
      for (int j = 0; j < kN / 2; ++j) {
        ptx::ldmatrix_x4(fragments.b[j], ((stage + b_) ^ (step * kStepBytes)) + j * 16 * kLineBytes);
      }
    } else {
      read_rows_of_b(fragments, stage + b_, step + group_);
    }
  }

  /// Adds the products of one step. TF32 operands are rounded here unless `kRounded`: the copy engine rounds on the
  /// way, cp.async does not.
  template <bool kRounded>
  __device__ __forceinline__ void multiply(Fragments& fragments) {
    if constexpr (sizeof(In) == 4 && !kRounded) {
#pragma unroll
      for (auto& two_tiles : fragments.b) {
#pragma unroll
        for (uint32_t& element : two_tiles) round_to_tf32(element);
      }
    }
#pragma unroll
    for (int i = 0; i < kM; ++i) {
      if constexpr (sizeof(In) == 4 && !kRounded) {
#pragma unroll
        for (uint32_t& element : fragments.a[i]) round_to_tf32(element);
      }
#pragma unroll
      for (int n = 0; n < kN; ++n) {
        int const j = i % 2 == 0 ? n : kN - 1 - n;  // neighbouring products share a fragment of B
        multiply_add<In>(sums[i][j], fragments.a[i], fragments.b[j / 2][j % 2 * 2], fragments.b[j / 2][j % 2 * 2 + 1]);
      }
    }
  }

 private:
  /// Fragments of a row-major B; `tile` is the shared address of B's lines or, unless elements are bytes, of what this
  /// lane reads first.
  __device__ __forceinline__ void read_rows_of_b(Fragments& fragments, uint32_t tile, int step) const {
    if constexpr (sizeof(In) == 2) {
      static_assert(kShape.warp_n % kBox == 0 || kBox % kShape.warp_n == 0, "a warp's columns do not cross boxes");
#pragma unroll
      for (int j = 0; j < kN / 2; ++j) {  // two chunks further on within a box, or the next box
        int const lines = j * 16 / kBox * kBox + step * 16;
        ptx::ldmatrix_x4_trans(fragments.b[j], (tile ^ (j * 16 % kBox / 8 * 16)) + lines * kLineBytes);
      }
    } else {
#pragma unroll
      for (int group = 0; group < kN / 4; ++group) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          uint32_t four_tiles[4];
          if constexpr (sizeof(In) == 4) {  // four lines further down, chunks lie at places exchanged by 4
            ptx::read_shared_quad(four_tiles, (tile ^ (half * 64)) + (group * 32 + step * 8 + half * 4) * kLineBytes);
          } else {
            int const column = column_ + group * 32;
            int const at = column % kBox + lane_ / 4 * 4;
            int const line = column / kBox * kBox + step * 32 + half * 16 + lane_ % 4 * 4;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
              four_tiles[k] = ptx::read_shared_word(tile + line_offset(line + k, at / 16) + at % 16);
            }
            transpose_bytes(four_tiles);
          }
#pragma unroll
          for (int t = 0; t < 4; ++t) fragments.b[group * 2 + t / 2][t % 2 * 2 + half] = four_tiles[t];
        }
      }
    }
  }

  /// Four registers of four bytes as a matrix, transposed.
  static __device__ __forceinline__ void transpose_bytes(uint32_t (&words)[4]) {
    uint32_t const low01 = __byte_perm(words[0], words[1], 0x5140), high01 = __byte_perm(words[0], words[1], 0x7362);
    uint32_t const low23 = __byte_perm(words[2], words[3], 0x5140), high23 = __byte_perm(words[2], words[3], 0x7362);
    words[0] = __byte_perm(low01, low23, 0x5410);
    words[1] = __byte_perm(low01, low23, 0x7632);
    words[2] = __byte_perm(high01, high23, 0x5410);
    words[3] = __byte_perm(high01, high23, 0x7632);
  }

  int lane_, group_, row_, column_;
  uint32_t a_, b_;  // offsets in a stage from which this lane reads
};

/// Named barriers: of the math warps, and of all warps before they begin.
constexpr int kMathBarrier = 1;
constexpr int kStartBarrier = 2;

/// Adds the sums of the other groups of warps to those of the first one, lane by lane. All math threads call it;
/// `shared` has room for the sums of all but one group, and nobody may still be reading it.
template <class V>
__device__ __forceinline__ void add_groups(WarpMath<V>& math, unsigned char* shared) {
  constexpr Shape kShape = V::kShape;
  using Quad = int4;  // 16 bytes of sums, whatever their type
  constexpr int kQuads = kShape.sums() / 4;
  using Sum = typename V::Sum;
  auto* const quads = reinterpret_cast<Quad*>(shared) + threadIdx.x % kShape.group_threads();
  auto const place = [&](int group, int n) { return quads + ((group - 1) * kQuads + n) * kShape.group_threads(); };
  if (math.group() > 0) {
#pragma unroll
    for (int n = 0; n < kQuads; ++n) *place(math.group(), n) = reinterpret_cast<Quad const*>(math.sums)[n];
  }
  ptx::named_barrier(kMathBarrier, kShape.math_threads());
  if (math.group() > 0) return;
#pragma unroll
  for (int group = 1; group < kShape.groups; ++group) {
#pragma unroll
    for (int n = 0; n < kQuads; ++n) {
      Quad const quad = *place(group, n);
      auto const* const part = reinterpret_cast<Sum const*>(&quad);
      Sum* const sum = &math.sums[0][0][0] + n * 4;
#pragma unroll
      for (int e = 0; e < 4; ++e) sum[e] += part[e];
    }
  }
}

}  // namespace perfcheck::mma
