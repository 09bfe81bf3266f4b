// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected values were computed with NumPy.
#include "perfcheck/stats/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <tuple>

namespace perfcheck::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
std::vector<double> const kSix = {3.1, 2.9, 3.4, 3.0, 9.0, 2.7};
std::vector<double> const kSixteen = {10, 12, 11, 13, 10, 9, 14, 12, 11, 10, 12, 13, 9, 11, 10, 15};

TEST(Median, IsTheMiddleValueOrTheMeanOfTheTwoMiddleValues) {
  EXPECT_DOUBLE_EQ(*median(kSix), 3.05);
  EXPECT_DOUBLE_EQ(*median(std::vector{5.0, 1.0, 3.0}), 3.0);
  EXPECT_DOUBLE_EQ(*median(std::vector{7.0}), 7.0);
}

TEST(Median, OfHugeValuesDoesNotOverflow) {
  double const huge = std::numeric_limits<double>::max();
  EXPECT_DOUBLE_EQ(*median(std::vector{huge, huge}), huge);
}

TEST(Quantile, AgreesWithIndependentValues) {
  for (auto const& [p, six, sixteen] :
       {std::tuple(0.0, 2.7, 9.0), std::tuple(0.025, 2.725, 9.0), std::tuple(0.25, 2.925, 10.0),
        std::tuple(0.5, 3.05, 11.0), std::tuple(0.75, 3.325, 12.25), std::tuple(0.9, 6.2, 13.5),
        std::tuple(1.0, 9.0, 15.0)}) {
    EXPECT_NEAR(*quantile(kSix, p), six, 1e-12) << p;
    EXPECT_NEAR(*quantile(kSixteen, p), sixteen, 1e-12) << p;
  }
  EXPECT_DOUBLE_EQ(*quantile(std::vector{7.0}, 0.3), 7.0);
}

TEST(Quantile, BetweenEqualInfinitiesIsInfinite) {
  double const infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(*quantile(std::vector{1.0, infinity, infinity}, 0.75), infinity);
}

TEST(Quantile, OfNothingOfNanAndAtNoShareIsNothing) {
  EXPECT_FALSE(quantile(std::vector<double>{}, 0.5));
  EXPECT_FALSE(quantile(std::vector{1.0, kNan}, 0.5));
  for (double const p : {-0.1, 1.1, kNan}) EXPECT_FALSE(quantile(kSix, p)) << p;
}

TEST(Descriptive, NothingAndNanGiveNothing) {
  for (auto const& bad : {std::vector<double>{}, std::vector{1.0, kNan, 2.0}}) {
    EXPECT_FALSE(median(bad));
    EXPECT_FALSE(mean(bad));
    EXPECT_FALSE(robust_sd(bad));
    EXPECT_FALSE(sample_sd(bad));
  }
  EXPECT_FALSE(sample_sd(std::vector{1.0}));
}

TEST(Descriptive, AgreesWithIndependentValues) {
  EXPECT_NEAR(*robust_sd(kSix), 0.37065, 1e-12);
  EXPECT_NEAR(*sample_sd(kSix), 2.4522778526640625, 1e-12);
  EXPECT_NEAR(*mean(kSix), 4.016666666666667, 1e-12);
}

TEST(Descriptive, SpreadOfValuesFarFromZeroKeepsItsDigits) {
  EXPECT_NEAR(*sample_sd(std::vector{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}), std::sqrt(30.0), 1e-9);
}

TEST(StandardErrorOfMedian, AgreesWithIndependentValues) {
  EXPECT_NEAR(*standard_error_of_median(kSixteen, 4), 0.23935677693908453, 1e-12);
  EXPECT_NEAR(*standard_error_of_median(kSixteen, 8), 0.46049274850812955, 1e-12);
}

TEST(StandardErrorOfMedian, NeedsTwoValuesPerBatch) {
  EXPECT_FALSE(standard_error_of_median(std::span(kSixteen).first(15), 8));
  EXPECT_FALSE(standard_error_of_median(kSixteen, 1));
  EXPECT_TRUE(standard_error_of_median(kSixteen, 8));
}

TEST(StandardErrorOfMedian, SeesDriftThatIndependentRoundsWouldHide) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> independent, drifting;
  double level = 0;
  for (int i = 0; i < 400; ++i) {
    independent.push_back(noise(random));
    level = 0.98 * level + 0.2 * noise(random);  // the same variance, but neighbours are correlated
    drifting.push_back(level);
  }
  EXPECT_GT(*standard_error_of_median(drifting), 2 * *standard_error_of_median(independent));
}

TEST(CutMean, IsTheMeanWhereNothingIsFarOff) {
  EXPECT_DOUBLE_EQ(cut_mean(std::vector{1.0, 2.0, 6.0}, 10).value(), 3.0);
}

TEST(CutMean, LetsOneValueMoveItByItsReachAtMost) {
  EXPECT_DOUBLE_EQ(cut_mean(std::vector{1.0, 1.0, 1.0, 1e9}, 0.4).value(), 1.1);
  EXPECT_DOUBLE_EQ(cut_mean(std::vector{-1e9, 1.0, 1.0, 1.0}, 0.4).value(), 0.9);
  EXPECT_FALSE(cut_mean({}, 1));
  EXPECT_FALSE(cut_mean(std::vector{1.0, std::nan("")}, 1));
}

}  // namespace
}  // namespace perfcheck::stats
