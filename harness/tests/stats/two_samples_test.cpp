// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected values were computed with scipy.stats 1.17: mannwhitneyu and ttest_ind with their defaults.
#include "perfcheck/stats/two_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <ostream>
#include <random>

namespace perfcheck::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Values = std::vector<double>;

Values const kSix = {3.1, 2.9, 3.4, 3.0, 9.0, 2.7};
Values const kFive = {3.2, 3.3, 3.5, 2.8, 4.1};
Values const kSixteen = {10, 12, 11, 13, 10, 9, 14, 12, 11, 10, 12, 13, 9, 11, 10, 15};
Values const kNineUp = {2.5, 4.5, 6.5, 8.5, 10.5, 11.5, 12.5, 13.5, 14.5};

/// first, first + step, ...
Values ladder(double first, double step, int count) {
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(first + step * i);
  return values;
}

Values plus(Values values, double shift) {
  for (double& value : values) value += shift;
  return values;
}

struct PRow {
  char const* what;
  Values first, second;
  double p;
};

void PrintTo(PRow const& row, std::ostream* out) { *out << row.what; }

class MannWhitneyP : public ::testing::TestWithParam<PRow> {};

TEST_P(MannWhitneyP, AgreesWithIndependentValues) {
  auto const p = mann_whitney_p(GetParam().first, GetParam().second);
  ASSERT_TRUE(p);
  EXPECT_NEAR(*p, GetParam().p, 1e-13);
}

TEST_P(MannWhitneyP, DoesNotCareWhichSampleIsFirst) {
  EXPECT_NEAR(*mann_whitney_p(GetParam().second, GetParam().first), GetParam().p, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(
    TwoSamples, MannWhitneyP,
    ::testing::Values(PRow{"exact", kSix, kFive, 0.5367965367965368},
                      PRow{"exact, apart", {1, 2, 3, 4}, {5, 6, 7, 8, 9}, 0.015873015873015872},
                      PRow{"exact, no chance to be small", {1, 2, 3}, {4, 5, 6}, 0.1},
                      PRow{"exact, one value", {1.5}, {2, 3}, 0.6666666666666666},
                      PRow{"exact, in the middle", {1, 4}, {2, 3}, 1},
                      PRow{"exact, interleaved", {1, 2, 3, 4}, {1.5, 2.5, 3.5, 0.5}, 0.6857142857142857},
                      PRow{"exact, 8 and 9", ladder(1, 1, 8), kNineUp, 0.02064993829699712},
                      PRow{"exact, 8 and 30", ladder(1.1, 1.1, 8), ladder(0.05, 0.5, 30), 0.19528499110043104},
                      PRow{"normal, 9 and 9", ladder(1, 1, 9), kNineUp, 0.034069195144143936},
                      PRow{"normal, 20 and 20", ladder(100, 0.1, 20), ladder(100.55, 0.1, 20), 0.010581211443165648},
                      PRow{"ties, few values", {10, 12, 11, 13, 10, 9}, {12, 13, 14, 12, 15, 11}, 0.06226112073422297},
                      PRow{"ties, 16 and 16", kSixteen, plus(kSixteen, 1), 0.12159384057980464},
                      PRow{"all equal, many", Values(9, 5.0), Values(9, 5.0), 1},
                      PRow{"all equal, few", Values(3, 5.0), Values(4, 5.0), 1}));

TEST(MannWhitneyU, CountsPairsAndTies) {
  auto const u = mann_whitney_u(Values{1, 2, 2, 5}, Values{2, 5, 0});
  ASSERT_TRUE(u);
  EXPECT_EQ(u->wins, 5);  // 1, 2 and 2 beat 0; 5 beats 2 and 0
  EXPECT_EQ(u->ties, 3);
  EXPECT_EQ(u->tie_term, (27 - 3) + (8 - 2));  // three 2s, two 5s
}

TEST(MannWhitneyU, RefusesWhatItCannotOrder) {
  EXPECT_FALSE(mann_whitney_u(Values{}, kSix));
  EXPECT_FALSE(mann_whitney_u(kSix, Values{}));
  EXPECT_FALSE(mann_whitney_p(kSix, Values{1, kNan}));
  EXPECT_FALSE(mann_whitney_p(Values{kNan, 1}, kSix));
  EXPECT_FALSE(mann_whitney_p(Values{}, Values{}));
}

TEST(MannWhitneyDistribution, OfThreeAndTwoIsThatOfAllTenOrders) {
  Values const expected = {0.1, 0.1, 0.2, 0.2, 0.2, 0.1, 0.1};
  Values const probability = mann_whitney_distribution(3, 2);
  ASSERT_EQ(probability.size(), expected.size());
  for (std::size_t u = 0; u < expected.size(); ++u) EXPECT_NEAR(probability[u], expected[u], 1e-15) << u;
}

TEST(MannWhitneyDistribution, KeepsItsSmallTails) {
  Values const probability = mann_whitney_distribution(8, 30);
  ASSERT_EQ(probability.size(), 241U);
  EXPECT_NEAR(std::accumulate(probability.begin(), probability.end(), 0.0), 1, 1e-13);
  EXPECT_NEAR(probability.back() / 2.0448437506262334e-08, 1, 1e-12);
  EXPECT_NEAR(std::accumulate(probability.begin() + 200, probability.end(), 0.0), 0.0014881554879557478, 1e-15);
  for (std::size_t u = 0; u < probability.size(); ++u) EXPECT_NEAR(probability[u] / probability[240 - u], 1, 1e-12);
}

TEST(MannWhitneyDistribution, OfNothingIsEmpty) {
  EXPECT_TRUE(mann_whitney_distribution(0, 3).empty());
  EXPECT_TRUE(mann_whitney_distribution(3, -1).empty());
}

TEST(MannWhitneyP, IsBelowAlphaAsOftenAsAlphaSaysAtMost) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0, 1);
  int exact = 0, normal = 0;
  for (int i = 0; i < 4000; ++i) {
    Values first(12), second(12);
    for (double& value : first) value = noise(random);
    for (double& value : second) value = noise(random);
    normal += *mann_whitney_p(first, second) < 0.05 ? 1 : 0;
    first.resize(7);
    exact += *mann_whitney_p(first, second) < 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(normal / 4000.0, 0.045, 0.012);
  EXPECT_NEAR(exact / 4000.0, 0.045, 0.012);
}

TEST(PooledT, AgreesWithIndependentValues) {
  auto const few = pooled_t(kSix, kFive);
  ASSERT_TRUE(few);
  EXPECT_NEAR(few->t, 0.5667384101133988, 1e-12);
  EXPECT_EQ(few->df, 9);
  Values const nine(kSixteen.begin(), kSixteen.begin() + 9);
  auto const unequal = pooled_t(kSixteen, plus(nine, 1));
  ASSERT_TRUE(unequal);
  EXPECT_NEAR(unequal->t, -1.3603287457735902, 1e-12);
  EXPECT_EQ(unequal->df, 23);
}

TEST(PooledT, WithoutScatterIsInfiniteOrSaysNothing) {
  EXPECT_EQ(pooled_t(Values{2, 2}, Values{1, 1})->t, kInfinity);
  EXPECT_EQ(pooled_t(Values{1, 1}, Values{2, 2, 2})->t, -kInfinity);
  EXPECT_FALSE(pooled_t(Values{1, 1}, Values{1, 1}));
}

TEST(PooledT, RefusesWhatHasNoSpread) {
  EXPECT_FALSE(pooled_t(Values{1}, kSix));
  EXPECT_FALSE(pooled_t(kSix, Values{}));
  EXPECT_FALSE(pooled_t(kSix, Values{1, kNan}));
  EXPECT_FALSE(pooled_t(kSix, Values{1, kInfinity}));
}

}  // namespace
}  // namespace perfcheck::stats
