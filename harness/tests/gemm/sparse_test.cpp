// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "sparse.h"

#include "perfcheck/verify/engine.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

namespace perfcheck::gemm {
namespace {

struct Written {
  GemmProblem problem = parse_gemm_problem("f32,nn,m64n1k64,sparse24");
  verify::SecretMatrices indices = indices_of_a(problem);
  std::vector<std::uint8_t> bytes;
};
Written written(std::uint64_t secret, int sets = 1) {
  Written made;
  auto const of_a_set = static_cast<std::size_t>(made.indices.first.size());
  made.bytes.resize(of_a_set * static_cast<std::size_t>(sets));
  made.indices.first.data = made.bytes.data();
  made.indices.set_bytes = static_cast<std::int64_t>(of_a_set);
  make_host_sparse_engine()->renew(made.indices, {0, sets}, secret);
  return made;
}

TEST(Sparse, IndicesAreEachOfTheSixPairsAsOften) {
  std::map<int, int> pairs;
  auto const made = written(1, 8);
  for (std::uint8_t const byte : made.bytes) {
    ++pairs[byte & 15];
    ++pairs[byte >> 4];
  }
  ASSERT_EQ(pairs.size(), 6U);
  for (auto const& [pair, count] : pairs) {
    EXPECT_LT(pair & 3, pair >> 2);
    EXPECT_NEAR(count, 8192 / 6, 200) << pair;
  }
}

TEST(Sparse, IndicesDifferBySecretSetRowAndByte) {
  auto const made = written(1, 2), other = written(2);
  auto const of_a_set = static_cast<std::ptrdiff_t>(other.bytes.size());
  std::vector const first(made.bytes.begin(), made.bytes.begin() + of_a_set);
  EXPECT_NE(first, std::vector(made.bytes.begin() + of_a_set, made.bytes.end()));
  EXPECT_NE(first, other.bytes);
  EXPECT_NE(std::vector(first.begin(), first.begin() + 8), std::vector(first.begin() + 8, first.begin() + 16));
}

TEST(Sparse, ChangedBytesAreCounted) {
  auto made = written(1, 3);
  auto const engine = make_host_sparse_engine();
  EXPECT_EQ(engine->count_changed(made.indices, {0, 3}, 1), 0U);
  made.bytes.front() ^= 1U;
  made.bytes.back() ^= 0x80U;
  EXPECT_EQ(engine->count_changed(made.indices, {0, 3}, 1), 2U);
  EXPECT_EQ(engine->count_changed(made.indices, {1, 2}, 1), 1U);
}

TEST(Sparse, KeptElementsGoWhereTheirIndicesSay) {
  std::array<float, 8> kept{1, 2, 3, 4, 5, 6, 7, 8};
  std::array<std::uint8_t, 2> indices{0xd4, 0x9e};  // 0 1, 1 3; 2 3, 1 2
  std::array<float, 16> dense{};
  verify::MatrixView const small{.data = kept.data(), .rows = 2, .columns = 4, .row_stride = 4, .column_stride = 1};
  verify::MatrixView const bytes{
      .data = indices.data(), .element = Element::u8, .rows = 2, .columns = 1, .row_stride = 1, .column_stride = 1};
  verify::MatrixView const whole{.data = dense.data(), .rows = 2, .columns = 8, .row_stride = 8, .column_stride = 1};
  make_host_sparse_engine()->expand(small, bytes, whole);
  EXPECT_EQ(dense, (std::array<float, 16>{1, 2, 0, 0, 0, 3, 0, 4, 0, 0, 5, 6, 0, 7, 8, 0}));
}

TEST(Sparse, SecretElementsAreThoseThatMemoryHolds) {
  auto const made = written(7);
  verify::MatrixView kept{.rows = 64, .columns = 32, .row_stride = 32, .column_stride = 1};
  std::vector<float> values(64 * 32), dense(64 * 64);
  kept.data = values.data();
  verify::make_host_engine()->renew(std::array{verify::SecretMatrices{.first = kept}}, {0, 1}, 7, {});
  verify::MatrixView const whole{.data = dense.data(), .rows = 64, .columns = 64, .row_stride = 64, .column_stride = 1};
  make_host_sparse_engine()->expand(kept, made.indices.first, whole);
  SecretFactor const factor{.elements = {.first = kept}, .indices = static_cast<int>(Input::a_indices)};
  auto const keys = keys_of(factor, 7, 0);
  for (std::int64_t row = 0; row < 64; ++row) {
    for (std::int64_t column = 0; column < 64; ++column) {
      ASSERT_EQ(element_at(factor, keys, row, column),
                static_cast<double>(dense[static_cast<std::size_t>(row * 64 + column)]));
    }
  }
}

}  // namespace
}  // namespace perfcheck::gemm
