// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Verification of kernels whose types keep sums in FP16: what such sums may lose is no fault, everything else still is.
#include "dot_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace perfcheck::gemm {
namespace {

using verify::Element;

constexpr std::size_t kBlocks[] = {1, 4, 8, 16};  // products that are added before a sum is rounded

struct Sizes {
  int m, n, k;
};
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

}  // namespace
}  // namespace perfcheck::gemm
