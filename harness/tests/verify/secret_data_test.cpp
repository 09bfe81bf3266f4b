// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/engine.h"
#include "perfcheck/verify/secret_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace perfcheck::verify {
namespace {

TEST(SecretData, IsNearTheNormalDistributionWith24RandomBits) {
  SecretKey const key = secret_key(42, 0, 0);
  double sum = 0, squares = 0, largest = 0;
  std::set<float> values;
  for (std::uint32_t row = 0; row < 256; ++row) {
    for (std::uint32_t column = 0; column < 256; ++column) {
      float const value = secret_value(key, row, column);
      sum += static_cast<double>(value);
      squares += static_cast<double>(value) * static_cast<double>(value);
      largest = std::max(largest, std::fabs(static_cast<double>(value)));
      values.insert(value);
    }
  }
  EXPECT_NEAR(sum / 65536, 0, 0.02);
  EXPECT_NEAR(squares / 65536, 1, 0.02);
  EXPECT_LT(largest, 3.5);
  EXPECT_GT(values.size(), 65200U) << "with only 18 random bits, 8,000 values would repeat";
}

TEST(SecretData, DiffersWithSecretSetOperandRowAndColumn) {
  auto const differs = [](SecretKey const& x, SecretKey const& y) {
    int equal = 0;
    for (std::uint32_t at = 0; at < 1000; ++at) equal += secret_value(x, at, 7) == secret_value(y, at, 7) ? 1 : 0;
    return equal < 5;
  };
  EXPECT_TRUE(differs(secret_key(1, 0, 0), secret_key(2, 0, 0)));
  EXPECT_TRUE(differs(secret_key(1, 0, 0), secret_key(1, 1, 0)));
  EXPECT_TRUE(differs(secret_key(1, 0, 0), secret_key(1, 0, 1)));
}

/// The correlation of two rows of 4096 elements.
double correlation(SecretKey const& key, std::uint32_t row_x, std::uint32_t shift_x, std::uint32_t row_y) {
  double sum = 0;
  for (std::uint32_t at = 0; at < 4096; ++at) {
    sum +=
        static_cast<double>(secret_value(key, row_x, at + shift_x)) * static_cast<double>(secret_value(key, row_y, at));
  }
  return sum / 4096;
}

TEST(SecretData, HasNoRowThatTellsAnother) {
  SecretKey const key = secret_key(7, 0, 1);
  for (std::uint32_t row : {0U, 1U, 2U, 255U, 4095U, 65535U, 65536U, 131072U}) {
    for (std::uint32_t other : {3U, 256U, 4096U, 65537U, 1U << 20U}) {
      EXPECT_LT(std::fabs(correlation(key, row, 0, other)), 0.1) << row << " " << other;
      EXPECT_LT(std::fabs(correlation(key, row, 65536, other)), 0.1) << row << " " << other;
    }
    EXPECT_LT(std::fabs(correlation(key, row, 65536, row)), 0.1);
    EXPECT_LT(std::fabs(correlation(key, row, 65536, row ^ 1U)), 0.1);
    EXPECT_LT(std::fabs(correlation(key, row, 1, row)), 0.1);
  }
}

TEST(SecretData, LinesAreWhatSingleElementsAre) {
  SecretKey const key = secret_key(9, 3, 2);
  std::vector<float> line(77);
  for (bool const by_rows : {true, false}) {
    secret_line(key, 5, by_rows, line);
    for (std::uint32_t at = 0; at < line.size(); ++at) {
      EXPECT_EQ(line[at], by_rows ? secret_value(key, 5, at) : secret_value(key, at, 5));
    }
  }
}

TEST(SecretData, ARenewalWritesAllSetsAndTheirPoisonAndNothingElse) {
  constexpr int kSets = 3;
  std::vector<float> memory(kSets * 64, -1.0F);
  std::vector<std::uint32_t> poisoned(8, 1);
  SecretMatrices const input{.first = {.data = memory.data(),
                                       .element = Element::f32,
                                       .rows = 4,
                                       .columns = 9,
                                       .row_stride = 11,
                                       .column_stride = 1},
                             .set_bytes = 64 * sizeof(float),
                             .operand = 1};
  auto const engine = make_host_engine();
  PoisonedMemory const poison{poisoned.data(), 6 * sizeof(std::uint32_t), 0xdeadU};
  engine->renew({&input, 1}, {0, 2}, 99, {&poison, 1});
  for (int set = 0; set < kSets; ++set) {
    for (std::uint32_t at = 0; at < 64; ++at) {
      bool const inside = set < 2 && at / 11 < 4 && at % 11 < 9;
      float const expected = inside ? secret_value(secret_key(99, set, 1), at / 11, at % 11) : -1.0F;
      EXPECT_EQ(memory[static_cast<std::size_t>(set) * 64 + at], expected) << set << " " << at;
    }
  }
  EXPECT_EQ(poisoned, (std::vector<std::uint32_t>{0xdead, 0xdead, 0xdead, 0xdead, 0xdead, 0xdead, 1, 1}));
  EXPECT_EQ(engine->count_changed({&input, 1}, {0, 2}, 99), 0U);
  memory[64 + 12] += 1;
  EXPECT_EQ(engine->count_changed({&input, 1}, {0, 2}, 99), 1U);
}

TEST(SecretData, SignsAreFairAndDifferFromDrawToDraw) {
  int positive = 0, equal = 0;
  for (std::uint32_t column = 0; column < 10000; ++column) {
    positive += column_sign(17, column) > 0 ? 1 : 0;
    equal += column_sign(17, column) == column_sign(18, column) ? 1 : 0;
  }
  EXPECT_NEAR(positive, 5000, 250);
  EXPECT_NEAR(equal, 5000, 250);
}

TEST(SecretData, EightBitFloatingPointIsRoundedAsAnyOther) {
  SecretKey const key = secret_key(5, 1, 0);
  for (Element element : {Element::e4m3, Element::e5m2}) {
    for (std::uint32_t at = 0; at < 20000; ++at) {
      // Values of different magnitudes: some are normal in the format, some subnormal.
      float const value = secret_value(key, 3, at) * (at % 4 == 0 ? 0.001F : 1.0F);
      ASSERT_EQ(detail::encode_secret(element, value), encode(element, static_cast<double>(value))) << value;
    }
  }
}

TEST(SecretData, IntegersAreAnyOfTheFormat) {
  SecretKey const key = secret_key(5, 1, 0);
  for (Element element : {Element::s8, Element::u8, Element::s4}) {
    std::map<double, int> count;
    int const values = 1 << bits_of(element);
    for (std::uint32_t at = 0; at < 200U * static_cast<unsigned>(values); ++at) {
      ++count[secret_element({.element = element}, key, at / 256, at % 256)];
    }
    EXPECT_EQ(count.size(), static_cast<std::size_t>(values)) << to_text(element);
    EXPECT_EQ(count.begin()->first, format_of(element).smallest());
    for (auto const& [value, times] : count) EXPECT_NEAR(times, 200, 90) << to_text(element) << " " << value;
  }
}

TEST(SecretData, DoublesHaveMoreBitsThanSinglesAndTheSameDistribution) {
  SecretKey const key = secret_key(5, 1, 0);
  double squares = 0;
  int single = 0;
  for (std::uint32_t at = 0; at < 10000; ++at) {
    double const value = secret_element({.element = Element::f64}, key, 7, at);
    squares += value * value;
    single += value == static_cast<double>(static_cast<float>(value)) ? 1 : 0;
  }
  EXPECT_NEAR(squares / 10000, 1, 0.05);
  EXPECT_LT(single, 10);
}

TEST(SecretData, ScalesArePositiveAndNearTheirPower) {
  SecretKey const key = secret_key(5, 1, 3);
  SecretFormat const format{.element = Element::f32, .scales = true, .exponent = -4};
  for (std::uint32_t at = 0; at < 10000; ++at) {
    double const value = secret_element(format, key, 0, at);
    ASSERT_GE(value, std::ldexp(0.5, -4));
    ASSERT_LE(value, std::ldexp(2, -4));
  }
}

TEST(SecretData, ElementsOfALineAreThoseOfThePlaces) {
  SecretKey const key = secret_key(5, 1, 3);
  for (Element element : kElements) {
    for (bool by_rows : {true, false}) {
      std::vector<double> line(1100);
      secret_elements({.element = element}, key, 9, by_rows, line);
      for (std::uint32_t at = 0; at < line.size(); ++at) {
        ASSERT_EQ(line[at], secret_element({.element = element}, key, by_rows ? 9 : at, by_rows ? at : 9))
            << to_text(element) << " " << at;
      }
    }
  }
}

}  // namespace
}  // namespace perfcheck::verify
