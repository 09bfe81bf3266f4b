// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of any format on the CPU, one at a time: for kernels that are to be plain, not fast. Shares nothing with the
// harness, whose reference is to be independent of what it judges.
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

inline double load(Element element, void const* data, std::int64_t index) {
  auto const as = [&]<class T>(T value) {
    std::memcpy(&value, static_cast<char const*>(data) + index * static_cast<std::int64_t>(sizeof value), sizeof value);
    return value;
  };
  switch (element) {
    case Element::f64: return as(double{});
    case Element::f32:
    case Element::tf32: return static_cast<double>(as(float{}));
    case Element::s32: return as(std::int32_t{});
    case Element::s8: return as(std::int8_t{});
    case Element::u8: return as(std::uint8_t{});
    case Element::f16:
    case Element::bf16: return small_float(format_of(element), as(std::uint16_t{}));
    case Element::e4m3:
    case Element::e5m2: return small_float(format_of(element), as(std::uint8_t{}));
    case Element::s4: {
      int const nibble = static_cast<unsigned char const*>(data)[index / 2] >> (index % 2 * 4) & 15;
      return nibble < 8 ? nibble : nibble - 16;
    }
  }
  return 0;
}

/// Bits of the number of 16 or 8 bits that is nearest to x, of two the even one.
inline std::uint32_t nearest_small_float(ElementFormat const& format, double x) {
  std::uint32_t const sign = std::signbit(x) ? 1U << (format.bits - 1) : 0;
  std::uint32_t const all = (1U << (format.bits - 1)) - 1;
  if (std::isnan(x)) return all;
  double const magnitude = std::fabs(x);
  std::uint32_t low = 0, high = all;  // patterns in the order of their values; above the largest are no numbers
  while (small_float(format, high) > format.largest || std::isnan(small_float(format, high))) --high;
  std::uint32_t const largest = high;
  while (low < high) {  // the largest pattern that is not above x
    std::uint32_t const middle = low + (high - low + 1) / 2;
    if (small_float(format, middle) <= magnitude) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  double const below = small_float(format, low);
  double const step =
      std::ldexp(1.0, std::max(std::ilogb(below == 0 ? 0x1p-1000 : below), format.min_exponent) - format.precision + 1);
  double const rest = magnitude - below;
  if (rest > step / 2 || (rest == step / 2 && low % 2 != 0)) ++low;
  if (low > largest) low = format.has_infinity ? largest + 1 : largest;
  return sign | low;
}

inline void store(Element element, void* data, std::int64_t index, double x) {
  auto const as = [&](auto value) {
    std::memcpy(static_cast<char*>(data) + index * static_cast<std::int64_t>(sizeof value), &value, sizeof value);
  };
  ElementFormat const format = format_of(element);
  double const whole = std::clamp(std::nearbyint(x), format.smallest(), format.largest);
  switch (element) {
    case Element::f64: as(x); return;
    case Element::f32:
    case Element::tf32: as(static_cast<float>(x)); return;
    case Element::s32: as(static_cast<std::int32_t>(whole)); return;
    case Element::s8: as(static_cast<std::int8_t>(whole)); return;
    case Element::u8: as(static_cast<std::uint8_t>(whole)); return;
    case Element::f16:
    case Element::bf16: as(static_cast<std::uint16_t>(nearest_small_float(format, x))); return;
    case Element::e4m3:
    case Element::e5m2: as(static_cast<std::uint8_t>(nearest_small_float(format, x))); return;
    case Element::s4: {
      unsigned char& byte = static_cast<unsigned char*>(data)[index / 2];
      auto const shift = static_cast<unsigned>(index % 2 * 4);
      byte = static_cast<unsigned char>((byte & ~(15U << shift)) | (static_cast<unsigned>(whole) & 15U) << shift);
    }
  }
}

/// x as sums are kept in the format.
inline double rounded(Element element, double x) {
  if (format_of(element).integer || element == Element::f64) return x;
  if (element == Element::f32) return static_cast<double>(static_cast<float>(x));
  std::uint64_t memory = 0;
  store(element, &memory, 0, x);
  return load(element, &memory, 0);
}

}  // namespace perfcheck::cpu
