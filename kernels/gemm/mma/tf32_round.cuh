// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounding of FP32 operands to TF32. mma.sync ignores the lowest 13 bits of its TF32 operands: left alone it would
// truncate, which has twice the error of rounding to nearest, and a bias.
#pragma once

#include <cstdint>

namespace perfcheck::mma {

/// Rounds to nearest, ties away from zero, as cvt.rna.tf32 does: adds half a unit in the last of TF32's 11 significant
/// bits and leaves the truncation to mma.sync. Half a unit is 2^-11 times the power of two that sign and exponent alone
/// stand for. In floating point, infinities and NaNs stay what they are; the same addition on the bit patterns would
/// take one instruction, but would carry a NaN of all ones into its sign and make it a zero. Two instructions, which
/// are faster than the one of cvt.rna.tf32 (docs/design.md).
__device__ __forceinline__ void round_to_tf32(uint32_t& element) {
  float const power_of_two = __uint_as_float(element & 0xFF80'0000U);
  element = __float_as_uint(fmaf(power_of_two, 0x1p-11F, __uint_as_float(element)));
}

template <int kCount>
__device__ __forceinline__ void round_to_tf32(uint32_t (&elements)[kCount]) {
#pragma unroll
  for (uint32_t& element : elements) round_to_tf32(element);
}

}  // namespace perfcheck::mma
