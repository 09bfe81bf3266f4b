// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/element.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace perfcheck::verify {
namespace {

constexpr Element kElements[] = {Element::f32, Element::f16, Element::bf16};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Element, EverySixteenBitPatternThatIsANumberSurvivesDecodingAndEncoding) {
  for (Element element : {Element::f16, Element::bf16}) {
    for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
      double const value = decode(element, bits);
      if (is_nan(value)) {
        EXPECT_TRUE(is_nan(decode(element, encode(element, value))));
      } else {
        ASSERT_EQ(encode(element, value), bits) << value;
      }
    }
  }
}

TEST(Element, RoundingToSinglePrecisionIsThatOfTheCompiler) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    auto const x = std::bit_cast<double>(random());
    if (is_nan(x) || std::fabs(x) > 3.4e38) continue;
    ASSERT_EQ(round_to(Element::f32, x), static_cast<double>(static_cast<float>(x))) << x;
  }
  std::uniform_real_distribution<double> exponent(-160, 130);
  for (int i = 0; i < 200000; ++i) {
    double const x = std::exp2(exponent(random)) * (i % 2 == 0 ? 1 : -1);
    ASSERT_EQ(round_to(Element::f32, x), static_cast<double>(static_cast<float>(x))) << x;
  }
}

#if defined(__FLT16_MANT_DIG__)
TEST(Element, RoundingToHalfPrecisionIsThatOfTheCompiler) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-30, 18);
  for (int i = 0; i < 200000; ++i) {
    double const x = std::exp2(exponent(random)) * (i % 2 == 0 ? 1 : -1);
    ASSERT_EQ(round_to(Element::f16, x), static_cast<double>(static_cast<_Float16>(x))) << x;
  }
}
#endif

TEST(Element, TiesGoToEvenAndTooLargeGoesToInfinity) {
  EXPECT_EQ(round_to(Element::f16, 2049), 2048);
  EXPECT_EQ(round_to(Element::f16, 2051), 2052);
  EXPECT_EQ(round_to(Element::bf16, 257), 256);
  EXPECT_EQ(round_to(Element::bf16, 259), 260);
  EXPECT_EQ(round_to(Element::f16, 65519), 65504);
  EXPECT_EQ(round_to(Element::f16, 65520), kInfinity);
  EXPECT_EQ(round_to(Element::f16, -65520), -kInfinity);
  EXPECT_EQ(round_to(Element::f16, std::ldexp(1, -26)), 0);
  EXPECT_EQ(round_to(Element::f16, std::ldexp(3, -26)), std::ldexp(1, -24));
}

TEST(Element, HalfSpacingIsHalfTheDistanceToTheNextValue) {
  for (Element element : {Element::f16, Element::bf16}) {
    std::uint32_t const infinity = encode(element, kInfinity);
    for (std::uint32_t bits = 0; bits + 1 < infinity; ++bits) {
      double const value = decode(element, bits);
      ASSERT_EQ(half_spacing(element, value), (decode(element, bits + 1) - value) / 2) << value;
    }
  }
}

TEST(Element, PoisonIsASignallingNanThatNoResultCanBe) {
  for (Element element : kElements) {
    EXPECT_TRUE(is_nan(decode(element, poison_bits(element))));
    EXPECT_NE(encode(element, std::numeric_limits<double>::quiet_NaN()), poison_bits(element));
    std::uint32_t const quiet_bit = 1U << static_cast<unsigned>(format_of(element).precision - 2);
    EXPECT_EQ(poison_bits(element) & quiet_bit, 0U);
  }
  std::uint16_t halves[2];
  std::uint32_t const word = poison_word(Element::f16);
  std::memcpy(halves, &word, sizeof word);
  EXPECT_EQ(halves[0], poison_bits(Element::f16));
  EXPECT_EQ(halves[1], poison_bits(Element::f16));
}

TEST(MatrixView, ABlockSharesMemoryAndStrides) {
  float data[12];
  MatrixView const by_columns{.data = data, .rows = 3, .columns = 2, .row_stride = 1, .column_stride = 5};
  auto const block = by_columns.block(1, 1, 2, 1);
  EXPECT_EQ(block.data, data + 6);
  EXPECT_EQ(block.index(1, 0), 1);
  EXPECT_EQ(block.size(), 2);
}

}  // namespace
}  // namespace perfcheck::verify
