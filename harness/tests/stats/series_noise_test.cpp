// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected values of the small series were computed by hand and with NumPy.
#include "perfcheck/stats/series_noise.h"

#include "made_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfcheck::stats {
namespace {

TEST(SeriesNoise, NeighboursThatAgreeWeighLess) {
  EXPECT_DOUBLE_EQ((SeriesNoise{.sd = 2, .correlation = 0}).long_run_sd(), 2);
  EXPECT_NEAR((SeriesNoise{.sd = 2, .correlation = 0.5}).long_run_sd(), 2 * std::sqrt(3.0), 1e-12);
}

TEST(WithoutSpikes, OneAndTwoAreTakenOutWhereverTheyStand) {
  std::vector<std::vector<std::size_t>> const places = {{0},      {0, 1},   {1},  {10},    {10, 11},
                                                        {10, 12}, {28, 29}, {29}, {27, 29}};
  for (auto const& spikes : places) {
    std::vector<double> values;
    for (int i = 0; i < 30; ++i) values.push_back(i % 2 == 0 ? 0.5 : -0.5);  // differences of 1
    for (std::size_t const i : spikes) values[i] = 100;
    std::vector<double> const smooth = without_spikes(values, 0, 3);
    EXPECT_EQ(*std::max_element(smooth.begin(), smooth.end()), 0.5) << spikes[0];
  }
}

TEST(WithoutSpikes, ALevelOfThreeRunsStays) {
  for (std::size_t const begin : {0, 1, 2, 3, 10, 26, 27}) {
    std::vector<double> values(30, 0.0);
    for (std::size_t i = 0; i < 30; i += 2) values[i] = 0.1;
    for (std::size_t i = begin; i < begin + 3; ++i) values[i] += 100;
    // If only one or two runs remain at an end, they count as the spike instead.
    std::size_t const first_kept = begin < 3 ? begin : 0;
    std::size_t const last_kept = begin > 24 ? begin + 2 : 29;
    std::vector<double> const smooth = without_spikes(values, 0, 3);
    for (std::size_t i = first_kept; i <= last_kept; ++i) EXPECT_EQ(smooth[i], values[i]) << begin << ' ' << i;
  }
}

TEST(WithoutSpikes, WhatIsLargeButNoSpikeIsCut) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(i % 2 == 0 ? 0.5 : -0.5);
  double const sd = 1.4826 / std::sqrt(2.0);
  values[10] = 0.5 + 4.5 * sd;  // the median around it is 0.5
  values[20] = 0.5 + 2.9 * sd;
  std::vector<double> const smooth = without_spikes(values, 0, 3);
  EXPECT_NEAR(smooth[10], 0.5 + 3 * sd, 1e-12);
  EXPECT_EQ(smooth[20], values[20]);
}

TEST(NoiseAround, AgreesWithIndependentValues) {
  // Residuals around 2 and 12: -1 0 1 | -2 0 2 0. Squares 10, products of neighbours 0.
  std::vector<double> const values = {1, 2, 3, 10, 12, 14, 12};
  SeriesNoise const known = noise_around(values, {3}, 0, 0.0);
  EXPECT_NEAR(known.sd, std::sqrt(10.0 / 5), 1e-12);
  EXPECT_EQ(known.correlation, 0);
  EXPECT_NEAR(known.df, 5, 1e-12);
  SeriesNoise const half = noise_around(values, {3}, 0, 0.5);
  // Expected sums of squares of 3 and 4 runs: traces of the centred covariance matrices, computed with NumPy.
  double const left = 1.1666666666666665 + 1.9375;
  EXPECT_NEAR(half.sd, std::sqrt(10.0 / left), 1e-12);
  EXPECT_NEAR(half.df, left * 0.75 / 1.25, 1e-12);
}

TEST(NoiseAround, TheCorrelationIsTheOneThatWouldGiveWhatWasMeasured) {
  // Root of the expected ratio, from the centred covariance matrices, with scipy.optimize.brentq.
  std::vector<double> const values = {1, 2, 3, 1, 1, 0, 10, 11, 12, 10, 11, 12, 9, 10};
  SeriesNoise const estimate = noise_around(values, {6}, 0, std::nullopt);
  EXPECT_NEAR(estimate.correlation, 0.13094032563361968, 1e-4);
  EXPECT_NEAR(estimate.sd, 1.0717765214046697, 1e-4);
  EXPECT_NEAR(estimate.df, 3.19164331683825, 2e-3);
}

TEST(NoiseAround, EstimatesWithoutBiasInShortSegments) {
  // Twelve segments of ten runs: without correction, the estimate would be 0.28 for 0.5 and 0.41 for 0.7.
  for (double const rho : {0.2, 0.5, 0.7}) {
    Random random(5);
    Changes changes;
    for (std::size_t i = 10; i < 120; i += 10) changes.push_back(i);
    double correlation = 0, variance = 0;
    for (int round = 0; round < 1000; ++round) {
      SeriesNoise const estimate = noise_around(noise(120, random, rho), changes, 0, std::nullopt);
      correlation += estimate.correlation / 1000;
      variance += estimate.sd * estimate.sd / 1000;
    }
    EXPECT_NEAR(correlation, rho, 0.07) << rho;
    EXPECT_NEAR(variance, 1, 0.25) << rho;
  }
}

TEST(NoiseAround, ItsDegreesOfFreedomAreThoseOfTheLongRunVariance) {
  // 2 * mean^2 / variance over many series, the definition of degrees of freedom.
  for (double const rho : {0.3, 0.5}) {
    Random random(6);
    double sum = 0, squares = 0, df = 0;
    constexpr int kRounds = 3000;
    for (int round = 0; round < kRounds; ++round) {
      SeriesNoise const estimate = noise_around(noise(400, random, rho), {}, 0, std::nullopt);
      double const variance = estimate.long_run_sd() * estimate.long_run_sd();
      sum += variance;
      squares += variance * variance;
      df += estimate.df / kRounds;
    }
    double const mean = sum / kRounds;
    double const measured = 2 * mean * mean / (squares / kRounds - mean * mean);
    EXPECT_NEAR(measured / df, 1, 0.2) << rho;
  }
}

TEST(NoiseFromDifferences, SeesThroughLevels) {
  Random random(7);
  std::vector<double> values = noise(400, random, 0.4);
  for (std::size_t i = 20; i < 400; i += 20) add_step(values, i, i % 40 == 0 ? 30 : -30);
  SeriesNoise const estimate = noise_from_differences(values, 0, std::nullopt);
  EXPECT_NEAR(estimate.sd, 1.2, 0.3);
  EXPECT_NEAR(estimate.correlation, 0.4, 0.3);
}

TEST(NoiseOf, IsThatOfTheRunsNotOfTheLevels) {
  Random random(8);
  std::vector<double> values = noise(300, random);
  for (std::size_t i = 30; i < 300; i += 30) add_step(values, i, i % 60 == 0 ? 12 : -12);
  std::optional<SeriesNoise> const estimate = noise_of(values, 3, 0, std::nullopt);
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->sd, 1, 0.1);
  EXPECT_LT(estimate->correlation, 0.2);
}

TEST(NoiseOf, KeepsToTheFloorAndRefusesBadInput) {
  EXPECT_EQ(noise_of(std::vector<double>(20, 1.0), 3, 0.25, std::nullopt)->sd, 0.25);
  EXPECT_FALSE(noise_of(std::vector<double>(5, 1.0), 3, 0.25, std::nullopt));
  EXPECT_FALSE(noise_of({}, 0, 0.25, std::nullopt));
  std::vector<double> broken(20, 1.0);
  broken[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(noise_of(broken, 3, 0.25, std::nullopt));
}

}  // namespace
}  // namespace perfcheck::stats
