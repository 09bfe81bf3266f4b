// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/engine.h"

#include <gtest/gtest.h>

#include <vector>

namespace perfcheck::verify {
namespace {

MatrixView view(std::vector<float>& data, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                std::int64_t column_stride = 1) {
  return {
      .data = data.data(), .rows = rows, .columns = columns, .row_stride = row_stride, .column_stride = column_stride};
}

class HostEngine : public testing::Test {
 protected:
  std::unique_ptr<Engine> engine_ = make_host_engine();
};

TEST_F(HostEngine, FillDependsOnThePlaceInTheMatrixNotInMemory) {
  Fill const fill{.pattern = Pattern::normal, .seed = 3};
  std::vector<float> tight(6), padded(3 * 7, 99.0F), by_columns(2 * 5, 99.0F);
  engine_->fill(view(tight, 3, 2, 2), fill);
  engine_->fill(view(padded, 3, 2, 7), fill);
  engine_->fill(view(by_columns, 3, 2, 1, 5), fill);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 2; ++column) {
      EXPECT_EQ(tight[row * 2 + column], padded[row * 7 + column]);
      EXPECT_EQ(tight[row * 2 + column], by_columns[row + column * 5]);
    }
  }
  EXPECT_EQ(padded[2], 99.0F);
  EXPECT_EQ(by_columns[3], 99.0F);
}

TEST_F(HostEngine, AFingerprintSeesEachBitAndEachPlace) {
  std::vector<std::uint64_t> words(9);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i % 3;
  std::size_t const bytes = 8 * 8 + 3;
  auto const before = engine_->fingerprint(words.data(), bytes);
  EXPECT_EQ(engine_->fingerprint(words.data(), bytes), before);
  for (std::size_t bit : {0U, 63U, 64U * 5 + 17, 64U * 8 + 23}) {
    words[bit / 64] ^= std::uint64_t{1} << bit % 64;
    EXPECT_NE(engine_->fingerprint(words.data(), bytes), before) << bit;
    words[bit / 64] ^= std::uint64_t{1} << bit % 64;
  }
  words[8] ^= std::uint64_t{1} << 24U;
  EXPECT_EQ(engine_->fingerprint(words.data(), bytes), before) << "a bit past the end must not count";
  std::swap(words[0], words[1]);
  EXPECT_NE(engine_->fingerprint(words.data(), bytes), before);
}

TEST_F(HostEngine, ASecretMadeOfDataDependsOnEachBitEachPlaceAndTheSecretBefore) {
  std::vector<std::uint64_t> words = {1, 2, 3, 4, 5, 6, 7, 8};
  auto const chained = [&](std::uint64_t secret) {
    std::uint64_t next = 0;
    engine_->chain(words.data(), words.size() * 8, &secret, &next);
    return next;
  };
  auto const before = chained(9);
  EXPECT_EQ(chained(9), before);
  EXPECT_NE(chained(10), before);
  for (std::size_t bit = 0; bit < words.size() * 64; bit += 13) {
    words[bit / 64] ^= std::uint64_t{1} << bit % 64;
    EXPECT_NE(chained(9), before) << bit;
    words[bit / 64] ^= std::uint64_t{1} << bit % 64;
  }
  std::swap(words[2], words[3]);
  EXPECT_NE(chained(9), before);
}

TEST_F(HostEngine, InputsFromASecretInMemoryAreThoseOfTheSecret) {
  std::vector<float> in_memory(35), told(35);
  std::uint64_t const secret = 77;
  SecretMatrices inputs{.first = view(in_memory, 5, 7, 7), .set_bytes = 0, .operand = 1};
  engine_->renew_from({&inputs, 1}, &secret);
  inputs.first.data = told.data();
  engine_->renew({&inputs, 1}, {0, 1}, secret, {});
  EXPECT_EQ(in_memory, told);
}

TEST_F(HostEngine, SeizesAllOfItWhateverTheSize) {
  for (std::size_t const words : {4U, 16'384U, 100'000U}) {
    std::vector<std::uint32_t> from(words), to(words + 1, 7);
    for (std::size_t at = 0; at < words; ++at) from[at] = static_cast<std::uint32_t>(at);
    engine_->seize(to.data(), from.data(), words * 4);
    EXPECT_EQ(to.back(), 7U) << words;
    to.pop_back();
    EXPECT_EQ(to, from) << words;
  }
}

TEST_F(HostEngine, SearchesReturnTheSmallestBox) {
  std::vector<float> x(20, 1.0F), y(20, 1.0F);
  EXPECT_EQ(engine_->find_different(view(x, 4, 5, 5), view(y, 4, 5, 5)).count, 0U);
  y[1 * 5 + 4] = y[3 * 5 + 2] = 2.0F;
  auto const found = engine_->find_different(view(x, 4, 5, 5), view(y, 4, 5, 5));
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.first_row, 1);
  EXPECT_EQ(found.last_row, 3);
  EXPECT_EQ(found.first_column, 2);
  EXPECT_EQ(found.last_column, 4);
  EXPECT_EQ(engine_->find_other(view(y, 4, 5, 5), encode(Element::f32, 1)).count, 2U);
}

TEST_F(HostEngine, CompareTakesAlphaBetaAndTheOtherRowAndColumnIntoAccount) {
  std::vector<float> d{8, 10, 12, 80, 90, 100}, c{1, 1, 1, 1, 1, 1};
  std::vector<double> const product{1, 2, 3, 4, 5, 6}, other_row{37, 42, 47}, other_column{3, 0};
  Expectation expected{.product = product.data(), .epilogue = {.alpha = 2, .beta = 6, .addend = view(c, 2, 3, 3)}};
  EXPECT_EQ(engine_->compare(view(d, 2, 3, 3), expected).wrong.count, 3U);
  expected.other_row = 1;
  expected.other_row_product = other_row.data();
  EXPECT_EQ(engine_->compare(view(d, 2, 3, 3), expected).wrong.count, 0U);
  expected.other_column = 0;
  expected.other_column_rows = 2;
  expected.other_column_product = other_column.data();
  auto const wrong = engine_->compare(view(d, 2, 3, 3), expected).wrong;
  EXPECT_EQ(wrong.count, 1U) << "where the row and the column cross, the row must count";
  EXPECT_EQ(wrong.last_row, 0);
}

TEST_F(HostEngine, CompareReportsTheWorstErrorOverItsBound) {
  std::vector<float> d{1.0F, 2.5F};
  std::vector<double> const product{1, 2};
  std::vector<float> const scale{10, 10};
  Expectation const expected{
      .product = product.data(), .scale = scale.data(), .bound = Bound::relative_to_scale(0.1, 0)};
  auto const comparison = engine_->compare(view(d, 1, 2, 2), expected);
  EXPECT_EQ(comparison.wrong.count, 0U);
  EXPECT_NEAR(comparison.worst, 0.5, 1e-12);
}

}  // namespace
}  // namespace perfcheck::verify
