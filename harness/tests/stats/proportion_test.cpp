// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected values were computed with scipy.stats.binomtest(k, n).proportion_ci(confidence, method="exact"), the upper
// limits with alternative="less".
#include "perfcheck/stats/proportion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

namespace perfcheck::stats {
namespace {

struct Row {
  int events, trials;
  double confidence, low, high, upper_limit;
};

void PrintTo(Row const& row, std::ostream* out) { *out << row.events << " of " << row.trials; }

class Rate : public ::testing::TestWithParam<Row> {};

TEST_P(Rate, AgreesWithIndependentValues) {
  Row const& row = GetParam();
  auto const interval = proportion_interval(row.events, row.trials, row.confidence);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, row.low, 1e-12);
  EXPECT_NEAR(interval->high, row.high, 1e-12);
  EXPECT_NEAR(*proportion_upper_limit(row.events, row.trials, row.confidence), row.upper_limit, 1e-12);
}

TEST_P(Rate, OfTheOppositeIsTheOpposite) {
  Row const& row = GetParam();
  auto const interval = proportion_interval(row.trials - row.events, row.trials, row.confidence);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 1 - row.high, 1e-12);
  EXPECT_NEAR(interval->high, 1 - row.low, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Proportion, Rate,
    ::testing::Values(Row{0, 20, 0.95, 0.0, 0.16843347098308548, 0.1391083406683753},
                      Row{0, 60, 0.95, 0.0, 0.05962949228633472, 0.04870291330998524},
                      Row{3, 20, 0.95, 0.03207093718554477, 0.37892682654529564, 0.3436638043147043},
                      Row{20, 20, 0.95, 0.8315665290169145, 1.0, 1.0},
                      Row{1, 1000, 0.99, 5.0125292607668415e-06, 0.007406286938353162, 0.006619668395648627},
                      Row{7, 145, 0.9, 0.02287360427925487, 0.08876050778968927, 0.07984381522368578},
                      Row{0, 1, 0.95, 0.0, 0.975, 0.95}, Row{1, 1, 0.5, 0.25, 1.0, 1.0},
                      Row{10, 10000, 0.95, 0.00047963972376422837, 0.0018382641342490629, 0.0016956314536454222}));

TEST(Proportion, WithoutEventsFollowsTheRuleOfThree) {
  EXPECT_NEAR(*proportion_upper_limit(0, 3000, 0.95), 0.001, 0.00001);
}

TEST(Proportion, CoversTheRateAtLeastAsOftenAsItSays) {
  // The exact coverage: the binomial probability of all counts whose interval contains the rate.
  int const trials = 30;
  for (double rate = 0.01; rate < 1; rate += 0.01) {
    double covered = 0;
    for (int k = 0; k <= trials; ++k) {
      auto const interval = proportion_interval(k, trials, 0.9);
      if (!(interval->low <= rate && rate <= interval->high)) continue;
      covered += std::exp(std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) +
                          k * std::log(rate) + (trials - k) * std::log1p(-rate));
    }
    EXPECT_GE(covered, 0.9) << rate;
  }
}

TEST(Proportion, RefusesWhatIsNoCount) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(proportion_interval(0, 0, 0.95));
  EXPECT_FALSE(proportion_interval(-1, 5, 0.95));
  EXPECT_FALSE(proportion_interval(6, 5, 0.95));
  for (double const confidence : {0.0, 1.0, -0.5, nan}) {
    EXPECT_FALSE(proportion_interval(1, 5, confidence));
    EXPECT_FALSE(proportion_upper_limit(0, 5, confidence));
  }
  EXPECT_FALSE(proportion_upper_limit(0, 0, 0.95));
}

}  // namespace
}  // namespace perfcheck::stats
