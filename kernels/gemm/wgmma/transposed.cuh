// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// D transposed: wgmma reads elements of 32 and of 8 bits from shared memory only where k is contiguous, which it is not
// in a row-major B. But it takes its first operand from registers as well, and there each thread may bring elements
// from wherever they lie. So B is the first operand and A the second, and sums are those of D's transpose = B's * A's:
//
//   instruction   rows: columns of B and D, 64 of them    columns: rows of A and D, all that the group has
//
// A group has 128 columns of B, two instructions for a step along k, and a warp 32 of them, of which a thread has four
// neighbours: two rows of either instruction. Which column is which row is free; here the thread's four columns are
// read, and later written, together.
#pragma once

#include "ring.cuh"
#include "store.cuh"

namespace perfcheck::wgmma {

constexpr int kInstructions = 2;   // for a step along k
constexpr int kThreadColumns = 4;  // of D: two rows of either instruction
constexpr int kWarpColumns = 8 * kThreadColumns;
constexpr int kTransposedColumns = kGroupWarps * kWarpColumns;  // of a group

/// The first column of D of the calling thread's warp, in the columns of its block.
template <class V>
__device__ __forceinline__ int warp_column(int group, int thread) {
  return (V::kShape.share == Share::columns ? group * kTransposedColumns : 0) +
         thread % kGroupThreads / kWarp * kWarpColumns;
}
/// The same for the first row of its group.
template <class V>
__device__ __forceinline__ int group_row(int group) {
  return V::kShape.share == Share::rows ? group * V::kShape.group_rows() : 0;
}

/// Which four columns of its warp's 32 a lane has. Eight lanes that follow each other are two rows of an instruction at
/// four k. Of TF32, four columns are a chunk of 16 bytes: the two rows' chunks are four apart, so that the swizzle,
/// which exchanges them within four, puts the eight in eight different places, and no two are in the same banks.
__device__ __forceinline__ int quad_of_lane(int lane) {
  int const row = lane / 4;
  return row / 2 + row % 2 * 4;
}

/// The sums of a thread. sums[i][4 j + 2 h + e] is the one of column 2 i + h of its four, and of row 8 j + 2 (lane % 4)
/// + e of the group's.
template <class V>
class TransposedMath {
  using In = typename V::In;
  static constexpr Shape kShape = V::kShape;
  static constexpr int kRowsOfD = kShape.group_rows();
  static constexpr int kBoxLines = V::kK;  // of B; as many as it has columns
  static_assert(V::kRowMajor && kShape.group_columns() == kTransposedColumns && kShape.share != Share::turns);

 public:
  typename V::Sum sums[kInstructions][kRowsOfD / 2];

  /// For the group with this number.
  __device__ __forceinline__ explicit TransposedMath(int group) : a_(group_row<V>(group) * kLineBytes) {
    int const thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, along = lane % 4;
    int const column = warp_column<V>(group, thread) + quad_of_lane(lane) * kThreadColumns;
    int const within = column % kBoxLines * int{sizeof(In)};  // bytes
    // The first line that the lane reads.
    int line = along;
    if constexpr (sizeof(In) == 1) {
      late_ = along / 2 != 0;
      line = 4 * along + (late_ ? 2 : 0);
    }
    b_ =
        V::kBytesA + (column / kBoxLines * kBoxLines + line) * kLineBytes + (within / 16 ^ line % 8) * 16 + within % 16;
  }

  /// Reads B of step `kStep` of a stage. The products that used the same registers, those of two steps ago, must have
  /// been waited for.
  template <int kStep>
  __device__ __forceinline__ void read(uint32_t stage) {
    auto& to = fragments_[kStep % 2];
    uint32_t const from = stage + b_;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      uint4 quad;  // 4 bytes of k of each of the four columns
      if constexpr (sizeof(In) == 4) {
        // Four lines further on, the place of a chunk is another by four.
        quad = ptx::read_shared_quad((half == 0 ? from : from ^ (4 * kLineBytes | 4 * 16)) + kStep * 8 * kLineBytes);
      } else {
        quad = read_bytes(from, (kStep * 32 + half * 16) * kLineBytes);
      }
      to[0][2 * half] = quad.x;
      to[0][2 * half + 1] = quad.y;
      to[1][2 * half] = quad.z;
      to[1][2 * half + 1] = quad.w;
    }
  }

  /// Begins to multiply what was read of the step, as one group of wgmma. Sums begin anew unless `add`.
  template <int kStep>
  __device__ __forceinline__ void multiply(uint32_t stage, bool add) {
    uint64_t const a = ptx::tile_descriptor(stage + a_, 0, 8 * kLineBytes) + kStep * kStepBytes / 16;
    ptx::wgmma_fence();
#pragma unroll
    for (int i = 0; i < kInstructions; ++i) {
      ptx::wgmma<In, kRowsOfD, false>(sums[i], fragments_[kStep % 2][i], a, add);
    }
    ptx::wgmma_commit();
  }

  /// Waits for all products. The sums can be used then.
  __device__ __forceinline__ void finish() {
    ptx::wgmma_wait<0>();
#pragma unroll
    for (int i = 0; i < kInstructions; ++i) ptx::hold_sums(sums[i]);
  }

 private:
  /// Four bytes of k of each of the four columns: those columns of four lines, transposed. If all lanes read their
  /// lines in the same order, lanes 2 and 3 of four would read the chunks that lanes 0 and 1 read; they read the last
  /// two lines first.
  __device__ __forceinline__ uint4 read_bytes(uint32_t from, int offset) const {
    uint32_t lines[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) lines[i] = ptx::read_shared_word((from ^ i * (kLineBytes | 16)) + offset);
    uint32_t const low = __byte_perm(lines[0], lines[1], 0x5140), low_late = __byte_perm(lines[2], lines[3], 0x5140);
    uint32_t const high = __byte_perm(lines[0], lines[1], 0x7362), high_late = __byte_perm(lines[2], lines[3], 0x7362);
    uint32_t const even = late_ ? 0x1054 : 0x5410, odd = late_ ? 0x3276 : 0x7632;
    return {__byte_perm(low, low_late, even), __byte_perm(low, low_late, odd), __byte_perm(high, high_late, even),
            __byte_perm(high, high_late, odd)};
  }

  uint32_t fragments_[2][kInstructions][4];  // of two steps: one is read while the other is multiplied
  int a_, b_;          // offsets of the group's rows of A, and of the thread's columns, in a stage
  bool late_ = false;  // whether the thread reads the last two of its lines of INT8 first
};

/// Multiplies a tile: the next `k_blocks` stages of the ring, at least one. While one step is multiplied, the next is
/// read, at the end of a stage from the next one. A stage is released when its products are done, and with them the
/// reads that they needed. After the last stage there is nothing to read: instead of a branch, at which ptxas might not
/// know which products are done, its first step is read once more and not used, so that it does not matter if the copy
/// engine is faster.
template <class V>
__device__ __forceinline__ void multiply_transposed(RingReader<V>& ring, TransposedMath<V>& math, int k_blocks) {
  uint32_t stage = ring.wait_until_full(0);
  math.template read<0>(stage);
#pragma unroll 1
  for (int k = 0; k < k_blocks; ++k) {
    math.template multiply<0>(stage, k > 0);
    ptx::wgmma_wait<1>();
    if (k > 0) ring.release_and_advance();
    math.template read<1>(stage);
    math.template multiply<1>(stage, true);
    ptx::wgmma_wait<1>();
    math.template read<2>(stage);
    math.template multiply<2>(stage, true);
    ptx::wgmma_wait<1>();
    math.template read<3>(stage);
    math.template multiply<3>(stage, true);
    ptx::wgmma_wait<1>();
    stage = ring.wait_until_full(k + 1 < k_blocks ? 1 : 0);
    math.template read<0>(stage);
  }
  math.finish();
  ring.release_and_advance();
}

/// From sums of TransposedMath to D, through strips of 16 rows and 32 columns.
template <class V>
class TransposedStore {
  using Out = typename V::Out;
  using Sum = typename V::Sum;
  static constexpr int kRowsOfD = V::kShape.group_rows();
  static constexpr int kStripCount = (kRowsOfD - 1) / kWarpRows + 1;
  static_assert(sizeof(Out) == 4 && kStripColumns<V> == kWarpColumns);
  static_assert(kStripCount % V::kShape.strips == 0, "a strip is free when it comes round again");

  struct alignas(16) Quad {
    Out of[kThreadColumns];
  };

 public:
  __device__ __forceinline__ TransposedStore(GemmArgs const& args, StripStore<V> const& strips)
      : args_(args), strips_(strips) {}

  __device__ __forceinline__ void store(TransposedMath<V>& math, TileIndex tile) const {
    int const thread = ptx::thread_index(), lane = thread % kWarp, group = thread / kGroupThreads;
    Place const place{.row = tile.row * V::kShape.tile_m + group_row<V>(group),
                      .column = tile.column * V::kShape.tile_n + warp_column<V>(group, thread)};
    float const factor = add_c(math, place, lane);
#pragma unroll
    for (int s = 0; s < kStripCount; ++s) {
      // The last strip ends where the tile does; if it overlaps with the one before, both store the same.
      int const first = min(s * kWarpRows, kRowsOfD - kWarpRows);
      auto const place_of_strip = [&](int) { return Place{.row = place.row + first, .column = place.column}; };
      strips_.pass(s, thread, place_of_strip, [&](int, unsigned char* strip) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          int const row = i / 2 * 8 + lane % 4 * 2 + i % 2;
          Quad quad;
#pragma unroll
          for (int c = 0; c < kThreadColumns; ++c)
            quad.of[c] = scaled<Out>(sum_of(math, first + i / 2 * 8, i, c), factor);
          *reinterpret_cast<Quad*>(strip + swizzled_offset<kLineBytes>(row, quad_of_lane(lane))) = quad;
        }
      });
    }
  }

 private:
  /// The thread's sum of its column `c`, and of its row `row` % 2 of the eight that begin with `first`.
  static __device__ __forceinline__ Sum& sum_of(TransposedMath<V>& math, int first, int row, int c) {
    return math.sums[c / 2][first / 8 * 4 + c % 2 * 2 + row % 2];
  }

  /// If there is a C, makes each sum alpha times the sum plus beta times C, and returns 1; else returns alpha. What is
  /// returned is to be multiplied with.
  __device__ __forceinline__ float add_c(TransposedMath<V>& math, Place const& place, int lane) const {
    if (args_.beta == 0.0F) [[likely]]
      return args_.alpha;
    auto const* const from = static_cast<Out const*>(args_.c);
#pragma unroll
    for (int i = 0; i < kRowsOfD / 4; ++i) {
      int const row = place.row + i / 2 * 8 + lane % 4 * 2 + i % 2;
#pragma unroll
      for (int c = 0; c < kThreadColumns; ++c) {
        int const column = place.column + quad_of_lane(lane) * kThreadColumns + c;
        if (row >= args_.m || column >= args_.n) continue;
        Sum& sum = sum_of(math, i / 2 * 8, i, c);
        sum = result_of<Sum>(args_, sum, true, from[row * args_.ldd + column]);
      }
    }
    return 1.0F;
  }

  GemmArgs const& args_;
  StripStore<V> const& strips_;
};

}  // namespace perfcheck::wgmma
