// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What timed launches multiply: values near N(0, 1) that nobody can know before the secret behind them is drawn, and
// that differ in every element, set of buffers and replay (docs/trust.md). A pure function of secret, set, operand, row
// and column, cheap enough to write gigabytes between two replays, so that results are compared with what the inputs
// were meant to be and not with what a kernel left of them.
#pragma once

#include "perfcheck/verify/fill.h"

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace perfcheck::verify {

/// What one matrix of one set of buffers is made from. The three words enter at different steps of the mixing, so that
/// no 32 bits of them tell the values.
struct SecretKey {
  std::uint32_t first = 0, second = 0, third = 0;
};

PERFCHECK_HOST_DEVICE inline SecretKey secret_key(std::uint64_t secret, int set, int operand) {
  std::uint64_t const h = mix(secret, static_cast<std::uint64_t>(set), static_cast<std::uint64_t>(operand));
  std::uint64_t const g = mix(h ^ secret, 0x7365637265744b65U, static_cast<std::uint64_t>(operand));
  return {static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(h >> 32U), static_cast<std::uint32_t>(g)};
}

/// Mean 0, variance 1, within +-3.5, with 24 random bits: the scaled sum of four uniform 16-bit numbers and, below
/// their last place, six bits more. The multipliers are those of the 32-bit mixers of Chris Wellons' "hash prospector".
PERFCHECK_HOST_DEVICE inline float secret_value(SecretKey const& key, std::uint32_t row, std::uint32_t column) {
  std::uint32_t x = ((row << 16U | row >> 16U) ^ column) + key.first;
  x = (x ^ x >> 16U) * 0x21f0aaadU;
  // What the first line cannot tell apart: rows and columns that differ by multiples of 65536.
  x += (column >> 16U) * 0x9e3779b1U + (row >> 16U) * 0x85ebca6bU + key.second;
  x = (x ^ x >> 15U) * 0x735a2d97U;
  x ^= x >> 15U;
  std::uint32_t y = (x ^ key.third) * 0xd35a2d97U;
  y = (y ^ y >> 15U) * 0x21f0aaadU;
  std::uint32_t const sum = (x & 0xffffU) + (x >> 16U) + (y & 0xffffU) + (y >> 16U);
  std::uint32_t const below = (x ^ y) >> 13U & 63U;
  // Four uniform 16-bit numbers have mean 2 * 65535 and standard deviation 65536 / sqrt(3).
  auto const centred = static_cast<std::int32_t>(sum << 6U | below) - (131070 * 64 + 32);
  return static_cast<float>(centred) * (2.64289979e-05F / 64);
}

/// Bits of the value rounded to the type of the matrix.
PERFCHECK_HOST_DEVICE inline std::uint32_t secret_bits(Element element, SecretKey const& key, std::uint32_t row,
                                                       std::uint32_t column) {
  float const value = secret_value(key, row, column);
#if defined(__CUDA_ARCH__)
  // Without the general conversion, which is 1 KB of code per call.
  switch (element) {
    case Element::f16: return __half_as_ushort(__float2half_rn(value));
    case Element::bf16: return __bfloat16_as_ushort(__float2bfloat16_rn(value));
    case Element::f32: break;
  }
  return __float_as_uint(value);
#else
  return encode_float(element, value);
#endif
}

/// The value that a matrix of this type holds, as a number.
PERFCHECK_HOST_DEVICE inline float secret_element(Element element, SecretKey const& key, std::uint32_t row,
                                                  std::uint32_t column) {
  float const value = secret_value(key, row, column);
#if defined(__CUDA_ARCH__)
  switch (element) {
    case Element::f16: return __half2float(__float2half_rn(value));
    case Element::bf16: return __bfloat162float(__float2bfloat16_rn(value));
    case Element::f32: break;
  }
  return value;
#else
  return element == Element::f32 ? value : static_cast<float>(decode(element, encode_float(element, value)));
#endif
}

/// One input of every set of buffers: matrices of equal shape, `set_bytes` apart.
struct SecretMatrices {
  MatrixView first;  ///< of set 0
  std::int64_t set_bytes = 0;
  int operand = 0;  ///< tells inputs of one set apart

  MatrixView of(int set) const {
    MatrixView matrix = first;
    matrix.data = static_cast<std::byte*>(first.data) + set * set_bytes;
    return matrix;
  }
};

/// Some of the sets of buffers: `count` of them, from `first` on.
struct SetRange {
  int first = 0, count = 0;
};

/// Memory to be filled with one word, over and over. Aligned to 256 bytes; `bytes` is a multiple of 4.
struct PoisonedMemory {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::uint32_t word = 0;
};

/// A random sign, +1 or -1, for every column; drawn after the outputs that it is used on were written.
PERFCHECK_HOST_DEVICE inline float column_sign(std::uint64_t draw, std::uint32_t column) {
  std::uint32_t x = column + static_cast<std::uint32_t>(draw);
  x = (x ^ x >> 16U) * 0x21f0aaadU + static_cast<std::uint32_t>(draw >> 32U);
  x = (x ^ x >> 15U) * 0x735a2d97U;
  return (x >> 31U) != 0 ? -1.0F : 1.0F;
}

}  // namespace perfcheck::verify
