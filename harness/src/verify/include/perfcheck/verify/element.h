// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of matrices as bits and as numbers, once for the host and for device code.
#pragma once

#include <perfcheck/element.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace perfcheck::verify {

using perfcheck::bytes_of;
using perfcheck::Element;
using perfcheck::ElementFormat;
using perfcheck::format_of;

/// Bits of one element, in the lowest bits of the word.
using Bits = std::uint64_t;

PERFCHECK_HOST_DEVICE constexpr int bits_of(Element element) { return format_of(element).bits; }

PERFCHECK_HOST_DEVICE constexpr Bits poison_bits(Element element) { return format_of(element).poison; }
/// The same as a word of four bytes, whatever the element's size.
PERFCHECK_HOST_DEVICE constexpr std::uint32_t poison_word(Element element) {
  auto word = static_cast<std::uint32_t>(poison_bits(element));
  for (int bits = bits_of(element); bits < 32; bits *= 2) word |= word << static_cast<unsigned>(bits);
  return word;
}

namespace detail {

template <class To, class From>
PERFCHECK_HOST_DEVICE inline To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// floor(log2 |x|) of a normal double; far below every smaller format's range for zero and subnormal doubles.
PERFCHECK_HOST_DEVICE inline int exponent_of(double x) {
  return static_cast<int>(same_bits<std::uint64_t>(x) >> 52U & 0x7ffU) - 1023;
}

PERFCHECK_HOST_DEVICE inline double power_of_two(int exponent) {
  return same_bits<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

PERFCHECK_HOST_DEVICE inline double infinity() { return same_bits<double>(std::uint64_t{0x7ff0} << 48U); }
// NOLINTNEXTLINE(misc-redundant-expression): a NaN
PERFCHECK_HOST_DEVICE inline double nan() { return infinity() - infinity(); }

/// Exponent of the distance between neighbouring values around x.
PERFCHECK_HOST_DEVICE inline int spacing_exponent(ElementFormat const& format, double x) {
  if (format.integer) return 0;
  int const exponent = exponent_of(x);
  return (exponent > format.min_exponent ? exponent : format.min_exponent) - (format.precision - 1);
}

}  // namespace detail

PERFCHECK_HOST_DEVICE inline bool is_nan(double x) { return !(x == x); }
PERFCHECK_HOST_DEVICE inline bool is_infinite(double x) { return x == detail::infinity() || x == -detail::infinity(); }

/// x rounded to the nearest value of the format, ties to even. Beyond the largest value: infinity, or the largest value
/// itself where the format has no infinity (as conversions of CUDA saturate).
PERFCHECK_HOST_DEVICE inline double round_to(Element element, double x) {
  ElementFormat const format = format_of(element);
  if (is_nan(x) || element == Element::f64) return x;
  if (!is_infinite(x)) {
    int const spacing = detail::spacing_exponent(format, x);
    x = ::rint(x * detail::power_of_two(-spacing)) * detail::power_of_two(spacing);
  }
  if (x > format.largest) return format.has_infinity ? detail::infinity() : format.largest;
  if (x < format.smallest()) return format.has_infinity ? -detail::infinity() : format.smallest();
  return x;
}

/// Half the distance between neighbouring values of the format around one of its finite values: what rounding to the
/// format may have moved a result that came out as `value`.
PERFCHECK_HOST_DEVICE inline double half_spacing(Element element, double value) {
  return detail::power_of_two(detail::spacing_exponent(format_of(element), value) - 1);
}

namespace detail {

PERFCHECK_HOST_DEVICE inline double decode_small(ElementFormat const& format, std::uint32_t bits) {
  if (format.integer) {
    auto const value = static_cast<double>(bits);
    bool const negative = format.has_sign && (bits >> static_cast<unsigned>(format.bits - 1) & 1U) != 0;
    return negative ? value - power_of_two(format.bits) : value;
  }
  auto const fraction_bits = static_cast<unsigned>(format.precision - 1);
  std::uint32_t const sign = 1U << static_cast<unsigned>(format.bits - 1);
  std::uint32_t const magnitude_bits = bits & (sign - 1);
  std::uint32_t const fraction = magnitude_bits & ((1U << fraction_bits) - 1);
  auto const exponent = static_cast<int>(magnitude_bits >> fraction_bits);
  int const least = format.min_exponent - format.precision + 1;  // exponent of the last place of subnormal numbers
  double magnitude = 0;
  if (exponent == 0) {
    magnitude = static_cast<double>(fraction) * power_of_two(least);
  } else {
    magnitude = static_cast<double>(fraction | 1U << fraction_bits) * power_of_two(least + exponent - 1);
  }
  if (magnitude > format.largest) magnitude = format.has_infinity && fraction == 0 ? infinity() : nan();
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

/// `value` must be a value of the format, or infinite.
PERFCHECK_HOST_DEVICE inline std::uint32_t encode_small(ElementFormat const& format, double value) {
  if (format.integer) {
    auto const mask = static_cast<std::uint32_t>((std::uint64_t{1} << static_cast<unsigned>(format.bits)) - 1);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) & mask;
  }
  auto const fraction_bits = static_cast<unsigned>(format.precision - 1);
  bool const negative = same_bits<std::uint64_t>(value) >> 63U != 0;
  std::uint32_t const sign = negative ? 1U << static_cast<unsigned>(format.bits - 1) : 0U;
  if (is_infinite(value)) {
    return sign | static_cast<std::uint32_t>(format.max_exponent - format.min_exponent + 2) << fraction_bits;
  }
  double const magnitude = negative ? -value : value;
  int const least = format.min_exponent - format.precision + 1;
  if (magnitude < power_of_two(format.min_exponent)) {
    return sign | static_cast<std::uint32_t>(magnitude * power_of_two(-least));
  }
  int const exponent = exponent_of(magnitude);
  auto const significand = static_cast<std::uint32_t>(magnitude * power_of_two(format.precision - 1 - exponent));
  std::uint32_t const fraction = significand & ((1U << fraction_bits) - 1);
  return sign | static_cast<std::uint32_t>(exponent - format.min_exponent + 1) << fraction_bits | fraction;
}

}  // namespace detail

/// The value of an element.
PERFCHECK_HOST_DEVICE inline double decode(Element element, Bits bits) {
  if (element == Element::f64) return detail::same_bits<double>(bits);
  auto const low = static_cast<std::uint32_t>(bits);
  if (element == Element::f32 || element == Element::tf32) return static_cast<double>(detail::same_bits<float>(low));
  if (element == Element::bf16) return static_cast<double>(detail::same_bits<float>(low << 16U));
  return detail::decode_small(format_of(element), low);
}

/// Bits of x rounded to the format (FP32 for tf32, which is rounded when it is used). NaN becomes the format's quiet
/// NaN with all bits of the significand set, like the NaN that CUDA's arithmetic makes: code that rounds by adding to
/// the bits loses it unless it takes care. In formats without NaN, it becomes 0.
PERFCHECK_HOST_DEVICE inline Bits encode(Element element, double x) {
  ElementFormat const format = format_of(element);
  if (is_nan(x)) {
    if (!format.has_nan) return 0;
    bool const negative = detail::same_bits<std::uint64_t>(x) >> 63U != 0 && !(element == Element::e4m3);
    Bits const all = ~Bits{0} >> static_cast<unsigned>(64 - format.bits);
    return negative ? all : all >> 1U;
  }
  if (element == Element::f64) return detail::same_bits<std::uint64_t>(x);
  double const value = round_to(element == Element::tf32 ? Element::f32 : element, x);
  if (element == Element::f32 || element == Element::tf32) {
    return detail::same_bits<std::uint32_t>(static_cast<float>(value));
  }
  if (element == Element::bf16) return detail::same_bits<std::uint32_t>(static_cast<float>(value)) >> 16U;
  return detail::encode_small(format, value);
}

/// Bits of element `index` of an array. Goes through an integer load: a signalling NaN stays as it is.
PERFCHECK_HOST_DEVICE inline Bits load_bits(Element element, void const* data, std::int64_t index) {
  switch (bits_of(element)) {
    case 64: return static_cast<std::uint64_t const*>(data)[index];
    case 32: return static_cast<std::uint32_t const*>(data)[index];
    case 16: return static_cast<std::uint16_t const*>(data)[index];
    case 8: return static_cast<std::uint8_t const*>(data)[index];
    default: return static_cast<std::uint8_t const*>(data)[index / 2] >> (index % 2 * 4) & 0xfU;
  }
}

/// Elements of four bits share a byte: two threads must not write the halves of one.
PERFCHECK_HOST_DEVICE inline void store_bits(Element element, void* data, std::int64_t index, Bits bits) {
  switch (bits_of(element)) {
    case 64: static_cast<std::uint64_t*>(data)[index] = bits; return;
    case 32: static_cast<std::uint32_t*>(data)[index] = static_cast<std::uint32_t>(bits); return;
    case 16: static_cast<std::uint16_t*>(data)[index] = static_cast<std::uint16_t>(bits); return;
    case 8: static_cast<std::uint8_t*>(data)[index] = static_cast<std::uint8_t>(bits); return;
    default: {
      std::uint8_t& byte = static_cast<std::uint8_t*>(data)[index / 2];
      auto const shift = static_cast<unsigned>(index % 2 * 4);
      byte = static_cast<std::uint8_t>((byte & ~(0xfU << shift)) | (static_cast<unsigned>(bits) & 0xfU) << shift);
    }
  }
}

/// The contiguous lines that a matrix is stored in: its rows, or its columns. Sizes in elements.
struct MatrixLines {
  bool by_rows = true;
  std::int64_t count = 0, length = 0;
  std::int64_t stride = 0;  ///< from the start of a line to that of the next
};

/// A matrix somewhere in memory; strides in elements, so that a transposed layout is a view like any other.
struct MatrixView {
  void* data = nullptr;
  Element element = Element::f32;
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_stride = 0, column_stride = 1;

  PERFCHECK_HOST_DEVICE std::int64_t index(std::int64_t row, std::int64_t column) const {
    return row * row_stride + column * column_stride;
  }
  PERFCHECK_HOST_DEVICE std::int64_t size() const { return rows * columns; }
  /// One of the strides has to be 1. The rows, if both are.
  PERFCHECK_HOST_DEVICE MatrixLines lines() const {
    if (column_stride == 1) return {true, rows, columns, row_stride};
    return {false, columns, rows, column_stride};
  }
  /// Part of the matrix; shares its memory.
  MatrixView block(std::int64_t row, std::int64_t column, std::int64_t row_count, std::int64_t column_count) const {
    MatrixView part = *this;
    part.data = static_cast<std::byte*>(data) + bytes_of(element, index(row, column));
    part.rows = row_count;
    part.columns = column_count;
    return part;
  }
  bool operator==(MatrixView const&) const = default;
};

}  // namespace perfcheck::verify
