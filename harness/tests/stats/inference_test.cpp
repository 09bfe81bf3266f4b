// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected values were computed with SciPy, those of the variance prior by solving Smyth's moment equations with
// scipy.optimize.brentq.
#include "perfcheck/stats/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace perfcheck::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(StudentT, AgreesWithIndependentValues) {
  EXPECT_DOUBLE_EQ(student_t_cdf(0, 3), 0.5);
  EXPECT_NEAR(student_t_cdf(1.5, 4), 0.896, 1e-12);
  EXPECT_NEAR(student_t_cdf(-2.25, 7.5), 0.028361054960450886, 1e-12);
  EXPECT_NEAR(student_t_cdf(3.2, 1), 0.9035887520207704, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.95, 3), 2.3533634348018233, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 7.5), 2.333039626864974, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.8, 12), 0.8726092915881383, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.999, 2), 22.327124770119866, 1e-10);
}

TEST(StudentT, WithEndlessDegreesOfFreedomIsNormal) {
  EXPECT_NEAR(student_t_quantile(0.95, kInfinity), 1.6448536269514722, 1e-12);
  EXPECT_NEAR(student_t_cdf(1.6448536269514722, kInfinity), 0.95, 1e-12);
}

TEST(StudentT, BadArgumentsGiveNan) {
  EXPECT_TRUE(std::isnan(student_t_cdf(kNan, 3)));
  EXPECT_TRUE(std::isnan(student_t_cdf(1, 0)));
  EXPECT_TRUE(std::isnan(student_t_cdf(1, kNan)));
  EXPECT_TRUE(std::isnan(student_t_quantile(0, 3)));
  EXPECT_TRUE(std::isnan(student_t_quantile(1, 3)));
  EXPECT_TRUE(std::isnan(student_t_quantile(0.5, -1)));
  EXPECT_EQ(student_t_cdf(kInfinity, 3), 1);
  EXPECT_EQ(student_t_cdf(-kInfinity, 3), 0);
}

TEST(VariancePrior, AgreesWithIndependentValues) {
  auto const equal_dfs = fit_variance_prior(std::vector{1.0, 2.0, 0.5, 4.0, 8.0, 0.25}, std::vector(6, 4.0));
  ASSERT_TRUE(equal_dfs);
  EXPECT_NEAR(equal_dfs->df, 2.7773993113413145, 1e-8);
  EXPECT_NEAR(equal_dfs->variance, 1.2405236675256095, 1e-8);

  auto const mixed_dfs = fit_variance_prior(std::vector{1.0, 30.0, 0.05, 4.0, 80.0, 0.025, 2.0},
                                            std::vector{7.0, 5.0, 9.0, 3.0, 4.0, 11.0, 6.0});
  ASSERT_TRUE(mixed_dfs);
  EXPECT_NEAR(mixed_dfs->df, 0.7100550954927562, 1e-8);
  EXPECT_NEAR(mixed_dfs->variance, 0.2900994077185611, 1e-8);
  EXPECT_NEAR(moderated_variance(*mixed_dfs, 30, 5), 26.30552316057605, 1e-6);
}

TEST(VariancePrior, EqualVariancesGiveACommonVariance) {
  auto const prior = fit_variance_prior(std::vector{1.0, 1.1, 0.9, 1.05}, std::vector(4, 4.0));
  ASSERT_TRUE(prior);
  EXPECT_TRUE(std::isinf(prior->df));
  EXPECT_NEAR(prior->variance, 1.3231930628155808, 1e-8);
  EXPECT_DOUBLE_EQ(moderated_variance(*prior, 1e9, 4), prior->variance);
}

TEST(VariancePrior, SurvivesAVarianceOfZero) {
  auto const prior = fit_variance_prior(std::vector{0.0, 1.0, 2.0, 100.0}, std::vector(4, 4.0));
  ASSERT_TRUE(prior);
  EXPECT_NEAR(prior->df, 0.3030497160133084, 1e-8);
  EXPECT_NEAR(prior->variance, 0.001936696993013454, 1e-8);
}

TEST(VariancePrior, RefusesWhatItCannotFit) {
  std::vector<double> const dfs(3, 4.0);
  EXPECT_FALSE(fit_variance_prior(std::vector{1.0, 2.0}, std::vector{4.0, 4.0}));
  EXPECT_FALSE(fit_variance_prior(std::vector{1.0, 2.0, 3.0}, std::vector{4.0, 4.0}));
  EXPECT_FALSE(fit_variance_prior(std::vector{1.0, kNan, 3.0}, dfs));
  EXPECT_FALSE(fit_variance_prior(std::vector{1.0, -1.0, 3.0}, dfs));
  EXPECT_FALSE(fit_variance_prior(std::vector{0.0, 0.0, 0.0}, dfs));
  EXPECT_FALSE(fit_variance_prior(std::vector{1.0, 2.0, 3.0}, std::vector{4.0, 0.0, 4.0}));
}

TEST(VariancePrior, FindsThePriorThatMadeTheData) {
  // s^2 ~ s0^2 * F(d, d0): draws variances with a known prior and fits them.
  std::mt19937_64 random(11);
  std::chi_squared_distribution<double> of_case(6), of_session(4);
  std::vector<double> variances;
  for (int i = 0; i < 4000; ++i) variances.push_back(2.5 * (6 / of_case(random)) * (of_session(random) / 4));
  auto const prior = fit_variance_prior(variances, std::vector<double>(variances.size(), 4.0));
  ASSERT_TRUE(prior);
  EXPECT_NEAR(prior->df, 6, 1.0);
  EXPECT_NEAR(prior->variance, 2.5, 0.2);
}

TEST(Holm, RejectsInOrderUntilTheFirstThatFails) {
  // Levels for four at 0.05: 0.0125, 0.01667, 0.025, 0.05. The third fails, so the fourth is not tested.
  EXPECT_EQ(holm(std::vector{0.03, 0.001, 0.016, 0.04}, 0.05), (std::vector{false, true, true, false}));
  EXPECT_EQ(holm(std::vector{0.0126, 0.2}, 0.05), (std::vector{true, false}));
  EXPECT_EQ(holm(std::vector{0.05}, 0.05), (std::vector{true}));
  EXPECT_TRUE(holm(std::vector<double>{}, 0.05).empty());
}

TEST(Holm, NanIsNeverRejectedAndStillCounts) {
  EXPECT_EQ(holm(std::vector{kNan, 0.02}, 0.05), (std::vector{false, true}));
  EXPECT_EQ(holm(std::vector{kNan, 0.03}, 0.05), (std::vector{false, false}));
  EXPECT_EQ(holm(std::vector{kNan}, 1.0), (std::vector{false}));
}

TEST(Holm, KeepsTheFamilyWiseErrorRate) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> p(0, 1);
  int families_with_error = 0;
  for (int family = 0; family < 4000; ++family) {
    std::vector<double> values(20);
    for (double& value : values) value = p(random);
    auto const rejected = holm(values, 0.05);
    families_with_error += std::count(rejected.begin(), rejected.end(), true) > 0 ? 1 : 0;
  }
  EXPECT_NEAR(families_with_error / 4000.0, 0.05, 0.012);
}

TEST(WeightedHolm, IsHolmsProcedureWhereAllWeightsAreEqual) {
  std::vector<double> const p{0.03, 0.001, 0.016, 0.04, kNan};
  EXPECT_EQ(holm(p, std::vector<double>(5, 0.25), 0.05), holm(p, 0.05));
}

TEST(WeightedHolm, AsksMoreOfALighterOneAndLessOfTheOthers) {
  // Sum of weights 1.25: levels 0.04 and 0.01.
  std::vector<double> const weights{1, 0.25};
  EXPECT_EQ(holm(std::vector{0.039, 0.5}, weights, 0.05), (std::vector{true, false}));
  EXPECT_EQ(holm(std::vector{0.041, 0.011}, weights, 0.05), (std::vector{false, false}));
  EXPECT_EQ(holm(std::vector{0.041, 0.0099}, weights, 0.05), (std::vector{true, true}))
      << "after the first rejection, the other hypothesis must get all of alpha";
}

TEST(WeightedHolm, KeepsTheFamilyWiseErrorRate) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> p(0, 1);
  std::vector<double> weights(20, 1.0);
  std::fill_n(weights.begin(), 15, 0.25);
  int families_with_error = 0;
  for (int family = 0; family < 4000; ++family) {
    std::vector<double> values(20);
    for (double& value : values) value = p(random);
    auto const rejected = holm(values, weights, 0.05);
    families_with_error += std::count(rejected.begin(), rejected.end(), true) > 0 ? 1 : 0;
  }
  EXPECT_NEAR(families_with_error / 4000.0, 0.05, 0.012);
}

TEST(BinomialUpperTail, CountsWhatIsAtLeastAsMany) {
  EXPECT_DOUBLE_EQ(binomial_upper_tail(6, 6, 0.5), 1.0 / 64);
  EXPECT_DOUBLE_EQ(binomial_upper_tail(5, 6, 0.5), 7.0 / 64);
  EXPECT_EQ(binomial_upper_tail(0, 6, 0.1), 1);
  EXPECT_EQ(binomial_upper_tail(1, 6, 0), 0);
  EXPECT_EQ(binomial_upper_tail(7, 6, 0.5), 0);
  EXPECT_EQ(binomial_upper_tail(3, 6, kNan), 1) << "NaN is no evidence";
}

}  // namespace
}  // namespace perfcheck::stats
