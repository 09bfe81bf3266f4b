// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Verification of kernels whose types keep sums in FP16: what such sums may lose is no fault, everything else still is.
#include "dot_products.h"
#include "gemm_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace perfcheck::gemm {
namespace {

using verify::Element;

constexpr std::size_t kBlocks[] = {1, 4, 8, 16};  // products that are added before a sum is rounded
constexpr Data kStructured[] = {Data::one_hot_a, Data::one_hot_b, Data::rank_one};

struct Sizes {
  int m, n, k;
};
std::ostream& operator<<(std::ostream& out, Sizes const& s) { return out << "m" << s.m << "n" << s.n << "k" << s.k; }

/// Few rows or columns for many steps of k: then ones pick many products for each sum.
constexpr Sizes kSizes[] = {{1, 1, 1},    {277, 16, 260}, {16, 277, 260}, {1, 268, 201},  {268, 1, 201}, {9, 8, 66},
                            {1, 1, 2048}, {1, 40, 2049},  {40, 1, 2049},  {3, 40, 10000}, {2, 2, 16384}, {1, 7, 65536}};

GemmProblem half_sums(Sizes const& s) { return problem_of(GemmTypes::f16_f16, s.m, s.n, s.k); }

/// Calls visit(terms) for up to 30 x 30 elements of D.
template <class Visit>
void for_some_elements(GemmProblem const& problem, Data data, std::uint64_t seed, Visit const& visit) {
  int const rows = std::min(problem.m, 30), columns = std::min(problem.n, 30);
  int const most = std::max(4, 500'000 / problem.k);
  for (int at = 0; at < std::min(rows * columns, most); ++at) {
    visit(terms(problem, data, seed, at / columns % rows, at % columns));
  }
}

TEST(HalfSums, AreExactOnExactData) {
  for (Sizes const& sizes : kSizes) {
    GemmProblem const problem = half_sums(sizes);
    for (Data data : {Data::exact, Data::one_hot_a, Data::one_hot_b, Data::rank_one}) {
      if (!has_data(data, problem)) continue;
      for_some_elements(problem, data, 7, [&](Terms const& t) {
        for (std::size_t const block : kBlocks) {
          ASSERT_EQ(dot_rounding_to(Element::f16, t, block), dot(t))
              << sizes << " data " << static_cast<int>(data) << " block " << block;
        }
      });
    }
  }
}

TEST(HalfSums, CannotExceedExactIntegersOnStructuredDataOfAFewThousandSteps) {
  for (Sizes const& sizes : kSizes) {
    GemmProblem const problem = half_sums(sizes);
    for (Data data : kStructured) {
      if (problem.k > 2048 * std::min(problem.m, problem.n) || !has_data(data, problem)) continue;
      for_some_elements(problem, data, 3, [&](Terms const& t) { ASSERT_LE(scale_of(t), 2048) << sizes; });
    }
  }
}

TEST(HalfSums, UseEveryStepOfStructuredData) {
  for (Sizes const& sizes : {Sizes{277, 16, 260}, {16, 277, 260}, {1, 268, 201}, {268, 1, 201}, {3, 40, 2000}}) {
    GemmProblem const problem = half_sums(sizes);
    for (Data data : kStructured) {
      std::vector<bool> used(static_cast<std::size_t>(sizes.k));
      for (int i = 0; i < std::max(sizes.m, sizes.n); ++i) {
        auto const t = terms(problem, data, 7, i % sizes.m, i % sizes.n);
        for (std::size_t k = 0; k < used.size(); ++k) used[k] = used[k] || t.a[k] * t.b[k] != 0;
      }
      EXPECT_EQ(std::count(used.begin(), used.end(), false), 0) << sizes << " data " << static_cast<int>(data);
    }
  }
}

TEST(HalfSums, AreOfZerosAsWellWherePickedOnesAloneAreTooMany) {
  GemmProblem const problem = half_sums({1, 7, 65536});
  auto const set = data_set(Data::one_hot_a, problem, 1);
  EXPECT_EQ(set.b.limit, 1U);
  EXPECT_LT(set.b.share, 0.03);
  EXPECT_GT(set.b.share, 0.02);
}

TEST(HalfSums, HaveNoRankOneDataWhereOnesAloneAreTooMany) {
  EXPECT_TRUE(has_data(Data::rank_one, half_sums({5, 2, 4096})));
  EXPECT_FALSE(has_data(Data::rank_one, half_sums({5, 2, 4097})));
  EXPECT_TRUE(has_data(Data::rank_one, problem_of(GemmTypes::f16, 5, 2, 4097)));
}

TEST(HalfSums, AreSpoiledByStructuredDataOfSumsInSinglePrecision) {
  auto const problem = problem_of(GemmTypes::f16, 277, 16, 260);
  int spoiled = 0;
  for_some_elements(problem, Data::rank_one, 1, [&](Terms const& t) {
    double const right = verify::round_to(Element::f16, dot(t));
    EXPECT_EQ(verify::round_to(Element::f16, dot_rounding_to(Element::f32, t)), right);
    spoiled += dot_rounding_to(Element::f16, t) != right ? 1 : 0;
  });
  EXPECT_GT(spoiled, 0);
}

/// The largest error, in units of the bound, of sums that are kept in `sums` and rounded after each of `blocks`.
double largest_error_over_bound(GemmProblem const& problem, Data data, Element sums,
                                std::span<std::size_t const> blocks) {
  auto const bound = bound_for(data, problem);
  double largest = 0;
  for_some_elements(problem, data, 11, [&](Terms const& t) {
    double const right = dot(t), scale = scale_of(t);
    for (std::size_t const block : blocks) {
      auto const bits = verify::encode(Element::f16, dot_rounding_to(sums, t, block));
      largest = std::max(largest, verify::judge(Element::f16, bits, right, scale, bound).error_over_bound);
    }
  });
  return largest;
}

TEST(HalfSums, StayWithinTheirBoundsHoweverManyProductsAreAddedAtATime) {
  for (int k : {1, 2, 3, 5, 16, 64, 256, 1024, 4096, 16384}) {
    GemmProblem const problem = half_sums({64, 64, k});
    for (Data data : {Data::signed_values, Data::positive}) {
      EXPECT_LT(largest_error_over_bound(problem, data, Element::f16, kBlocks), 0.8)
          << "k " << k << " data " << static_cast<int>(data);
    }
  }
}

TEST(HalfSums, HaveBoundsThatSumsOfFewerBitsExceed) {
  for (int k : {16, 64, 256, 1024, 4096}) {
    GemmProblem const problem = half_sums({64, 64, k});
    EXPECT_GT(largest_error_over_bound(problem, Data::signed_values, Element::bf16, std::span(kBlocks, 1)), 1.2) << k;
  }
}

TEST(HalfSums, HaveABoundThatABlockOfProductsTooFewExceeds) {
  GemmProblem const problem = half_sums({64, 64, 256});
  auto const bound = bound_for(Data::positive, problem);
  for_some_elements(problem, Data::positive, 11, [&](Terms const& t) {
    Terms fewer = t;
    std::fill(fewer.a.begin(), fewer.a.begin() + 16, 0);
    auto const bits = verify::encode(Element::f16, dot_rounding_to(Element::f16, fewer, 16));
    EXPECT_TRUE(verify::judge(Element::f16, bits, dot(t), scale_of(t), bound).wrong);
  });
}

class HalfSumsKernel : public testing::TestWithParam<char const*> {};

TEST_P(HalfSumsKernel, IsRightWithManyStepsForFewRowsOrColumns) {
  auto const backend = device::make_cpu_backend();
  auto const problem = make_gemm_operation()->parse(GetParam());
  auto const verification = problem->verify(*backend, registered_kernel("gemm/cpu/naive_f16_f16"), 1);
  EXPECT_TRUE(verification.passed) << first_failure(verification);
  EXPECT_NE(find_check(verification, "structured"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Gemm, HalfSumsKernel,
                         testing::Values("f16.f16,nn,m29n16k260,lda261,ldb23,ldd17", "f16.f16,nt,m17n13k260",
                                         "f16.f16,nn,m1n68k201", "f16.f16,nn,m16n1k2100", "f16.f16,nt,m1n16k2100",
                                         "f16.f16,nn,m15n3k256,sparse24", "f16.f16,nn,m5n6k300,batch3,alpha2,beta0.5",
                                         "f16.f16,nn,m20n6k300,groups3+0+17"));

}  // namespace
}  // namespace perfcheck::gemm
