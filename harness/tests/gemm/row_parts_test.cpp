// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "row_parts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace perfcheck::gemm {
namespace {

/// The number of the B matrix of each row, derived from the problem alone.
std::vector<int> matrices_of_rows(GemmProblem const& problem) {
  std::vector<int> sizes = problem.groups;
  if (sizes.empty()) sizes.assign(static_cast<std::size_t>(problem.batch), problem.m);
  std::vector<int> matrices;
  for (std::size_t matrix = 0; matrix < sizes.size(); ++matrix) {
    matrices.insert(matrices.end(), static_cast<std::size_t>(sizes[matrix]), static_cast<int>(matrix));
  }
  return matrices;
}

constexpr char const* kTexts[] = {"f32,nn,m100n1k1",
                                  "f32,nn,m33n1k1,batch5",
                                  "f32,nn,m32n1k1,batch3",
                                  "f32,nn,m65n1k1,groups31+33+1",
                                  "f32,nn,m130n1k1,groups0+1+0+64+65+2x0",
                                  "f32,nn,m600n1k1,groups511x1+89",
                                  "f32,nn,m512n1k1,groups32+480",
                                  "f32,nn,m7n1k1,groups511x0+7"};

TEST(RowParts, EveryRowBelongsToThePartOfItsMatrix) {
  for (char const* text : kTexts) {
    auto const problem = parse_gemm_problem(text);
    auto const parts = row_parts(problem);
    auto const expected = matrices_of_rows(problem);
    ASSERT_EQ(parts.rows(), static_cast<std::int64_t>(expected.size())) << text;
    for (std::int64_t row = 0; row < parts.rows(); ++row) {
      int const part = parts.part_of(row);
      ASSERT_EQ(parts.matrix(part), expected[static_cast<std::size_t>(row)]) << text << " " << row;
      ASSERT_GE(row, parts.first(part));
      ASSERT_LT(row, parts.first(part) + parts.rows(part));
    }
  }
}

TEST(RowParts, RangesHoldEveryRowOnceAndCrossNoBoundary) {
  for (char const* text : kTexts) {
    auto const parts = row_parts(parse_gemm_problem(text));
    for (int const size : {1, 2, 16, 32, 1000}) {
      std::vector<int> seen(static_cast<std::size_t>(parts.rows()));
      std::int64_t empty = 0;
      for (std::int64_t index = 0; index < parts.ranges(size); ++index) {
        RowRange const range = parts.range(index, size);
        ASSERT_LE(range.rows, size);
        empty += range.rows == 0 ? 1 : 0;
        for (std::int64_t row = range.first; row < range.first + range.rows; ++row) {
          ASSERT_EQ(parts.part_of(row), range.part) << text << " " << row;
          ++seen[static_cast<std::size_t>(row)];
        }
      }
      EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << text << " by " << size;
      EXPECT_LE(empty, parts.count) << text;
    }
  }
}

TEST(RowParts, MessagesNameTheGroupOfARowAndItsPlaceThere) {
  auto const parts = row_parts(parse_gemm_problem("f32,nn,m9n1k1,groups0+5+0+1+3"));
  EXPECT_EQ(describe_row(parts, 0), "; row 0 is the first of group 1, which has rows 0-4");
  EXPECT_EQ(describe_row(parts, 2), "; row 2 is in group 1, which has rows 0-4");
  EXPECT_EQ(describe_row(parts, 5), "; row 5 is all of group 3, which has rows 5-5");
  EXPECT_EQ(describe_row(parts, 8), "; row 8 is the last of group 4, which has rows 6-8");
  EXPECT_EQ(describe_row(row_parts(parse_gemm_problem("f32,nn,m9n1k1,batch3")), 4), "");
}

}  // namespace
}  // namespace perfcheck::gemm
