// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/mismatch.h"

#include <gmock/gmock.h>

#include <vector>

namespace perfcheck::verify {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A 48 x 40 result with a row stride of 43, right until a test spoils it: element (r, c) is 100 r + c.
class Mismatch : public testing::Test {
 protected:
  static constexpr std::int64_t kRows = 48, kColumns = 40, kStride = 43;

  Mismatch() : result_(kRows * kStride, 0.0F), product_(kRows * kColumns), scale_(kRows * kColumns, 1.0F) {
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (std::int64_t column = 0; column < kColumns; ++column) {
        at(row, column) = static_cast<float>(100 * row + column);
        product_[static_cast<std::size_t>(row * kColumns + column)] = static_cast<double>(100 * row + column);
      }
    }
  }

  float& at(std::int64_t row, std::int64_t column) { return result_[static_cast<std::size_t>(row * kStride + column)]; }
  void poison(std::int64_t row, std::int64_t column) {
    store_bits(Element::f32, result_.data(), row * kStride + column, poison_bits(Element::f32));
  }

  std::string describe(Bound const& bound = Bound::equal()) {
    MatrixView const result{.data = result_.data(), .rows = kRows, .columns = kColumns, .row_stride = kStride};
    Expectation const expected{.product = product_.data(), .scale = scale_.data(), .bound = bound};
    return describe_mismatch(*backend_, result, expected, engine_->compare(result, expected));
  }

  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
  std::unique_ptr<Engine> engine_ = make_host_engine();
  std::vector<float> result_;
  std::vector<double> product_;
  std::vector<float> scale_;
};

TEST_F(Mismatch, ATileThatNobodyWroteIsNamedAsSuch) {
  for (std::int64_t row = 32; row < kRows; ++row) {
    for (std::int64_t column = 24; column < kColumns; ++column) poison(row, column);
  }
  EXPECT_EQ(
      describe(),
      "256 of 1920 elements wrong, first at row 32 column 24: got the poison it held before, expected 3224; all in "
      "rows 32-47, columns 24-39 (the last tile); never written: the poison from before the launch is still there");
}

TEST_F(Mismatch, ARowOfNanIsAWholeRow) {
  for (std::int64_t column = 0; column < kColumns; ++column) at(7, column) = NAN;
  EXPECT_THAT(describe(),
              AllOf(HasSubstr("got nan, expected 700"), HasSubstr("all of row 7"), HasSubstr("all of them NaN")));
}

TEST_F(Mismatch, ATransposedBlockIsRecognised) {
  for (std::int64_t row = 16; row < 32; ++row) {
    for (std::int64_t column = 16; column < 32; ++column) at(row, column) = static_cast<float>(100 * column + row);
  }
  EXPECT_THAT(describe(), AllOf(HasSubstr("rows 16-31, columns 16-31"), HasSubstr("the block holds its transpose"),
                                Not(HasSubstr("last tile"))));
}

TEST_F(Mismatch, ABlockThatIsJustWrongIsNotCalledTransposed) {
  for (std::int64_t row = 16; row < 32; ++row) {
    for (std::int64_t column = 16; column < 32; ++column) at(row, column) += 1;
  }
  EXPECT_THAT(describe(), Not(HasSubstr("transpose")));
}

TEST_F(Mismatch, ZerosAndPartsThatWereNotWrittenAreCounted) {
  at(3, 5) = 0;
  EXPECT_THAT(describe(), AllOf(HasSubstr("1 of 1920"), HasSubstr("row 3, column 5"), HasSubstr("all of them 0")));
  poison(3, 6);
  EXPECT_THAT(describe(),
              AllOf(HasSubstr("2 of 1920"), HasSubstr("1 of them never written"), Not(HasSubstr("of them 0"))));
}

TEST_F(Mismatch, BoundedComparisonsNameTheWorstElement) {
  at(1, 1) += 1;
  at(40, 2) += 30;
  EXPECT_THAT(describe(Bound::relative_to_scale(0.5, 0)),
              AllOf(HasSubstr("2 of 1920 elements wrong, first at row 1 column 1: got 102, expected 101"),
                    HasSubstr("worst 60 times the bound at row 40 column 2: got 4032, expected 4002")));
}

TEST_F(Mismatch, EverythingWrongIsTheWholeMatrix) {
  for (float& element : result_) element = -1;
  EXPECT_THAT(describe(), HasSubstr("; the whole matrix"));
}

TEST(DescribeBox, ColumnsAndSpread) {
  EXPECT_EQ(describe_box({.count = 10, .first_row = 0, .last_row = 9, .first_column = 3, .last_column = 3}, 10, 8),
            "all of column 3");
  EXPECT_EQ(describe_box({.count = 5, .first_row = 2, .last_row = 3, .first_column = 0, .last_column = 7}, 10, 8),
            "all in rows 2-3");
  EXPECT_EQ(describe_box({.count = 2, .first_row = 0, .last_row = 9, .first_column = 0, .last_column = 7}, 10, 8),
            "spread over the whole matrix");
}

}  // namespace
}  // namespace perfcheck::verify
