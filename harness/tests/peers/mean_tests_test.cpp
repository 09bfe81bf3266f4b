// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// criterion.rs on data whose bootstrap has one outcome or few enough to count, and oneDNN at its two thresholds
// (p-values from scipy.stats.ttest_ind).
#include "ask.h"

namespace perfcheck::peers::testing {
namespace {

constexpr auto kCriterion = "criterion.rs";
constexpr auto kOnednn = "oneDNN CI";

class MeanTest : public ::testing::TestWithParam<Example> {};

TEST_P(MeanTest, DecidesAsTheToolDoes) {
  EXPECT_EQ(ask_times(GetParam().rule, GetParam().before, GetParam().now), GetParam().answer);
}

INSTANTIATE_TEST_SUITE_P(
    Criterion, MeanTest,
    ::testing::Values(
        // Without scatter, every resample has the same change.
        Example{"0.99 %", kCriterion, Values(10, 100.0), Values(10, 100.99), Answer::same},
        Example{"1.01 %", kCriterion, Values(10, 100.0), Values(10, 101.01), Answer::slower},
        Example{"-0.99 %", kCriterion, Values(10, 100.0), Values(10, 99.01), Answer::same},
        Example{"-1.01 %", kCriterion, Values(10, 100.0), Values(10, 98.99), Answer::faster},
        Example{"1.005 % the other way round is -0.995 %", kCriterion, Values(10, 101.005), Values(10, 100.0),
                Answer::same},
        // The smallest change of any resample is 103 / 101 - 1 = 1.98 %, but in 12 of 240 resamples t is as large as in
        // the data: p = 0.1.
        Example{"an interval beyond 1 % is not enough", kCriterion, {100, 101}, {103, 104}, Answer::same},
        // The interval is about 1.4 to 2.4 %, p = 0.00001.
        Example{"significant and beyond 1 %",
                kCriterion,
                {100.2, 99.8, 100.5, 100.1, 99.6, 100.9, 100.0, 99.9, 100.3, 100.4},
                {101.9, 102.3, 101.2, 102.8, 101.7, 102.0, 103.1, 101.5},
                Answer::slower},
        // The interval is about 0.8 to 1.8 %.
        Example{"significant and not all of the interval beyond 1 %",
                kCriterion,
                {100.2, 99.8, 100.5, 100.1, 99.6, 100.9, 100.0, 99.9, 100.3, 100.4},
                {101.3, 101.7, 100.6, 102.2, 101.1, 101.4, 102.5, 100.9},
                Answer::same},
        Example{"one round", kCriterion, {100}, {200, 201}, Answer::undecided}));

INSTANTIATE_TEST_SUITE_P(
    Onednn, MeanTest,
    ::testing::Values(
        Example{"10 %", kOnednn, Values(3, 100.0), Values(3, 110.0), Answer::slower},
        Example{"9.99 %", kOnednn, Values(3, 100.0), Values(3, 109.99), Answer::same},
        Example{"10 % less", kOnednn, Values(3, 110.0), Values(3, 100.0), Answer::faster},
        Example{"9.99 % less", kOnednn, Values(3, 109.99), Values(3, 100.0), Answer::same},
        Example{"18 % at p = 0.055", kOnednn, ladder(80, 10, 5), ladder(98, 10, 5), Answer::same},
        Example{"20 % at p = 0.040", kOnednn, ladder(80, 10, 5), ladder(100, 10, 5), Answer::slower},
        Example{"18 % less at p = 0.055", kOnednn, ladder(98, 10, 5), ladder(80, 10, 5), Answer::same},
        Example{"20 % less at p = 0.040", kOnednn, ladder(100, 10, 5), ladder(80, 10, 5), Answer::faster},
        Example{"the minimum alone, 10 %", kOnednn, {90, 100, 100, 100}, {99, 108, 108, 108}, Answer::slower},
        Example{"the minimum alone, 9.9 %", kOnednn, {90, 100, 100, 100}, {98.9, 108, 108, 108}, Answer::same},
        Example{"no scatter, no change", kOnednn, Values(3, 100.0), Values(3, 100.0), Answer::same},
        Example{"two rounds", kOnednn, {100, 101}, {200, 201, 202}, Answer::undecided}));

}  // namespace
}  // namespace perfcheck::peers::testing
