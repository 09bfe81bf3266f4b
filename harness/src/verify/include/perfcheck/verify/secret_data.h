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

#if defined(__CUDA_ARCH__)
#define PERFCHECK_DEVICE_NOINLINE __noinline__
#else
#define PERFCHECK_DEVICE_NOINLINE
#endif

namespace perfcheck::verify {

/// The key from which one matrix of one set of buffers is made. The three words enter at different steps of the mixing,
/// so that no 32 bits of them reveal the values.
struct SecretKey {
  std::uint32_t first = 0, second = 0, third = 0;
};

PERFCHECK_HOST_DEVICE inline SecretKey secret_key(std::uint64_t secret, int set, int operand) {
  std::uint64_t const h = mix(secret, static_cast<std::uint64_t>(set), static_cast<std::uint64_t>(operand));
  std::uint64_t const g = mix(h ^ secret, 0x7365637265744b65U, static_cast<std::uint64_t>(operand));
  return {static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(h >> 32U), static_cast<std::uint32_t>(g)};
}

/// 64 bits that are random in row and column, as two words. The multipliers are those of the 32-bit mixers of Chris
/// Wellons' "hash prospector".
struct SecretWords {
  std::uint32_t x = 0, y = 0;
};
PERFCHECK_HOST_DEVICE inline SecretWords secret_words(SecretKey const& key, std::uint32_t row, std::uint32_t column) {
  std::uint32_t x = ((row << 16U | row >> 16U) ^ column) + key.first;
  x = (x ^ x >> 16U) * 0x21f0aaadU;
  // What the first line cannot tell apart: rows and columns that differ by multiples of 65536.
  x += (column >> 16U) * 0x9e3779b1U + (row >> 16U) * 0x85ebca6bU + key.second;
  x = (x ^ x >> 15U) * 0x735a2d97U;
  x ^= x >> 15U;
  std::uint32_t y = (x ^ key.third) * 0xd35a2d97U;
  y = (y ^ y >> 15U) * 0x21f0aaadU;
  return {x, y};
}

/// Mean 0, variance 1, within +-3.5, with 24 random bits: the scaled sum of four uniform 16-bit numbers and, below
/// their last place, six bits more.
PERFCHECK_HOST_DEVICE inline float secret_value(SecretKey const& key, std::uint32_t row, std::uint32_t column) {
  auto const [x, y] = secret_words(key, row, column);
  std::uint32_t const sum = (x & 0xffffU) + (x >> 16U) + (y & 0xffffU) + (y >> 16U);
  std::uint32_t const below = (x ^ y) >> 13U & 63U;
  // Four uniform 16-bit numbers have mean 2 * 65535 and standard deviation 65536 / sqrt(3).
  auto const centred = static_cast<std::int32_t>(sum << 6U | below) - (131070 * 64 + 32);
  return static_cast<float>(centred) * (2.64289979e-05F / 64);
}

/// What secret elements look like.
struct SecretFormat {
  Element element = Element::f32;
  /// Scale factors from [0.5, 2) times 2^exponent. Otherwise floating-point elements are near N(0, 1), and all integers
  /// of the format are equally likely (of s32, which is only added, those of magnitude up to 2^20).
  bool scales = false;
  int exponent = 0;
};

namespace detail {

/// Bits of a float that lies within the range of an eight-bit floating-point format, rounded to nearest. Works on the
/// bits: the general conversion is 1 KB of device code.
PERFCHECK_HOST_DEVICE inline std::uint32_t encode_eight_bits(ElementFormat const& format, float value) {
  auto const u = same_bits<std::uint32_t>(value);
  std::uint32_t const sign = u >> 24U & 0x80U;
  std::uint32_t const magnitude = u & 0x7fffffffU;
  auto const shift = static_cast<unsigned>(24 - format.precision);
  if (magnitude < static_cast<std::uint32_t>(127 + format.min_exponent) << 23U) {  // a count of the smallest number
    float const places =
        same_bits<float>(magnitude) *
        same_bits<float>(static_cast<std::uint32_t>(126 - format.min_exponent + format.precision) << 23U);
    return sign | static_cast<std::uint32_t>(rintf(places));
  }
  std::uint32_t const rounded = magnitude + (1U << (shift - 1)) - 1 + (magnitude >> shift & 1U);
  return sign | ((rounded >> shift) - (static_cast<std::uint32_t>(126 + format.min_exponent) << (23 - shift)));
}

PERFCHECK_HOST_DEVICE inline std::uint32_t secret_integer(Element element, std::uint32_t x) {
  if (element == Element::s32) return (x >> 11U) - (1U << 20U);
  return x & (0xffffffffU >> static_cast<unsigned>(32 - bits_of(element)));
}

PERFCHECK_HOST_DEVICE inline float secret_scale(SecretFormat const& format, std::uint32_t x) {
  auto const power = same_bits<float>(static_cast<std::uint32_t>(format.exponent - 24 + 127) << 23U);
  return static_cast<float>(8388608U + 3U * (x >> 9U)) * power;
}

PERFCHECK_HOST_DEVICE inline Bits encode_secret(Element element, float value) {
#if defined(__CUDA_ARCH__)
  // Without the general conversion, as above.
  if (element == Element::f16) return __half_as_ushort(__float2half_rn(value));
  if (element == Element::bf16) return __bfloat16_as_ushort(__float2bfloat16_rn(value));
#endif
  if (element == Element::f32 || element == Element::tf32) return same_bits<std::uint32_t>(value);
  if (bits_of(element) == 8) return encode_eight_bits(format_of(element), value);
#if defined(__CUDA_ARCH__)
  return same_bits<std::uint64_t>(static_cast<double>(value));
#else
  return encode(element, static_cast<double>(value));
#endif
}

}  // namespace detail

/// Bits of the element at this place. On a device a function of its own: it is 2 KB of code, for formats that few
/// problems have.
PERFCHECK_HOST_DEVICE PERFCHECK_DEVICE_NOINLINE inline Bits secret_bits(SecretFormat const& format,
                                                                        SecretKey const& key, std::uint32_t row,
                                                                        std::uint32_t column) {
  if (format.scales) {
    return detail::encode_secret(format.element, detail::secret_scale(format, secret_words(key, row, column).x));
  }
  if (format_of(format.element).integer) {
    return detail::secret_integer(format.element, secret_words(key, row, column).x);
  }
  float const value = secret_value(key, row, column);
  if (format.element == Element::f64) {
    auto const [x, y] = secret_words(key, column, row);
    return detail::same_bits<std::uint64_t>(static_cast<double>(value) * detail::fine_factor(x ^ y << 3U));
  }
  return detail::encode_secret(format.element, value);
}

namespace detail {

PERFCHECK_HOST_DEVICE PERFCHECK_DEVICE_NOINLINE inline double other_element(SecretFormat const& format,
                                                                            SecretKey const& key, std::uint32_t row,
                                                                            std::uint32_t column) {
  return decode(format.element, secret_bits(format, key, row, column));
}

}  // namespace detail

/// The element at this place, as a number.
PERFCHECK_HOST_DEVICE inline double secret_element(SecretFormat const& format, SecretKey const& key, std::uint32_t row,
                                                   std::uint32_t column) {
#if defined(__CUDA_ARCH__)
  if (!format.scales) {
    switch (format.element) {
      case Element::f32:
      case Element::tf32: return static_cast<double>(secret_value(key, row, column));
      case Element::f16: return static_cast<double>(__half2float(__float2half_rn(secret_value(key, row, column))));
      case Element::bf16:
        return static_cast<double>(__bfloat162float(__float2bfloat16_rn(secret_value(key, row, column))));
      default: break;
    }
  }
#endif
  return detail::other_element(format, key, row, column);
}

/// One input of every set of buffers: matrices of equal shape, `set_bytes` apart.
struct SecretMatrices {
  MatrixView first;  ///< of set 0
  std::int64_t set_bytes = 0;
  int operand = 0;  ///< tells inputs of one set apart
  bool scales = false;
  int exponent = 0;  ///< of scales

  PERFCHECK_HOST_DEVICE SecretFormat format() const { return {first.element, scales, exponent}; }
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
