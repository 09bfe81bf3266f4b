// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The element formats of a GEMM, as one row of types. Fills, references, error bounds, bytes and texts follow from the
// row; all_gemm_types() lists all rows.
#pragma once

#include <perfcheck/element.h>

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perfcheck {

/// Scale factors of quantised elements, which stand for element times factor. All factors are FP32 except those of
/// groups.
enum class GemmScaling : std::uint8_t {
  none,
  tensor,  ///< one for A and one for B
  rows,    ///< one for each row of A, one for each column of B
  blocks,  ///< one for 1 x 128 elements of A, one for 128 x 128 elements of B
  groups,  ///< one for 128 x 1 elements of B, in the format of A; none for A
};

/// Number of elements along k, and for blocks of B along n, that share a factor.
inline constexpr int kScaledElements = 128;

struct GemmTypes {
  Element a = Element::f32, b = Element::f32, c = Element::f32, d = Element::f32;
  Element accumulate = Element::f32;
  Element compute = Element::f32;  ///< what A and B are rounded to, or converted to, before they are multiplied
  GemmScaling scaling = GemmScaling::none;

  friend constexpr bool operator==(GemmTypes const&, GemmTypes const&) = default;
  friend constexpr auto operator<=>(GemmTypes const&, GemmTypes const&) = default;
  constexpr GemmTypes scaled(GemmScaling how) const {
    GemmTypes types = *this;
    types.scaling = how;
    return types;
  }

  // Each is named after its text, with _ for the dot; the usual "f16.f32" and "bf16.f32" drop the accumulator.
  static GemmTypes const f64;
  static GemmTypes const f32;
  static GemmTypes const tf32;  ///< FP32 data, inputs rounded to TF32
  static GemmTypes const f16, f16_f32_f32, f16_f16;
  static GemmTypes const bf16, bf16_f32_f32;
  static GemmTypes const e4m3_f32_bf16, e4m3_f32_f32, e4m3_f32_e4m3;
  static GemmTypes const e4m3_tc14_bf16;  ///< sums stay in the tensor cores ("fast accumulation")
  static GemmTypes const e5m2_f32_bf16, e5m2_f32_f32, e5m2_e4m3_f32_bf16, e4m3_e5m2_f32_bf16;
  static GemmTypes const s8_s32, u8_s8_s32;
  static GemmTypes const s8_s32_s8, s8_s32_f16, s8_s32_bf16;  ///< rows are scaled
  static GemmTypes const f16_s8g128, f16_s4g128;              ///< 16-bit inputs, integer weights
};

namespace detail {

/// Types of A, B, accumulator and D; C has D's.
constexpr GemmTypes gemm_types(Element a, Element b, Element accumulate, Element d,
                               GemmScaling scaling = GemmScaling::none) {
  return {.a = a, .b = b, .c = d, .d = d, .accumulate = accumulate, .compute = a, .scaling = scaling};
}
constexpr GemmTypes same_types(Element element) { return gemm_types(element, element, element, element); }

}  // namespace detail

inline constexpr GemmTypes GemmTypes::f64 = detail::same_types(Element::f64);
inline constexpr GemmTypes GemmTypes::f32 = detail::same_types(Element::f32);
inline constexpr GemmTypes GemmTypes::tf32{.compute = Element::tf32};
inline constexpr GemmTypes GemmTypes::f16 = detail::gemm_types(Element::f16, Element::f16, Element::f32, Element::f16);
inline constexpr GemmTypes GemmTypes::f16_f32_f32 =
    detail::gemm_types(Element::f16, Element::f16, Element::f32, Element::f32);
inline constexpr GemmTypes GemmTypes::f16_f16 = detail::same_types(Element::f16);
inline constexpr GemmTypes GemmTypes::bf16 =
    detail::gemm_types(Element::bf16, Element::bf16, Element::f32, Element::bf16);
inline constexpr GemmTypes GemmTypes::bf16_f32_f32 =
    detail::gemm_types(Element::bf16, Element::bf16, Element::f32, Element::f32);
inline constexpr GemmTypes GemmTypes::e4m3_f32_bf16 =
    detail::gemm_types(Element::e4m3, Element::e4m3, Element::f32, Element::bf16);
inline constexpr GemmTypes GemmTypes::e4m3_f32_f32 =
    detail::gemm_types(Element::e4m3, Element::e4m3, Element::f32, Element::f32);
inline constexpr GemmTypes GemmTypes::e4m3_f32_e4m3 =
    detail::gemm_types(Element::e4m3, Element::e4m3, Element::f32, Element::e4m3);
inline constexpr GemmTypes GemmTypes::e4m3_tc14_bf16 =
    detail::gemm_types(Element::e4m3, Element::e4m3, Element::tc14, Element::bf16);
inline constexpr GemmTypes GemmTypes::e5m2_f32_bf16 =
    detail::gemm_types(Element::e5m2, Element::e5m2, Element::f32, Element::bf16);
inline constexpr GemmTypes GemmTypes::e5m2_f32_f32 =
    detail::gemm_types(Element::e5m2, Element::e5m2, Element::f32, Element::f32);
inline constexpr GemmTypes GemmTypes::e5m2_e4m3_f32_bf16 =
    detail::gemm_types(Element::e5m2, Element::e4m3, Element::f32, Element::bf16);
inline constexpr GemmTypes GemmTypes::e4m3_e5m2_f32_bf16 =
    detail::gemm_types(Element::e4m3, Element::e5m2, Element::f32, Element::bf16);
inline constexpr GemmTypes GemmTypes::s8_s32 = detail::gemm_types(Element::s8, Element::s8, Element::s32, Element::s32);
inline constexpr GemmTypes GemmTypes::u8_s8_s32 =
    detail::gemm_types(Element::u8, Element::s8, Element::s32, Element::s32);
inline constexpr GemmTypes GemmTypes::s8_s32_s8 =
    detail::gemm_types(Element::s8, Element::s8, Element::s32, Element::s8, GemmScaling::rows);
inline constexpr GemmTypes GemmTypes::s8_s32_f16 =
    detail::gemm_types(Element::s8, Element::s8, Element::s32, Element::f16, GemmScaling::rows);
inline constexpr GemmTypes GemmTypes::s8_s32_bf16 =
    detail::gemm_types(Element::s8, Element::s8, Element::s32, Element::bf16, GemmScaling::rows);
inline constexpr GemmTypes GemmTypes::f16_s8g128 =
    detail::gemm_types(Element::f16, Element::s8, Element::f32, Element::f16, GemmScaling::groups);
inline constexpr GemmTypes GemmTypes::f16_s4g128 =
    detail::gemm_types(Element::f16, Element::s4, Element::f32, Element::f16, GemmScaling::groups);

namespace detail {

/// Rows without factors. Those of FP8 exist with factors, too.
inline constexpr GemmTypes kUnscaledTypes[] = {GemmTypes::f32,
                                               GemmTypes::tf32,
                                               GemmTypes::f16,
                                               GemmTypes::bf16,
                                               GemmTypes::f64,
                                               GemmTypes::f16_f32_f32,
                                               GemmTypes::f16_f16,
                                               GemmTypes::bf16_f32_f32,
                                               GemmTypes::e4m3_f32_bf16,
                                               GemmTypes::e4m3_f32_f32,
                                               GemmTypes::e4m3_f32_e4m3,
                                               GemmTypes::e5m2_f32_bf16,
                                               GemmTypes::e5m2_f32_f32,
                                               GemmTypes::s8_s32,
                                               GemmTypes::u8_s8_s32,
                                               GemmTypes::e5m2_e4m3_f32_bf16,
                                               GemmTypes::e4m3_e5m2_f32_bf16};
/// Rows that exist as they are only.
inline constexpr GemmTypes kOtherTypes[] = {GemmTypes::s8_s32_s8,  GemmTypes::s8_s32_f16, GemmTypes::s8_s32_bf16,
                                            GemmTypes::f16_s8g128, GemmTypes::f16_s4g128, GemmTypes::e4m3_tc14_bf16};

}  // namespace detail

/// All rows, including scaled ones.
std::span<GemmTypes const> all_gemm_types();

/// Canonical text: <a>[*<b>].<accumulate>[.<d>][,<scaling>], where <d> is left out if it is that of A, or of the
/// accumulator for integers: "f32", "tf32", "f16.f32", "s8.s32", "e4m3.f32.bf16,scale128", "f16*s4g128.f32".
std::string to_text(GemmTypes const& types);
/// Null for a text that names no types.
GemmTypes const* find_gemm_types(std::string_view text);

/// Format of the scale factors; meaningless without scaling.
PERFCHECK_HOST_DEVICE constexpr Element scale_element(GemmTypes const& types) {
  return types.scaling == GemmScaling::groups ? types.a : Element::f32;
}
constexpr bool sums_are_integers(GemmTypes const& types) { return format_of(types.accumulate).integer; }

}  // namespace perfcheck
