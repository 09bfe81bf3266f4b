// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The warps of a block that empty the ring: multiply-adds, and the store to D.
//
// What a lane multiplies: lane 4x + y takes the k with k % 4 == y, for all rows of the warp's tile and for the columns
// at position x. ldmatrix reads eight lines and gives lane 4x + y float y of line x. For A, the line is the same for
// all x (one row of A at four k); for a column-major B, line x is column x at four k. At the end, the four lanes of a
// quad add up their sums.
//
// Measured facts about the H100 that shape the inner loop (README.md has the figures):
// - An SM sub-core reads one even and one odd register per cycle for its multiply-adds, and remembers the operand that
//   the previous instruction marked for reuse. Rows are traversed alternately forwards and backwards, so that each
//   multiply-add shares an operand with the one before it, and reads only its sum and one more register.
// - These two registers should not be both even or both odd. A quad's registers are aligned where it is read from or
//   written to shared memory, so column j of a quad has the parity of j. Sums are written with neighbours swapped
//   (add_lanes()), which gives them the opposite parity.
// - A read of 16 bytes per lane (LDS.128) holds up multiply-adds for two cycles on top of its own issue slot, when its
//   registers are written; an ldmatrix of as many bytes for one.
// ptxas keeps the order of the source only when it optimises less: files that include this header are compiled with
// -Xptxas -O1.
#pragma once

#include <perfcheck/f32_epilogue.cuh>

#include "ring_shape.cuh"

namespace perfcheck::ring {

/// Reads four floats. Volatile, so that the compiler does not move it.
__device__ __forceinline__ void read_quad(float* quad, uint32_t shared) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               : "=f"(quad[0]), "=f"(quad[1]), "=f"(quad[2]), "=f"(quad[3])
               : "r"(shared)
               : "memory");
}

/// Reads four floats by ldmatrix: float i is element lane % 4 of the 16 bytes whose address lane 8i + lane / 4 gives.
__device__ __forceinline__ void read_lines(float* quad, uint32_t shared) {
  uint32_t bits[4];
  ptx::ldmatrix_x4(bits, shared);
#pragma unroll
  for (int i = 0; i < 4; ++i) quad[i] = __uint_as_float(bits[i]);
}

/// sum += a * b, in the order of the source.
__device__ __forceinline__ void multiply_add(float& sum, float a, float b) {
  asm volatile("fma.rn.f32 %0, %1, %2, %0;\n" : "+f"(sum) : "f"(a), "f"(b));
}

/// A lane's share of the warp's tile after add_lanes(): row 4q + y of each quad q of rows.
template <Shape kShape>
struct Sums {
  static constexpr int kQuads = kShape.quads_m * kShape.quads_n;
  float of[kShape.quads_m][kQuad * kShape.quads_n];
};

/// One thread's view of the ring and of its part of the tile.
template <Shape kShape, BLayout kBLayout>
class MathThread {
  static constexpr bool kRowMajor = kBLayout == BLayout::row_major;
  static constexpr int kRows = kShape.warp_rows();
  static constexpr int kColumns = kQuad * kShape.quads_n;  // of a thread
  static constexpr int kSteps = kTileK / kQuad;            // four k each
  static constexpr int kStageBytes = sizeof(Stage<kShape>);
  static constexpr int kBoxBytes = kTileK * kLineBytes;  // 32 columns of B, in either layout
  using Partial = float[kRows][kColumns];
  static_assert(kShape.quads_m % 2 == 0, "a warp's rows begin at a multiple of 8 lines");
  static_assert(kShape.quads_n <= kShape.quads_m, "the reads of B are spread over the quads of rows");

 public:
  __device__ __forceinline__ explicit MathThread(SharedMemory<kShape>& shared)
      : shared_(shared), lane_(threadIdx.x % kWarp), warp_(threadIdx.x / kWarp) {
    row_ = warp_ % kShape.warps_m * kRows;
    column_ = warp_ / kShape.warps_m * kShape.warp_columns();
    // Lane 8i + l gives the addresses for row 4q + i of A, whose chunk c lies at c ^ (4 * (q % 2) + i).
    int const line = lane_ / 8;
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      a_[step] = ptx::shared_address(shared.stages[0].a[row_ + line]) + (line ^ step) * 16;
    }
    uint32_t const b = ptx::shared_address(shared.stages[0].b[column_]);
#pragma unroll
    for (int step = 0; step < kAddressesB; ++step) {
      if constexpr (kRowMajor) {
        // The line of k = 4 * step + y, whose chunk c lies at c ^ (4 * (step % 2) + y).
        b_[step] = b + y() * kLineBytes + (chunk() ^ y() ^ (4 * step)) * 16;
      } else {
        b_[step] = b + lane_ * kLineBytes + (lane_ % 8 ^ step) * 16;
      }
    }
    // Hides the values from the compiler, which would otherwise compute them again and again in the main loop to save
    // registers that are not needed elsewhere.
#pragma unroll
    for (uint32_t& address : a_) asm volatile("" : "+r"(address));
#pragma unroll
    for (uint32_t& address : b_) asm volatile("" : "+r"(address));
  }

  /// The products of the next `blocks` >= 0 stages of the ring.
  __device__ __forceinline__ Sums<kShape> multiply(int blocks) {
    Partial sums;
#pragma unroll
    for (auto& row : sums) {
#pragma unroll
      for (float& sum : row) sum = 0.0F;
    }
    if (blocks > 0) multiply_stages(sums, blocks);
    return add_lanes(sums);
  }

  /// Stores the thread's part of D.
  __device__ __forceinline__ void store(GemmArgs const& args, TileIndex tile, Sums<kShape> const& sums) const {
#pragma unroll
    for (int n = 0; n < Sums<kShape>::kQuads; ++n) store_quad_of(args, tile, n, &sums.of[0][0] + n * kQuad);
  }

  /// Stores quad `n` of the thread's Sums, whose values are `sum`.
  __device__ __forceinline__ void store_quad_of(GemmArgs const& args, TileIndex tile, int n, float const* sum) const {
    int const row = tile.row * kShape.tile_rows() + row_ + n / kShape.quads_n * kQuad + y();
    int const box = tile.column * kShape.tile_columns() + column_ + n % kShape.quads_n * 32;
    if (row >= args.m) return;
    if constexpr (kRowMajor) {
      store_quad(args, row, box + chunk() * kQuad, sum);
    } else {  // columns 8 apart; eight lanes store 32 contiguous bytes
#pragma unroll
      for (int i = 0; i < kQuad; ++i) {
        int const column = box + 8 * i + lane_ / 4;
        if (column < args.n) store_elements<float, 1>(args, row, column, sum + i);
      }
    }
  }

 private:
  // Addresses of B that are kept in registers. The swizzle has this many patterns over the steps; all else that changes
  // from step to step is constant.
  static constexpr int kAddressesB = kRowMajor ? 2 : kSteps;

  /// Which k of four this lane multiplies.
  __device__ __forceinline__ int y() const { return lane_ % 4; }
  /// For row-major B, the chunk of a line that holds the lane's columns. For neighbouring x, these chunks are four
  /// apart: the eight lanes of a quarter of the warp then read from eight groups of banks.
  __device__ __forceinline__ int chunk() const { return lane_ / 4 % 2 * 4 + lane_ / 8; }

  __device__ __forceinline__ void wait_until_full() const {
    ptx::mbarrier_wait(ptx::shared_address(&shared_.full[at_.stage]), at_.parity);
  }

  /// Reads four rows of A, quad `q`, at the lane's k of `step`.
  __device__ __forceinline__ void read_a(float* a, uint32_t stage, int step, int q) const {
    read_lines(a, a_[step % 4] + stage + (step / 4 ^ q % 2) * 64 + q * kQuad * kLineBytes);
  }

  /// Reads four columns of B, quad `q`, at the lane's k of `step`.
  __device__ __forceinline__ void read_b(float* b, uint32_t stage, int step, int q) const {
    if constexpr (kRowMajor) {
      read_quad(b, b_[step % kAddressesB] + stage + step * kQuad * kLineBytes + q * kBoxBytes);
    } else {
      read_lines(b, b_[step % kAddressesB] + stage + q * kBoxBytes);
    }
  }

  __device__ __forceinline__ void multiply_stages(Partial& sums, int blocks) {
    float a[2][kQuad];     // this quad of rows, and the next
    float b[2][kColumns];  // the columns at this step, and at the next
    wait_until_full();
    uint32_t stage = at_.stage * kStageBytes;
#pragma unroll
    for (int q = 0; q < kShape.quads_n; ++q) read_b(&b[0][q * kQuad], stage, 0, q);
    read_a(a[0], stage, 0, 0);
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      int const done = at_.stage;
      uint32_t next_stage = stage;
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        if (step == kSteps - 1) {  // from here on, the reads ahead are from the next stage
          at_.advance();
          if (block + 1 < blocks) wait_until_full();
          next_stage = at_.stage * kStageBytes;
        }
        uint32_t const ahead = step + 1 < kSteps ? stage : next_stage;
        int const next_step = (step + 1) % kSteps;
#pragma unroll
        for (int q = 0; q < kShape.quads_m; ++q) {
          float* const next_a = a[(q + 1) % 2];
          if (q + 1 < kShape.quads_m) {
            read_a(next_a, stage, step, q + 1);
          } else {
            read_a(next_a, ahead, next_step, 0);
          }
          if (q < kShape.quads_n) read_b(&b[(step + 1) % 2][q * kQuad], ahead, next_step, q);
          multiply_quad(&sums[q * kQuad], a[q % 2], b[step % 2]);
        }
      }
      ptx::named_barrier_arrive(kFirstEmptyBarrier + done, kEmptyThreads<kShape>);
      stage = next_stage;
    }
  }

  static __device__ __forceinline__ void multiply_quad(float (*sums)[kColumns], float const* a, float const* b) {
#pragma unroll
    for (int i = 0; i < kQuad; ++i) {
#pragma unroll
      for (int j = 0; j < kColumns; ++j) {
        int const column = i % 2 == 0 ? j : kColumns - 1 - j;
        multiply_add(sums[i][column], a[i], b[column]);
      }
    }
  }

  /// Adds up the sums of the four lanes of each quad, one quad of rows after the other; lane y keeps row y.
  __device__ __forceinline__ Sums<kShape> add_lanes(Partial const& sums) const {
    auto& scratch = shared_.scratch[warp_];
    Sums<kShape> result;
#pragma unroll
    for (int q = 0; q < kShape.quads_m; ++q) {
      __syncwarp();
#pragma unroll
      for (int n = 0; n < kQuad * kShape.quads_n; ++n) {
        float const* const quad = &sums[q * kQuad + n / kShape.quads_n][n % kShape.quads_n * kQuad];
        scratch[n][lane_] = make_float4(quad[1], quad[0], quad[3], quad[2]);
      }
      __syncwarp();
#pragma unroll
      for (int n = 0; n < kShape.quads_n; ++n) {
        auto const& row = scratch[y() * kShape.quads_n + n];
        float4 total = row[lane_];
#pragma unroll
        for (int other = 1; other < 4; ++other) {  // each lane begins with its own, so that no two hit the same bank
          float4 const part = row[lane_ - y() + (y() + other) % 4];
          total.x += part.x;
          total.y += part.y;
          total.z += part.z;
          total.w += part.w;
        }
        float* const to = &result.of[q][n * kQuad];
        to[0] = total.y;
        to[1] = total.x;
        to[2] = total.w;
        to[3] = total.z;
      }
    }
    return result;
  }

  SharedMemory<kShape>& shared_;
  int lane_, warp_;
  int row_ = 0, column_ = 0;  // of the warp's tile within the block's
  RingPosition<kShape.stages> at_;
  uint32_t a_[4] = {}, b_[kAddressesB] = {};  // shared addresses in stage 0, by step
};

}  // namespace perfcheck::ring
