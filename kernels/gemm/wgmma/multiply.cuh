// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A group's sums, and the products that are added to them.
#pragma once

#include "shape.cuh"

#include <perfcheck/ptx_sm90.cuh>
#include <perfcheck/ptx_wgmma.cuh>

namespace perfcheck::wgmma {

/// The sums of a thread: those of kRows x group_columns() for each of mmas_m(), dealt as wgmma deals them.
template <class V>
struct GroupSums {
  typename V::Sum sums[V::kShape.mmas_m()][V::kShape.group_columns() / 2];
};

/// Where a group's rows and columns lie in a stage.
template <class V>
class GroupOperands {
  static constexpr Shape kShape = V::kShape;
  static constexpr int kN = kShape.group_columns();
  static constexpr int kGroup = 8 * kLineBytes;  // bytes of eight lines
  static_assert(!(V::kRowMajor || V::kRowsContiguous) || sizeof(typename V::In) == 2,
                "operands of wgmma that are not of 16 bits are contiguous along k");
  // Lines behind those of A are those of B, of the same stage.
  static_assert(kShape.group_rows() % kRows == 0 ||
                    (kShape.swapped && kShape.groups == 1 && kShape.mmas_m() * kRows - kShape.tile_m <= kShape.tile_n),
                "instructions have 64 rows");
  // Bytes from one step along k to the next: within the lines, or from line to line where columns are contiguous.
  static constexpr int kStepB = V::kRowMajor ? V::kK / kSteps * kLineBytes : kStepBytes;
  static constexpr int kStepA = V::kRowsContiguous ? V::kK / kSteps * kLineBytes : kStepBytes;

 public:
  /// Steps along k of a stage, those of one line of all rows after those of the other.
  static constexpr int kStageSteps = V::kLines * kSteps;

  /// For the group with this number.
  __device__ __forceinline__ explicit GroupOperands(int group)
      : a_(kShape.share == Share::rows ? group * kShape.group_rows() * kLineBytes : 0),
        b_(V::kBytesA + (kShape.share == Share::columns ? group * kN * kLineBytes : 0)) {}

  /// Descriptors for the stage at this shared address.
  __device__ __forceinline__ uint64_t descriptor_a(uint32_t stage) const {
    return ptx::tile_descriptor(stage + a_, V::kRowsContiguous ? V::kK * kLineBytes : 0, kGroup);
  }
  __device__ __forceinline__ uint64_t descriptor_b(uint32_t stage) const {
    return ptx::tile_descriptor(stage + b_, V::kRowMajor ? V::kK * kLineBytes : 0, kGroup);
  }

  /// Multiplies one of the kStageSteps steps along k of the i-th kRows rows.
  static __device__ __forceinline__ void multiply_step(typename V::Sum (&sums)[kN / 2], int i, int step, uint64_t a,
                                                       uint64_t b, bool add) {
    int const line = step / kSteps, within = step % kSteps;
    int const at_a = (line * kShape.tile_m + i * kRows) * kLineBytes + within * kStepA;
    int const at_b = line * kShape.tile_n * kLineBytes + within * kStepB;
    ptx::wgmma<typename V::In, kN, V::kRowMajor, V::kRowsContiguous>(sums, a + at_a / 16, b + at_b / 16, add);
  }

 private:
  int a_, b_;  // offsets of the group's rows and columns in a stage
};

/// A group's sums, to which the tensor cores add all products.
template <class V>
class GroupMath : public GroupSums<V> {
  static constexpr int kM = V::kShape.mmas_m();

 public:
  using GroupSums<V>::sums;

  /// For the group with this number.
  __device__ __forceinline__ explicit GroupMath(int group) : operands_(group) {}

  /// Begins to multiply a stage at this shared address, as one group of wgmma. Sums begin anew unless `add`.
  __device__ __forceinline__ void multiply(uint32_t stage, bool add) {
    uint64_t const a = operands_.descriptor_a(stage), b = operands_.descriptor_b(stage);
    ptx::wgmma_fence();
#pragma unroll
    for (int step = 0; step < GroupOperands<V>::kStageSteps; ++step) {
#pragma unroll
      for (int i = 0; i < kM; ++i) operands_.multiply_step(sums[i], i, step, a, b, step > 0 || add);
    }
    ptx::wgmma_commit();
  }

  /// The same for half of the instructions' rows, 0 or 1, and without beginning or closing a group.
  template <int kHalf>
  __device__ __forceinline__ void multiply_half(uint32_t stage, bool add) {
    static_assert(kM % 2 == 0);
    uint64_t const a = operands_.descriptor_a(stage), b = operands_.descriptor_b(stage);
#pragma unroll
    for (int step = 0; step < GroupOperands<V>::kStageSteps; ++step) {
#pragma unroll
      for (int i = kHalf * kM / 2; i < (kHalf + 1) * kM / 2; ++i)
        operands_.multiply_step(sums[i], i, step, a, b, step > 0 || add);
    }
  }

  /// Waits for all products. The sums can be used then.
  __device__ __forceinline__ void finish() {
    ptx::wgmma_wait<0>();
    hold();
  }
  /// Keeps uses of the sums behind this place.
  __device__ __forceinline__ void hold() {
#pragma unroll
    for (int i = 0; i < kM; ++i) ptx::hold_sums(sums[i]);
  }
  template <int kHalf>
  __device__ __forceinline__ void hold_half() {
#pragma unroll
    for (int i = kHalf * kM / 2; i < (kHalf + 1) * kM / 2; ++i) ptx::hold_sums(sums[i]);
  }

 private:
  GroupOperands<V> operands_;
};

}  // namespace perfcheck::wgmma
