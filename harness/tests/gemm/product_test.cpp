// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "product.h"

#include "perfcheck/verify/engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace perfcheck::gemm {
namespace {

using verify::MatrixView;

struct Filled {
  std::vector<float> memory;
  MatrixView view;
};
Filled filled(std::int64_t rows, std::int64_t columns, bool by_rows, std::uint64_t seed) {
  Filled matrix;
  matrix.view = {.rows = rows, .columns = columns};
  matrix.view.row_stride = by_rows ? columns + 2 : 1;
  matrix.view.column_stride = by_rows ? 1 : rows + 3;
  matrix.memory.assign(static_cast<std::size_t>(matrix.view.index(rows - 1, columns - 1) + 1), NAN);
  matrix.view.data = matrix.memory.data();
  verify::make_host_engine()->fill(matrix.view, {.pattern = verify::Pattern::normal, .seed = seed});
  return matrix;
}

double at(MatrixView const& matrix, std::int64_t row, std::int64_t column) {
  return static_cast<double>(static_cast<float const*>(matrix.data)[matrix.index(row, column)]);
}

void expect_right(MatrixView const& a, MatrixView const& b) {
  auto const size = static_cast<std::size_t>(a.rows * b.columns);
  std::vector<double> product(size);
  std::vector<float> scale(size);
  make_host_product_engine()->multiply({.elements = a}, {.elements = b}, RowParts::whole(a.rows), product.data(),
                                       scale.data());
  for (std::int64_t row = 0; row < a.rows; ++row) {
    for (std::int64_t column = 0; column < b.columns; ++column) {
      double sum = 0;
      double absolute = 0;
      for (std::int64_t k = 0; k < a.columns; ++k) {
        sum += at(a, row, k) * at(b, k, column);
        absolute += std::fabs(at(a, row, k) * at(b, k, column));
      }
      auto const index = static_cast<std::size_t>(row * b.columns + column);
      ASSERT_NEAR(product[index], sum, 1e-13 * absolute) << row << " " << column;
      ASSERT_NEAR(static_cast<double>(scale[index]), absolute, 1e-7 * absolute);
    }
  }
}

TEST(HostProduct, AgreesWithTheDefinitionOnSizesAroundItsTiles) {
  for (std::int64_t m : {1, 3, 4, 5, 33}) {
    for (std::int64_t n : {1, 7, 8, 9, 40}) {
      for (std::int64_t k : {1, 2, 255, 256, 257, 600}) {
        for (bool by_rows : {true, false}) {
          expect_right(filled(m, k, true, 1).view, filled(k, n, by_rows, 2).view);
        }
      }
    }
  }
}

TEST(HostProduct, TakesRowsAndColumnsOfMatrices) {
  auto const a = filled(20, 30, true, 1);
  for (bool by_rows : {true, false}) {
    auto const b = filled(30, 25, by_rows, 2);
    expect_right(a.view.block(7, 0, 1, 30), b.view);
    expect_right(a.view, b.view.block(0, 9, 30, 1));
  }
}

TEST(HostProduct, RowsOfAGroupMeetTheMatrixOfTheirGroup) {
  constexpr std::int64_t kRows = 9, kDepth = 5, kColumns = 6, kGroups = 4;
  auto const parts = row_parts(parse_gemm_problem("f32,nn,m9n6k5,groups0+7+0+2"));
  auto const a = filled(kRows, kDepth, true, 1);
  for (bool by_rows : {true, false}) {
    auto const b = by_rows ? filled(kGroups * kDepth, kColumns, true, 2) : filled(kDepth, kGroups * kColumns, false, 2);
    std::vector<double> product(kRows * kColumns), one(kRows * kColumns);
    make_host_product_engine()->multiply({.elements = a.view}, {.elements = b.view}, parts, product.data(), nullptr);
    for (std::int64_t const group : {1, 3}) {
      auto const part = b.view.block(by_rows ? group * kDepth : 0, by_rows ? 0 : group * kColumns, kDepth, kColumns);
      make_host_product_engine()->multiply({.elements = a.view}, {.elements = part}, RowParts::whole(kRows), one.data(),
                                           nullptr);
      auto const first = group == 1 ? 0 : 7 * kColumns, end = group == 1 ? 7 * kColumns : kRows * kColumns;
      EXPECT_TRUE(std::equal(one.begin() + first, one.begin() + end, product.begin() + first)) << group << by_rows;
    }
  }
}

TEST(HostProduct, NanAndInfinitySpreadOverTheirRowAndColumnOnly) {
  auto a = filled(9, 300, true, 1);
  auto b = filled(300, 11, true, 2);
  static_cast<float*>(a.view.data)[a.view.index(4, 299)] = NAN;
  static_cast<float*>(b.view.data)[b.view.index(0, 10)] = INFINITY;
  std::vector<double> product(99);
  make_host_product_engine()->multiply({.elements = a.view}, {.elements = b.view}, RowParts::whole(9), product.data(),
                                       nullptr);
  for (std::size_t row = 0; row < 9; ++row) {
    for (std::size_t column = 0; column < 11; ++column) {
      double const value = product[row * 11 + column];
      EXPECT_EQ(std::isnan(value), row == 4) << row << " " << column;
      if (row != 4) {
        EXPECT_EQ(std::isinf(value), column == 10) << row << " " << column;
      }
    }
  }
}

}  // namespace
}  // namespace perfcheck::gemm
