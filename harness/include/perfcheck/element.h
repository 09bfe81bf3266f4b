// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The formats of matrix elements, one row each. Everything that depends on a format (fills, references, bounds, poison,
// bytes, peak rates) is derived from its row. A new format needs a new row; no other code needs to know it by name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#if defined(__CUDACC__)
#define PERFCHECK_HOST_DEVICE __host__ __device__
#else
#define PERFCHECK_HOST_DEVICE
#endif

namespace perfcheck {

enum class Element : std::uint8_t {
  f64,
  f32,
  tf32,  ///< FP32 in memory, rounded to 11 significant bits before it is multiplied
  f16,
  bf16,
  e4m3,  ///< FP8 without infinities (OCP 8-bit floating point specification, revision 1.0, 2023)
  e5m2,  ///< FP8 with infinities (same specification)
  s8,
  u8,
  s32,
  s4,  ///< two per byte, the first in the low half
  /// Sums of FP8 products as Hopper's tensor cores keep them: FP32 in memory, but whenever products are added, all
  /// terms are aligned to the largest and lose what lies behind its first 14 bits (Khattak and Mikaitis, arXiv
  /// 2512.07004).
  tc14,
};

struct ElementFormat {
  char const* name = "";
  /// Unit that multiplies this format: a key into DeviceInfo::peak_tflops. Formats of 8 bits share the units "f8" and
  /// "i8".
  char const* arithmetic = "";
  int bits = 0;  ///< size in memory
  bool integer = false, has_sign = true, has_infinity = false, has_nan = false;
  /// Floating point: significant bits, including the hidden one. Integers: bits without the sign.
  int precision = 0;
  int min_exponent = 0, max_exponent = 0;  ///< range of normal numbers
  double largest = 0;                      ///< largest finite value
  /// Bit pattern that marks memory which nobody has written. In a format with NaNs it is a NaN that arithmetic and
  /// conversions never produce; in others, the value that results are least likely to be. Repeated, it fills words of
  /// 32 bits.
  std::uint64_t poison = 0;

  /// Whether a computed result can equal the poison.
  PERFCHECK_HOST_DEVICE constexpr bool poison_is_a_value() const { return !has_nan; }
  PERFCHECK_HOST_DEVICE constexpr double smallest() const { return !integer ? -largest : has_sign ? -largest - 1 : 0; }
  /// The format represents every integer up to this magnitude exactly.
  PERFCHECK_HOST_DEVICE constexpr double largest_exact_integer() const {
    if (integer || precision > 31) return largest < 2147483647.0 ? largest : 2147483647.0;
    return static_cast<double>(std::uint32_t{1} << static_cast<unsigned>(precision));
  }
};

PERFCHECK_HOST_DEVICE constexpr ElementFormat format_of(Element element) {
  constexpr bool kYes = true, kNo = false;
  switch (element) {
    //                        name    unit    bits integer sign  inf   nan   prec  exponents      largest, poison
    case Element::f64:
      return {"f64", "f64", 64, kNo, kYes, kYes, kYes, 53, -1022, 1023, 1.7976931348623157e308, 0x7ff4a57f7ff4a57fU};
    case Element::f32:
      return {"f32", "f32", 32, kNo, kYes, kYes, kYes, 24, -126, 127, 3.4028234663852886e38, 0x7fa57fa5U};
    case Element::tf32:
      return {"tf32", "tf32", 32, kNo, kYes, kYes, kYes, 11, -126, 127, 3.4011621342146535e38, 0x7fa57fa5U};
    case Element::f16: return {"f16", "f16", 16, kNo, kYes, kYes, kYes, 11, -14, 15, 65504, 0x7d5aU};
    case Element::bf16:
      return {"bf16", "bf16", 16, kNo, kYes, kYes, kYes, 8, -126, 127, 3.3895313892515355e38, 0x7fa5U};
    case Element::e4m3: return {"e4m3", "f8", 8, kNo, kYes, kNo, kYes, 4, -6, 8, 448, 0xffU};
    case Element::e5m2: return {"e5m2", "f8", 8, kNo, kYes, kYes, kYes, 3, -14, 15, 57344, 0x7dU};
    case Element::s8: return {"s8", "i8", 8, kYes, kYes, kNo, kNo, 7, 0, 0, 127, 0x81U};
    case Element::u8: return {"u8", "i8", 8, kYes, kNo, kNo, kNo, 8, 0, 0, 255, 0xfdU};
    case Element::s32: return {"s32", "i32", 32, kYes, kYes, kNo, kNo, 31, 0, 0, 2147483647, 0x80000001U};
    case Element::s4: return {"s4", "i4", 4, kYes, kYes, kNo, kNo, 3, 0, 0, 7, 0x8U};
    case Element::tc14:
      return {"tc14", "f8", 32, kNo, kYes, kYes, kYes, 14, -126, 127, 3.4028234663852886e38, 0x7fa57fa5U};
  }
  return {};
}

/// Bytes that `count` elements in a row take; elements of 4 bits may fill the last one by half.
PERFCHECK_HOST_DEVICE constexpr std::int64_t bytes_of(Element element, std::int64_t count) {
  return (count * format_of(element).bits + 7) / 8;
}

/// The formats that matrices have; tc14 is one of sums alone.
inline constexpr std::array kElements{Element::f64,  Element::f32,  Element::tf32, Element::f16,
                                      Element::bf16, Element::e4m3, Element::e5m2, Element::s8,
                                      Element::u8,   Element::s32,  Element::s4};

constexpr std::string_view to_text(Element element) { return format_of(element).name; }

}  // namespace perfcheck
