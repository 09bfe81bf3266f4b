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
/// ldmatrix transposes elements of 16 bits only. Rows of B with other elements are read four bytes at a time, and the
/// columns of a group of 32 are dealt to its four tiles of mma.sync so that banks do not conflict. INT8: a word holds
/// four neighbouring columns, one for each tile. TF32: tile t has columns 4 t to 4 t + 3 and the same of the next 16. A
/// read of 16 bytes would be one instruction instead of four. But mma.sync wants the two numbers of an operand in
/// neighbouring registers, and they would come from two such reads: nvcc moved them there anew for each product, two
/// instructions beside every mma.sync.
template <class V>
class WarpMath {
  using In = typename V::In;
  using Sum = typename V::Sum;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kM = kShape.mmas_m(), kN = kShape.mmas_n();
  static constexpr int kBox = kLineK<In>;  // columns of a row-major B in a line, and lines in a box
  static_assert(kN % 2 == 0 && kSteps % kShape.groups == 0);
  static_assert(!V::kDealt || kN % 4 == 0, "columns are dealt in groups of 32");

 public:
  Sum sums[kM][kN][4];

  __device__ __forceinline__ WarpMath() : group_(group_of(threadIdx.x)) {
    int const lane = threadIdx.x % kWarp, row = row_of(threadIdx.x), column = column_of(threadIdx.x);
    // Groups take turns along k; within a line, a step is two chunks further on, which is an exclusive or of 32.
    a_ = line_offset(row + lane % 16, lane / 16) ^ (group_ * kStepBytes);
    if constexpr (!V::kRowMajor) {
      b_ = line_offset(kShape.tile_m + column + lane / 16 * 8 + lane % 8, lane / 8 % 2) ^ (group_ * kStepBytes);
    } else {
      b_ = (kShape.tile_m + column / kBox * kBox) * kLineBytes;
      int const chunk = column % kBox * int{sizeof(In)} / 16;
      if constexpr (sizeof(In) == 1) b_ += line_offset(lane % 4 * 4, chunk + lane / 16) + lane / 4 % 4 * 4;
      if constexpr (sizeof(In) == 2) b_ += line_offset(lane % 16, chunk + lane / 16);
      // The chunks of the warp's upper half are four further on: the swizzle, which exchanges the lower two bits of a
      // chunk for the four k of a quad of lanes, then spreads all eight over the banks.
      if constexpr (sizeof(In) == 4) b_ += line_offset(lane % 4, chunk + lane / 16 * 4) + lane / 4 % 4 * 4;
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

  /// First row and column within the tile, and the group, of the warp of a thread.
  static __device__ __forceinline__ int row_of(int thread) {
    return thread / kWarp % kShape.group_warps() / kShape.warps_n() * kShape.warp_m;
  }
  static __device__ __forceinline__ int column_of(int thread) {
    return thread / kWarp % kShape.warps_n() * kShape.warp_n;
  }
  static __device__ __forceinline__ int group_of(int thread) { return thread / kShape.group_threads(); }

  /// Fragments of the next step can be read while those of this one are multiplied: a stage has an even number of steps
  /// for each group, and registers suffice.
  static constexpr bool kReadAhead =
      kShape.steps() % 2 == 0 && kShape.sums() <= 128 && !(V::kDealt && sizeof(In) == 1 && kShape.sums() > 64);

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
    stage += step / kSteps * kShape.slice_bytes();
    step %= kSteps;
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
  /// Fragments of a row-major B; `b` is the shared address of what this lane reads first.
  __device__ __forceinline__ void read_rows_of_b(Fragments& fragments, uint32_t b, int step) const {
    static_assert(kShape.warp_n % kBox == 0 || kBox % kShape.warp_n == 0, "a warp's columns do not cross boxes");
    if constexpr (sizeof(In) == 2) {
#pragma unroll
      for (int j = 0; j < kN / 2; ++j) {  // two chunks further on within a box, or the next box
        int const lines = j * 16 / kBox * kBox + step * 16;
        ptx::ldmatrix_x4_trans(fragments.b[j], (b ^ (j * 16 % kBox / 8 * 16)) + lines * kLineBytes);
      }
    } else {
#pragma unroll
      for (int group = 0; group < kN / 4; ++group) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          uint32_t four_tiles[4];
#pragma unroll
          for (int t = 0; t < 4; ++t) {
            // A line or four lines further down, chunks lie at other places, as the swizzle has it.
            uint32_t const place = b ^ (t * 16) ^ (sizeof(In) == 4 ? half * 64 : group * 32);
            int const lines = sizeof(In) == 4 ? group * 32 + step * 8 + half * 4 : step * 32 + half * 16 + t;
            four_tiles[t] = ptx::read_shared_word(place + lines * kLineBytes);
          }
          if constexpr (sizeof(In) == 1) transpose_bytes(four_tiles);
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

  int group_;
  uint32_t a_, b_;  // offsets in a slice from which this lane reads
};

/// Warps that multiply the same tile for different k, those of Shape::groups in each block of Shape::parts, own some
/// rows of its sums each, which they add up (ring_sums.cuh) and store. Rows are counted in tiles of mma.sync: 16.
template <class V>
struct RowOwners {
  static constexpr int kOwners = V::kShape.groups * V::kShape.parts;
  int own;

  /// For a thread of part `part`.
  __device__ __forceinline__ explicit RowOwners(int thread, int part = 0)
      : own(part * V::kShape.groups + WarpMath<V>::group_of(thread)) {}

  static __host__ __device__ constexpr int owner_of(int row) { return row * kOwners / V::kShape.mmas_m(); }
  __device__ __forceinline__ bool owns(int row) const { return kOwners == 1 || own == owner_of(row); }
};

}  // namespace perfcheck::mma
