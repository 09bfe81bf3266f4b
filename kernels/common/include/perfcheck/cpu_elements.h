// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of any format on the CPU, one at a time: for kernels that are meant to be simple, not fast. Shares no
// conversions with the harness, whose reference must be independent of what it judges.
#pragma once

#include <perfcheck/element.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace perfcheck::cpu {

/// Value of a floating-point number of 16 or 8 bits.
inline double small_float(ElementFormat const& format, std::uint32_t bits) {
  int const fraction_bits = format.precision - 1;
  std::uint32_t const magnitude = bits & ((1U << (format.bits - 1)) - 1);
  auto const exponent = static_cast<int>(magnitude >> fraction_bits);
  auto const fraction = static_cast<double>(magnitude & ((1U << fraction_bits) - 1));
  double const scaled = std::ldexp(fraction, -fraction_bits);
  double value = exponent == 0 ? std::ldexp(scaled, format.min_exponent)
                               : std::ldexp(1 + scaled, format.min_exponent + exponent - 1);
  if (value > format.largest) {
    bool const infinite = format.has_infinity && fraction == 0;
    value = infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return bits >> (format.bits - 1) != 0 ? -value : value;
}

/// The bits of an element, in the lowest bits of the result.
inline std::uint64_t load_bits(ElementFormat const& format, void const* data, std::int64_t index) {
  auto const* const bytes = static_cast<unsigned char const*>(data);
  if (format.bits == 4) return bytes[index / 2] >> (index % 2 * 4) & 15U;
  std::uint64_t bits = 0;  // assumes a little-endian processor
  std::memcpy(&bits, bytes + index * (format.bits / 8), static_cast<std::size_t>(format.bits / 8));
  return bits;
}

inline double load(Element element, void const* data, std::int64_t index) {
  ElementFormat const format = format_of(element);
  std::uint64_t const bits = load_bits(format, data, index);
  if (format.integer) {
    std::uint64_t const sign = std::uint64_t{1} << (format.bits - 1);
    auto const value = static_cast<double>(bits);
    return format.has_sign && (bits & sign) != 0 ? value - 2 * static_cast<double>(sign) : value;
  }
  if (format.bits == 64) return std::bit_cast<double>(bits);
  if (format.bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return small_float(format, static_cast<std::uint32_t>(bits));
}

/// The largest pattern of bits whose number is not above `limit`. Patterns without the sign are in the order of their
/// values; those of NaN come last.
inline std::uint32_t last_not_above(ElementFormat const& format, double limit) {
  std::uint32_t low = 0, high = (1U << (format.bits - 1)) - 1;
  while (low < high) {
    std::uint32_t const middle = low + (high - low + 1) / 2;
    if (small_float(format, middle) <= limit) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Bits of the 16-bit or 8-bit number that is nearest to x; ties to even.
inline std::uint32_t nearest_small_float(ElementFormat const& format, double x) {
  std::uint32_t const sign = std::signbit(x) ? 1U << (format.bits - 1) : 0;
  if (std::isnan(x)) return (1U << (format.bits - 1)) - 1;
  double const magnitude = std::fabs(x);
  std::uint32_t bits = last_not_above(format, std::min(magnitude, format.largest));
  double const below = small_float(format, bits);
  double const step =
      std::ldexp(1.0, std::max(std::ilogb(below == 0 ? 0x1p-1000 : below), format.min_exponent) - format.precision + 1);
  double const rest = magnitude - below;
  bool const up = rest > step / 2 || (rest == step / 2 && bits % 2 != 0);
  // Past the largest number comes infinity; formats without it saturate.
  if (up && (format.has_infinity || below < format.largest)) ++bits;
  return sign | bits;
}

/// The bits of the number of a format that is nearest to x; integers saturate.
inline std::uint64_t nearest_bits(ElementFormat const& format, double x) {
  if (format.integer) {
    double const whole = std::clamp(std::nearbyint(x), format.smallest(), format.largest);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));  // store() keeps the lowest bits
  }
  if (format.bits == 64) return std::bit_cast<std::uint64_t>(x);
  if (format.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return nearest_small_float(format, x);
}

inline void store(Element element, void* data, std::int64_t index, double x) {
  ElementFormat const format = format_of(element);
  std::uint64_t const bits = nearest_bits(format, x);
  auto* const bytes = static_cast<unsigned char*>(data);
  if (format.bits == 4) {
    auto const shift = static_cast<unsigned>(index % 2 * 4);
    unsigned char& byte = bytes[index / 2];
    byte = static_cast<unsigned char>((byte & ~(15U << shift)) | (bits & 15U) << shift);
    return;
  }
  std::memcpy(bytes + index * (format.bits / 8), &bits, static_cast<std::size_t>(format.bits / 8));
}

/// x as an accumulator of this format keeps it.
inline double rounded(Element element, double x) {
  if (format_of(element).integer || element == Element::f64) return x;
  if (element == Element::f32) return static_cast<double>(static_cast<float>(x));
  std::uint64_t memory = 0;
  store(element, &memory, 0, x);
  return load(element, &memory, 0);
}

}  // namespace perfcheck::cpu
