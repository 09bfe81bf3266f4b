// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of matrices as bits and as numbers, once for the host and for device code.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#if defined(__CUDACC__)
#define PERFCHECK_HOST_DEVICE __host__ __device__
#else
#define PERFCHECK_HOST_DEVICE
#endif

namespace perfcheck::verify {

enum class Element { f32, f16, bf16 };

PERFCHECK_HOST_DEVICE constexpr int bytes_of(Element element) { return element == Element::f32 ? 4 : 2; }

/// A binary floating-point format: precision counts the hidden bit; exponents are those of normal numbers.
struct Format {
  int precision, min_exponent, max_exponent;
};
PERFCHECK_HOST_DEVICE constexpr Format format_of(Element element) {
  switch (element) {
    case Element::f32: return {24, -126, 127};
    case Element::f16: return {11, -14, 15};
    case Element::bf16: return {8, -126, 127};
  }
  return {};
}

/// Signalling NaN that marks memory nobody has written: arithmetic and conversions never produce it.
PERFCHECK_HOST_DEVICE constexpr std::uint32_t poison_bits(Element element) {
  switch (element) {
    case Element::f32: return 0x7fa57fa5U;
    case Element::f16: return 0x7d5aU;
    case Element::bf16: return 0x7fa5U;
  }
  return 0;
}
/// The same as a word of four bytes, whatever the element's size.
PERFCHECK_HOST_DEVICE constexpr std::uint32_t poison_word(Element element) {
  std::uint32_t const bits = poison_bits(element);
  return element == Element::f32 ? bits : bits << 16U | bits;
}

namespace detail {

template <class To, class From>
PERFCHECK_HOST_DEVICE inline To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// floor(log2 |x|) of a normal double; far below every format's range for zero and subnormal doubles.
PERFCHECK_HOST_DEVICE inline int exponent_of(double x) {
  return static_cast<int>(same_bits<std::uint64_t>(x) >> 52U & 0x7ffU) - 1023;
}

PERFCHECK_HOST_DEVICE inline double power_of_two(int exponent) {
  return same_bits<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

PERFCHECK_HOST_DEVICE inline double infinity() { return same_bits<double>(std::uint64_t{0x7ff0} << 48U); }

/// Exponent of the distance between neighbouring values around x.
PERFCHECK_HOST_DEVICE inline int spacing_exponent(Format format, double x) {
  int const exponent = exponent_of(x);
  return (exponent > format.min_exponent ? exponent : format.min_exponent) - (format.precision - 1);
}

}  // namespace detail

PERFCHECK_HOST_DEVICE inline bool is_nan(double x) { return !(x == x); }
PERFCHECK_HOST_DEVICE inline bool is_infinite(double x) { return x == detail::infinity() || x == -detail::infinity(); }

/// x rounded to the nearest value of the type, ties to even; beyond the largest value, infinity.
PERFCHECK_HOST_DEVICE inline double round_to(Element element, double x) {
  if (is_nan(x) || is_infinite(x)) return x;
  Format const format = format_of(element);
  int const spacing = detail::spacing_exponent(format, x);
  double const rounded = ::rint(x * detail::power_of_two(-spacing)) * detail::power_of_two(spacing);
  double const largest = detail::power_of_two(format.max_exponent) * (2.0 - detail::power_of_two(1 - format.precision));
  if (rounded > largest) return detail::infinity();
  if (rounded < -largest) return -detail::infinity();
  return rounded;
}

/// Half the distance between neighbouring values of the type around one of its finite values: what rounding to the
/// type may have moved a result that came out as `value`.
PERFCHECK_HOST_DEVICE inline double half_spacing(Element element, double value) {
  return detail::power_of_two(detail::spacing_exponent(format_of(element), value) - 1);
}

PERFCHECK_HOST_DEVICE inline double decode(Element element, std::uint32_t bits) {
  if (element == Element::f32) return static_cast<double>(detail::same_bits<float>(bits));
  if (element == Element::bf16) return static_cast<double>(detail::same_bits<float>(bits << 16U));
  std::uint32_t const exponent = bits >> 10U & 0x1fU;
  auto const fraction = static_cast<double>(bits & 0x3ffU);
  double magnitude = 0;
  if (exponent == 0x1f) {
    // NOLINTNEXTLINE(misc-redundant-expression): a NaN
    magnitude = (bits & 0x3ffU) != 0 ? detail::infinity() - detail::infinity() : detail::infinity();
  } else if (exponent == 0) {
    magnitude = fraction * detail::power_of_two(-24);
  } else {
    magnitude = (1024.0 + fraction) * detail::power_of_two(static_cast<int>(exponent) - 25);
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

/// Bits of x rounded to the type. NaN becomes the type's quiet NaN.
PERFCHECK_HOST_DEVICE inline std::uint32_t encode(Element element, double x) {
  if (is_nan(x)) {
    // All of the significand set, as the NaN that CUDA's arithmetic makes: code that rounds by adding to the bits loses
    // it unless it takes care.
    bool const negative = detail::same_bits<std::uint64_t>(x) >> 63U != 0;
    return element == Element::f32 ? (negative ? 0xffffffffU : 0x7fffffffU) : (negative ? 0xffffU : 0x7fffU);
  }
  double const value = round_to(element, x);
  if (element == Element::f32) return detail::same_bits<std::uint32_t>(static_cast<float>(value));
  if (element == Element::bf16) return detail::same_bits<std::uint32_t>(static_cast<float>(value)) >> 16U;
  std::uint32_t const sign = detail::same_bits<std::uint64_t>(value) >> 63U != 0 ? 0x8000U : 0U;
  if (is_infinite(value)) return sign | 0x7c00U;
  double const magnitude = value < 0 ? -value : value;
  if (magnitude < detail::power_of_two(-14)) {
    return sign | static_cast<std::uint32_t>(magnitude * detail::power_of_two(24));
  }
  int const exponent = detail::exponent_of(magnitude);
  auto const significand = static_cast<std::uint32_t>(magnitude * detail::power_of_two(10 - exponent));
  return sign | static_cast<std::uint32_t>(exponent + 15) << 10U | (significand & 0x3ffU);
}

/// The same for a value that is FP32 to begin with.
PERFCHECK_HOST_DEVICE inline std::uint32_t encode_float(Element element, float value) {
  return element == Element::f32 ? detail::same_bits<std::uint32_t>(value)
                                 : encode(element, static_cast<double>(value));
}

/// Bits of element `index` of an array. Goes through an integer load: a signalling NaN stays as it is.
PERFCHECK_HOST_DEVICE inline std::uint32_t load_bits(Element element, void const* data, std::int64_t index) {
  return element == Element::f32 ? static_cast<std::uint32_t const*>(data)[index]
                                 : static_cast<std::uint16_t const*>(data)[index];
}

PERFCHECK_HOST_DEVICE inline void store_bits(Element element, void* data, std::int64_t index, std::uint32_t bits) {
  if (element == Element::f32) {
    static_cast<std::uint32_t*>(data)[index] = bits;
  } else {
    static_cast<std::uint16_t*>(data)[index] = static_cast<std::uint16_t>(bits);
  }
}

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
  /// Part of the matrix; shares its memory.
  MatrixView block(std::int64_t row, std::int64_t column, std::int64_t row_count, std::int64_t column_count) const {
    MatrixView part = *this;
    part.data = static_cast<std::byte*>(data) + index(row, column) * bytes_of(element);
    part.rows = row_count;
    part.columns = column_count;
    return part;
  }
};

}  // namespace perfcheck::verify
