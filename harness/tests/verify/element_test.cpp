// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/element.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace perfcheck::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Element, EveryPatternOfUpToSixteenBitsThatIsANumberSurvivesDecodingAndEncoding) {
  for (Element element : kElements) {
    if (bits_of(element) > 16) continue;
    for (Bits bits = 0; bits < Bits{1} << static_cast<unsigned>(bits_of(element)); ++bits) {
      double const value = decode(element, bits);
      if (is_nan(value)) {
        EXPECT_TRUE(is_nan(decode(element, encode(element, value))));
      } else {
        ASSERT_EQ(encode(element, value), bits) << to_text(element) << " " << value;
        ASSERT_EQ(round_to(element, value), value) << to_text(element);
      }
    }
  }
}

struct KnownValue {
  Element element;
  Bits bits;
  double value;
};

TEST(Element, EightAndFourBitFormatsAreThoseOfTheirSpecifications) {
  for (auto const& [element, bits, value] : {
           KnownValue{Element::e4m3, 0x7eU, 448},
           {Element::e4m3, 0x08U, 0.015625},
           {Element::e4m3, 0x01U, 0.001953125},
           {Element::e4m3, 0xb8U, -1},
           {Element::e5m2, 0x7bU, 57344},
           {Element::e5m2, 0x04U, std::ldexp(1, -14)},
           {Element::e5m2, 0x01U, std::ldexp(1, -16)},
           {Element::e5m2, 0xfcU, -kInfinity},
           {Element::s8, 0x80U, -128},
           {Element::u8, 0xffU, 255},
           {Element::s4, 0x8U, -8},
           {Element::s4, 0x7U, 7},
           {Element::s32, 0x80000000U, -2147483648.0},
           {Element::f64, 0x3ff0000000000000U, 1},
       }) {
    EXPECT_EQ(decode(element, bits), value) << to_text(element) << " " << bits;
    EXPECT_EQ(encode(element, value), bits) << to_text(element) << " " << value;
  }
  EXPECT_TRUE(is_nan(decode(Element::e4m3, 0x7fU)) && is_nan(decode(Element::e4m3, 0xffU)));
  EXPECT_TRUE(is_nan(decode(Element::e5m2, 0x7dU)) && is_nan(decode(Element::e5m2, 0x7fU)));
}

TEST(Element, FormatsWithoutInfinitySaturate) {
  EXPECT_EQ(round_to(Element::e4m3, 1000), 448);
  EXPECT_EQ(round_to(Element::e4m3, -kInfinity), -448);
  EXPECT_EQ(round_to(Element::e5m2, 70000), kInfinity);
  EXPECT_EQ(round_to(Element::s8, 127.6), 127);
  EXPECT_EQ(round_to(Element::s8, -1e9), -128);
  EXPECT_EQ(round_to(Element::u8, -3), 0);
  EXPECT_EQ(round_to(Element::s32, 1e12), 2147483647);
  EXPECT_EQ(round_to(Element::s8, 2.5), 2);
  EXPECT_EQ(round_to(Element::e4m3, 17), 16);
  EXPECT_EQ(round_to(Element::e4m3, 19), 20);
}

TEST(Element, TheTableAgreesWithTheFormats) {
  for (Element element : kElements) {
    ElementFormat const format = format_of(element);
    if (element != Element::tf32 && element != Element::f64 && format.bits <= 16) {
      double largest = 0;
      for (Bits bits = 0; bits < Bits{1} << static_cast<unsigned>(format.bits); ++bits) {
        double const value = decode(element, bits);
        if (!is_nan(value) && !is_infinite(value)) largest = std::max(largest, value);
      }
      EXPECT_EQ(format.largest, largest) << format.name;
    }
    double const whole = format.largest_exact_integer();
    EXPECT_EQ(round_to(element, whole), whole) << format.name;
    EXPECT_EQ(round_to(element, whole - 1), whole - 1) << format.name;
    if (!format.integer && format.precision < 31) {
      EXPECT_NE(round_to(element, whole + 1), whole + 1) << format.name;
    }
  }
}

TEST(Element, TwoOfFourBitsShareAByteTheFirstInTheLowHalf) {
  unsigned char bytes[2] = {0xff, 0xff};
  store_bits(Element::s4, bytes, 0, 0x1U);
  store_bits(Element::s4, bytes, 3, 0x2U);
  EXPECT_EQ(bytes[0], 0xf1);
  EXPECT_EQ(bytes[1], 0x2f);
  EXPECT_EQ(load_bits(Element::s4, bytes, 1), 0xfU);
  EXPECT_EQ(load_bits(Element::s4, bytes, 3), 0x2U);
  EXPECT_EQ(bytes_of(Element::s4, 3), 2);
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
    Bits const infinity = encode(element, kInfinity);
    for (Bits bits = 0; bits + 1 < infinity; ++bits) {
      double const value = decode(element, bits);
      ASSERT_EQ(half_spacing(element, value), (decode(element, bits + 1) - value) / 2) << value;
    }
  }
}

TEST(Element, PoisonIsANanThatNoResultCanBeWhereThereAreNans) {
  for (Element element : kElements) {
    ElementFormat const format = format_of(element);
    if (format.poison_is_a_value()) {
      EXPECT_FALSE(format.has_nan);
      continue;
    }
    EXPECT_TRUE(is_nan(decode(element, poison_bits(element)))) << format.name;
    double const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(encode(element, nan), poison_bits(element)) << format.name;
    EXPECT_NE(encode(element, -nan), poison_bits(element)) << format.name;
    if (element == Element::e4m3) continue;  // has two NaNs, both quiet
    auto const fraction_bits = static_cast<unsigned>((element == Element::tf32 ? 24 : format.precision) - 1);
    EXPECT_EQ(poison_bits(element) >> (fraction_bits - 1) & 1U, 0U) << format.name << ": the quiet bit is set";
  }
}

TEST(Element, PoisonWordsAreThePoisonOverAndOver) {
  for (Element element : kElements) {
    std::uint32_t words[2] = {poison_word(element), poison_word(element)};
    for (std::int64_t i = 0; i < 64 / bits_of(element); ++i) {
      EXPECT_EQ(load_bits(element, words, i), poison_bits(element)) << to_text(element) << " " << i;
    }
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

TEST(MatrixView, KnowsTheLinesItIsStoredIn) {
  struct Stored {
    MatrixView matrix;
    MatrixLines lines;
  };
  for (auto const& [matrix, expected] : {
           Stored{{.rows = 3, .columns = 7, .row_stride = 9, .column_stride = 1}, {true, 3, 7, 9}},
           Stored{{.rows = 3, .columns = 7, .row_stride = 1, .column_stride = 5}, {false, 7, 3, 5}},
           Stored{{.rows = 3, .columns = 1, .row_stride = 1, .column_stride = 1}, {true, 3, 1, 1}},
       }) {
    MatrixLines const lines = matrix.lines();
    EXPECT_EQ(lines.by_rows, expected.by_rows);
    EXPECT_EQ(lines.count, expected.count);
    EXPECT_EQ(lines.length, expected.length);
    EXPECT_EQ(lines.stride, expected.stride);
  }
}

}  // namespace
}  // namespace perfcheck::verify
