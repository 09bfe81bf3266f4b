// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// p-values in the comments: for google/benchmark from scipy.stats.mannwhitneyu, for asv counted in Python from its
// definition.
#include "ask.h"

namespace perfcheck::peers::testing {
namespace {

constexpr auto kGoogle = "google/benchmark";
constexpr auto kAsv = "asv";

/// 21 values to compare with 100 ... 100.2: 16 are far above it, four below it, and one is `fifth`.
Values mostly_above(double fifth) {
  Values values = {90, 90, 90, 90, fifth};
  for (double const value : ladder(150, 0.01, 16)) values.push_back(value);
  return values;
}

class RankTest : public ::testing::TestWithParam<Example> {};

TEST_P(RankTest, DecidesAsTheToolDoes) {
  Example const& example = GetParam();
  EXPECT_EQ(ask_times(example.rule, example.before, example.now), example.answer);
}

INSTANTIATE_TEST_SUITE_P(
    Google, RankTest,
    ::testing::Values(
        Example{"p = 0.083", kGoogle, ladder(1, 1, 8), ladder(3.25, 1, 8), Answer::same},
        Example{"p = 0.021", kGoogle, ladder(1, 1, 8), ladder(4.25, 1, 8), Answer::slower},
        Example{"p = 0.021", kGoogle, ladder(4.25, 1, 8), ladder(1, 1, 8), Answer::faster},
        Example{"three against three cannot be significant", kGoogle, {1, 2, 3}, {14, 15, 16}, Answer::same},
        Example{"four against four can", kGoogle, {1, 2, 3, 4}, {14, 15, 16, 17}, Answer::slower},
        Example{"no smallest change matters", kGoogle, ladder(100, 1e-6, 9), ladder(100.1, 1e-6, 9), Answer::slower},
        Example{"one round", kGoogle, {1}, {2, 2.1, 2.2}, Answer::undecided},
        Example{"another distribution around the same median, p = 0.034",
                kGoogle,
                {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10},
                {9, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11},
                Answer::undecided}));

INSTANTIATE_TEST_SUITE_P(
    Asv, RankTest,
    ::testing::Values(
        Example{"factor 1.0999", kAsv, Values(7, 100.0), Values(7, 109.99), Answer::same},
        Example{"factor 1.1001", kAsv, Values(7, 100.0), Values(7, 110.01), Answer::slower},
        Example{"factor 1 / 1.0999", kAsv, Values(7, 109.99), Values(7, 100.0), Answer::same},
        Example{"factor 1 / 1.1001", kAsv, Values(7, 110.01), Values(7, 100.0), Answer::faster},
        Example{"five rounds leave the test no chance", kAsv, Values(5, 100.0), Values(5, 200.0), Answer::undecided},
        Example{"six rounds give p = 0.00216 at least", kAsv, Values(6, 100.0), Values(6, 200.0), Answer::same},
        // U: pairs in which the old value is the larger one.
        Example{"U = 10 of 10 and 10, p = 0.0015",
                kAsv,
                ladder(100, 1, 10),
                {99, 130, 131, 132, 133, 134, 135, 136, 137, 138},
                Answer::slower},
        Example{"U = 11 of 10 and 10, p = 0.0021",
                kAsv,
                ladder(100, 1, 10),
                {99, 108.5, 131, 132, 133, 134, 135, 136, 137, 138},
                Answer::same},
        // A tie may go either way, and asv takes the less significant one: U = 10 becomes 11.
        Example{"U = 10 or 11, p = 0.0021",
                kAsv,
                ladder(100, 1, 10),
                {99, 109, 131, 132, 133, 134, 135, 136, 137, 138},
                Answer::same},
        // Above 20 rounds: the normal approximation, without continuity correction. With it, U = 98 would give 0.0021
        // and U = 97 0.00197.
        Example{"U = 97 of 21 and 21, p = 0.00189", kAsv, ladder(100, 0.01, 21), mostly_above(100.075), Answer::slower},
        Example{"U = 98 of 21 and 21, p = 0.00206", kAsv, ladder(100, 0.01, 21), mostly_above(100.065), Answer::same}));

}  // namespace
}  // namespace perfcheck::peers::testing
