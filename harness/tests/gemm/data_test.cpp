// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "dot_products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace perfcheck::gemm {
namespace {

constexpr GemmTypes kTypes[] = {GemmTypes::f32, GemmTypes::tf32, GemmTypes::f16, GemmTypes::bf16};
constexpr Data kData[] = {Data::exact,     Data::long_sums, Data::signed_values, Data::positive,  Data::one_hot_a,
                          Data::one_hot_b, Data::rank_one,  Data::wide_lines,    Data::wide_whole};

TEST(Data, ExactDataIsExactInEveryType) {
  for (GemmTypes types : kTypes) {
    for (int k : {1, 2, 3, 17, 100, 1024, 4096, 16384, 100000}) {
      auto const problem = problem_of(types, 40, 40, k);
      for (Data data : kData) {
        if (!is_exact(data, problem) || !has_data(data, problem)) continue;
        double largest = 0;
        for (int i = 0; i < 8; ++i) {
          auto const t = terms(problem, data, 99, i, 39 - i);
          double absolute = 0;
          for (std::size_t j = 0; j < t.a.size(); ++j) {
            absolute += std::fabs(t.a[j] * t.b[j]);
            ASSERT_EQ(t.a[j], std::rint(t.a[j]));
            // Integers of at most 8 bits are exact in every type, including TF32 and BF16.
            ASSERT_EQ(t.a[j], verify::round_to(verify::Element::bf16, t.a[j]));
            ASSERT_EQ(t.b[j], verify::round_to(verify::Element::bf16, t.b[j]));
          }
          ASSERT_LT(absolute, 16777216) << k << " " << static_cast<int>(data);
          largest = std::max(largest, std::fabs(dot(t)));
        }
        if (format_of(types.d).bits == 16 && (data == Data::exact || data == Data::long_sums)) {
          EXPECT_LE(largest, 256) << "BF16 outputs would be rounded at k = " << k;
        }
      }
    }
  }
}

TEST(Data, ExactDataIsNotAllZeros) {
  for (GemmTypes types : kTypes) {
    for (int k : {1, 100, 16384}) {
      int zeros = 0;
      for (int i = 0; i < 30; ++i)
        zeros += dot(terms(problem_of(types, 40, 40, k), Data::exact, 99, i, i)) == 0 ? 1 : 0;
      EXPECT_LT(zeros, 15) << k;
    }
  }
}

TEST(Data, LongSumsAreSpoiledByAccumulatingInHalfPrecisionAndNotInSingle) {
  for (int k : {32, 33, 64, 256, 1000, 4096, 16384}) {
    auto const problem = problem_of(GemmTypes::f16, 40, 40, k);
    int spoiled = 0;
    for (int i = 0; i < 40; ++i) {
      auto const t = terms(problem, Data::long_sums, 5, i, (i * 7) % 40);
      EXPECT_EQ(dot_rounding_to(verify::Element::f32, t), dot(t)) << k;
      spoiled += verify::round_to(verify::Element::f16, dot_rounding_to(verify::Element::f16, t)) != dot(t) ? 1 : 0;
    }
    EXPECT_GT(spoiled, 20) << k;
  }
}

TEST(Data, LongSumsAreForSixteenBitTypesWithEnoughTerms) {
  EXPECT_TRUE(has_data(Data::long_sums, problem_of(GemmTypes::bf16, 1, 1, 32)));
  EXPECT_FALSE(has_data(Data::long_sums, problem_of(GemmTypes::f16, 1, 1, 31)));
  EXPECT_FALSE(has_data(Data::long_sums, problem_of(GemmTypes::f32, 1, 1, 4096)));
  EXPECT_FALSE(has_data(Data::long_sums, problem_of(GemmTypes::tf32, 1, 1, 4096)));
}

TEST(Data, WideDataLeavesNoRoomForHalvesInHalfPrecision) {
  for (Data data : {Data::wide_lines, Data::wide_whole}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      auto const problem = problem_of(GemmTypes::f32, 40, 40, 40);
      for (int i = 0; i < 8; ++i) {
        auto const t = terms(problem, data, seed, i, i);
        int lost = 0;
        for (double const value : t.a) {
          double const high = verify::round_to(verify::Element::f16, value);
          double const low = verify::round_to(verify::Element::f16, value - high);
          lost += !(std::fabs(value - high - low) <= std::ldexp(std::fabs(value), -20)) ? 1 : 0;
        }
        EXPECT_GT(lost, 30) << "seed " << seed << " row " << i;
      }
    }
  }
}

TEST(Data, WideDataKeepsLongSumsAndProductsOfBf16PartsNormalInSinglePrecision) {
  auto const set = data_set(Data::wide_lines, problem_of(GemmTypes::f32, 40, 40, 40), 7);
  int const of_product = static_cast<int>(set.a.limit + set.b.limit), of_sum = 20, of_parts = 2 * 16;
  EXPECT_LT(of_product + of_sum, 126);
  EXPECT_GT(-of_product - of_parts, -126);
}

TEST(Data, WideDataIsForTypesWithTheExponentsOfSinglePrecision) {
  for (GemmTypes types : kTypes) {
    EXPECT_EQ(has_data(Data::wide_lines, problem_of(types, 4, 4, 4)), types != GemmTypes::f16);
    EXPECT_EQ(has_data(Data::wide_whole, problem_of(types, 4, 4, 4)), types != GemmTypes::f16);
  }
}

TEST(Data, DependsOnTheSeedAndTheKindAndDiffersBetweenAAndB) {
  auto const problem = problem_of(GemmTypes::f32, 8, 8, 8);
  EXPECT_NE(data_set(Data::exact, problem, 1).a.seed, data_set(Data::exact, problem, 2).a.seed);
  EXPECT_NE(data_set(Data::exact, problem, 1).a.seed, data_set(Data::positive, problem, 1).a.seed);
  EXPECT_NE(data_set(Data::exact, problem, 1).a.seed, data_set(Data::exact, problem, 1).b.seed);
}

/// Largest error of a dot product over its scale, in units of 2^-24, over many dot products. `round_input` and
/// `round_sum` model the arithmetic.
template <class RoundInput, class RoundSum>
double largest_error(GemmProblem const& problem, Data data, RoundInput round_input, RoundSum round_sum) {
  double largest = 0;
  for (int i = 0; i < 60; ++i) {
    auto const t = terms(problem, data, 3, i, i);
    double sum = 0;
    double scale = 0;
    for (std::size_t j = 0; j < t.a.size(); ++j) {
      sum = round_sum(sum + round_input(t.a[j]) * round_input(t.b[j]));
      scale += std::fabs(t.a[j] * t.b[j]);
    }
    largest = std::max(largest, std::fabs(sum - dot(t)) / scale);
  }
  return largest;
}

double to_tf32(double x) {
  if (x == 0) return 0;
  auto const grid = std::ldexp(1.0, std::ilogb(x) - 10);
  return std::rint(x / grid) * grid;
}

TEST(Bounds, SeparateSinglePrecisionFromTf32AndSingleFromHalfPrecisionSums) {
  auto const same = [](double x) { return x; };
  auto const f32 = [](double x) { return verify::round_to(verify::Element::f32, x); };
  auto const f16 = [](double x) { return verify::round_to(verify::Element::f16, x); };
  for (int k : {64, 256, 1024, 4096}) {
    for (Data data : {Data::signed_values, Data::positive}) {
      auto const single = problem_of(GemmTypes::f32, 64, 64, k);
      double const single_bound = bound_for(data, single).per_scale;
      EXPECT_LT(largest_error(single, data, same, f32), single_bound * 0.6) << k;
      // The more terms there are, the less rounded inputs stand out on positive data; signed data catches them.
      double const margin = data == Data::signed_values ? 10 : 1;
      EXPECT_GT(largest_error(single, data, to_tf32, f32), single_bound * margin) << k;
      auto const tf32 = problem_of(GemmTypes::tf32, 64, 64, k);
      EXPECT_LT(largest_error(tf32, data, to_tf32, f32), bound_for(data, tf32).per_scale * 0.7) << k;
      auto const half = problem_of(GemmTypes::f16, 64, 64, k);
      EXPECT_LT(largest_error(half, data, same, f32), bound_for(data, half).per_scale * 0.7) << k;
      EXPECT_GT(largest_error(half, data, same, f16), bound_for(data, half).per_scale * 20) << k;
    }
  }
}

TEST(Bounds, NeverExceedTheWorstCaseOfSinglePrecisionSums) {
  for (int k : {1, 2, 3, 5, 10}) {
    double const u = std::ldexp(1.0, -24);
    EXPECT_LE(bound_for(Data::positive, problem_of(GemmTypes::f32, 4, 4, k)).per_scale, k * u * 1.0001);
  }
}

TEST(Bounds, AlphaAndBetaMayRoundOnceEach) {
  auto problem = problem_of(GemmTypes::f32, 4, 4, 100);
  double const plain = bound_for(Data::signed_values, problem).per_scale;
  problem.alpha = 3;
  problem.beta = 2;
  EXPECT_DOUBLE_EQ(bound_for(Data::signed_values, problem).per_scale - plain, 3 * std::ldexp(1.0, -24));
}

TEST(Data, FactorsThatAreNotPowersOfTwoAreReplacedForExactData) {
  auto problem = problem_of(GemmTypes::f32, 4, 4, 4);
  for (auto const& [alpha, exact_alpha] : {std::pair(1.0F, 1.0F), {-0.5F, -0.5F}, {1.5F, 1.0F}, {0.0F, 1.0F}}) {
    problem.alpha = alpha;
    EXPECT_EQ(with_exact_factors(problem).alpha, exact_alpha);
  }
  for (auto const& [beta, exact_beta] : {std::pair(0.0F, 0.0F), {2.0F, 2.0F}, {0.3F, 1.0F}}) {
    problem.beta = beta;
    EXPECT_EQ(with_exact_factors(problem).beta, exact_beta);
  }
}

}  // namespace
}  // namespace perfcheck::gemm
