// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/fill.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

namespace perfcheck::verify {
namespace {

struct Moments {
  double mean = 0, variance = 0, least = 1e9, most = -1e9;
};
Moments moments(Fill const& fill, int rows, int columns) {
  Moments result;
  double sum = 0;
  double squares = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      auto const value = value_at(fill, rows, columns, row, column);
      sum += value;
      squares += value * value;
      result.least = std::min(result.least, value);
      result.most = std::max(result.most, value);
    }
  }
  result.mean = sum / rows / columns;
  result.variance = squares / rows / columns - result.mean * result.mean;
  return result;
}

TEST(Fill, NormalHasMeanZeroAndVarianceOne) {
  auto const m = moments({.pattern = Pattern::normal, .seed = 5}, 500, 400);
  EXPECT_NEAR(m.mean, 0, 0.01);
  EXPECT_NEAR(m.variance, 1, 0.015);
  EXPECT_GT(m.most, 3);
  EXPECT_LE(m.most, 3.47);
  EXPECT_GE(m.least, -3.47);
}

TEST(Fill, ScaledLinesAreNormalTimesAPowerOfTwoForEachOrForBlocksOfThem) {
  constexpr int kLines = 200, kLength = 50;
  for (std::int64_t period : {1, 10, kLines}) {
    Fill const rows{.pattern = Pattern::scaled_rows, .seed = 5, .limit = 40, .period = period};
    Fill columns = rows, plain{.pattern = Pattern::normal, .seed = 5};
    columns.pattern = Pattern::scaled_columns;
    std::set<int> exponents;
    int last = 0;
    for (int line = 0; line < kLines; ++line) {
      for (int at = 0; at < kLength; ++at) {
        int exponent = 0, of_column = 0;
        double const base = value_at(plain, kLines, kLength, line, at),
                     other = value_at(plain, kLength, kLines, at, line);
        if (base == 0 || other == 0) continue;
        EXPECT_EQ(std::frexp(value_at(rows, kLines, kLength, line, at) / base, &exponent), 0.5F);
        EXPECT_EQ(std::frexp(value_at(columns, kLength, kLines, at, line) / other, &of_column), 0.5F);
        --exponent, --of_column;
        EXPECT_EQ(exponent, of_column);
        EXPECT_TRUE(std::abs(exponent) >= 20 && std::abs(exponent) <= 40) << exponent;
        bool const goes_on = at > 0 || line % period != 0;
        EXPECT_TRUE(!goes_on || exponent == last) << "line " << line;
        last = exponent;
        exponents.insert(exponent);
      }
    }
    EXPECT_TRUE(period != 1 || exponents.size() > 35U);
    EXPECT_TRUE(period != kLines || exponents.size() == 1U);
  }
}

TEST(Fill, UniformCoversZeroToOne) {
  auto const m = moments({.pattern = Pattern::uniform, .seed = 5}, 500, 400);
  EXPECT_NEAR(m.mean, 0.5, 0.005);
  EXPECT_NEAR(m.variance, 1.0 / 12, 0.002);
  EXPECT_GE(m.least, 0);
  EXPECT_LT(m.most, 1);
}

TEST(Fill, IntegersKeepTheirLimitAndTheirShareOfZeros) {
  Fill const fill{.pattern = Pattern::integers, .seed = 7, .limit = 3, .share = 0.25};
  std::set<double> seen;
  int zeros = 0;
  for (int row = 0; row < 300; ++row) {
    for (int column = 0; column < 300; ++column) {
      double const value = value_at(fill, 300, 300, row, column);
      seen.insert(value);
      zeros += value == 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(seen, (std::set<double>{-3, -2, -1, 0, 1, 2, 3}));
  EXPECT_NEAR(zeros / 90000.0, 0.75, 0.01);
}

TEST(Fill, SeedRowAndColumnEachChangeTheValue) {
  EXPECT_NE(mix(1, 2, 3), mix(2, 2, 3));
  EXPECT_NE(mix(1, 2, 3), mix(1, 3, 3));
  EXPECT_NE(mix(1, 2, 3), mix(1, 2, 4));
  EXPECT_NE(mix(1, 2, 3), mix(1, 3, 2));
  std::set<std::uint64_t> seen;
  for (std::uint64_t row = 0; row < 300; ++row) {
    for (std::uint64_t column = 0; column < 300; ++column) seen.insert(mix(9, row, column));
  }
  EXPECT_EQ(seen.size(), 90000U);
}

class OneHot : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(OneHot, RowsUseEveryColumnAtLeastOnceAndMissTheDiagonal) {
  auto const [rows, columns] = GetParam();
  Fill const by_rows{.pattern = Pattern::one_hot_rows};
  Fill const by_columns{.pattern = Pattern::one_hot_columns};
  for (int column = 0; column < columns; ++column) {
    int used = 0;
    for (int row = 0; row < rows; ++row) {
      double const value = value_at(by_rows, rows, columns, row, column);
      EXPECT_TRUE(value == 0 || value == 1);
      EXPECT_EQ(value, value_at(by_columns, columns, rows, column, row))
          << "one_hot_columns must be the transpose of one_hot_rows";
      used += static_cast<int>(value);
      if (row == column && rows > 2 && rows == columns) {
        EXPECT_EQ(value, 0) << row;
      }
    }
    EXPECT_GE(used, 1) << "column " << column;
  }
  for (int row = 0; row < rows; ++row) {
    int ones = 0;
    for (int column = 0; column < columns; ++column)
      ones += static_cast<int>(value_at(by_rows, rows, columns, row, column));
    EXPECT_GE(ones, 1) << "row " << row;
    EXPECT_LE(ones, (columns + rows - 1) / rows) << "row " << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, OneHot,
                         testing::Values(std::pair(1, 1), std::pair(1, 7), std::pair(7, 1), std::pair(16, 16),
                                         std::pair(17, 33), std::pair(65, 31)));

TEST(Fill, MirroredRowsTakeBackWhatPeriodicColumnsAddedUp) {
  for (int k : {32, 33, 100}) {
    Fill const a{.pattern = Pattern::periodic, .seed = 1, .limit = 23, .period = k / 2};
    Fill b{.pattern = Pattern::mirrored, .seed = 2, .limit = 23, .share = 0, .period = k / 2};
    double sum = 0;
    double largest = 0;
    for (int i = 0; i < k; ++i) {
      sum += value_at(a, 5, k, 3, i) * value_at(b, k, 5, i, 4);
      largest = std::max(largest, sum);
    }
    EXPECT_EQ(sum, 0) << k;
    EXPECT_GT(largest, 4096) << k;
    b.share = 1;
    double with_remainder = 0;
    for (int i = 0; i < k; ++i) with_remainder += value_at(a, 5, k, 3, i) * value_at(b, k, 5, i, 4);
    EXPECT_NE(with_remainder, 0) << k;
    EXPECT_LT(std::fabs(with_remainder), 2048) << k;
  }
}

TEST(Fill, RangesAreEveryIntegerFromTheLeastOn) {
  Fill const bytes{.pattern = Pattern::range, .seed = 1, .limit = 256, .least = -128};
  std::set<double> seen;
  for (int row = 0; row < 100; ++row) {
    for (int column = 0; column < 100; ++column) seen.insert(value_at(bytes, 100, 100, row, column));
  }
  EXPECT_EQ(seen.size(), 256U);
  EXPECT_EQ(*seen.begin(), -128);
  EXPECT_EQ(*seen.rbegin(), 127);
}

TEST(Fill, ScalesLieBetweenAHalfAndTwoTimesTheirPower) {
  Fill const fill{.pattern = Pattern::scales, .seed = 1, .least = -6};
  double least = 1, largest = 0;
  for (int column = 0; column < 10000; ++column) {
    double const value = value_at(fill, 1, 10000, 0, column);
    least = std::min(least, value);
    largest = std::max(largest, value);
  }
  EXPECT_GE(least, std::ldexp(0.5, -6));
  EXPECT_LT(least, std::ldexp(0.51, -6));
  EXPECT_LE(largest, std::ldexp(2, -6));
  EXPECT_GT(largest, std::ldexp(1.99, -6));
}

TEST(Fill, StackedMatricesHaveThePatternOfOneAndValuesOfTheirOwn) {
  Fill one{.pattern = Pattern::one_hot_columns, .seed = 1};
  Fill stacked = one;
  stacked.stacked_rows = 7;
  for (int row = 0; row < 21; ++row) {
    for (int column = 0; column < 5; ++column) {
      EXPECT_EQ(value_at(stacked, 21, 5, row, column), value_at(one, 7, 5, row % 7, column));
    }
  }
  one.pattern = stacked.pattern = Pattern::one_hot_rows;
  stacked.stacked_rows = 0;
  stacked.stacked_columns = 7;
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 21; ++column) {
      EXPECT_EQ(value_at(stacked, 5, 21, row, column), value_at(one, 5, 7, row, column % 7));
    }
  }
  Fill random{.pattern = Pattern::normal, .seed = 1, .stacked_columns = 4};
  EXPECT_NE(value_at(random, 3, 8, 1, 2), value_at(random, 3, 8, 1, 6));
}

TEST(Fill, FineValuesDoNotFitIntoSinglePrecisionAndAreNearTheOthers) {
  Fill const plain{.pattern = Pattern::normal, .seed = 3};
  Fill fine = plain;
  fine.fine = true;
  int exact = 0;
  for (int column = 0; column < 1000; ++column) {
    double const value = value_at(fine, 1, 1000, 0, column);
    EXPECT_NEAR(value, value_at(plain, 1, 1000, 0, column), std::ldexp(4, -24));
    exact += value == static_cast<double>(static_cast<float>(value)) ? 1 : 0;
  }
  EXPECT_LT(exact, 10);
}

TEST(Fill, MagnitudesHaveNoSigns) {
  Fill const fill{.pattern = Pattern::integers, .seed = 2, .limit = 5, .magnitudes = true};
  for (int column = 0; column < 100; ++column) EXPECT_GE(value_at(fill, 1, 100, 0, column), 0);
}

}  // namespace
}  // namespace perfcheck::verify
