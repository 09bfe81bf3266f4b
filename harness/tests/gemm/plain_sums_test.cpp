// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Verification of kernels whose types leave sums of FP8 products in Hopper's tensor cores: what such sums lose is no
// fault there, though one for types with FP32 sums; everything else still is.
#include "dot_products.h"
#include "gemm_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace perfcheck::gemm {
namespace {

using verify::Element;

constexpr int kBits = 14;
constexpr int kStage = 128;                    // steps of k that a kernel fetches at a time
constexpr std::size_t kTogether[] = {16, 32};  // products that are added at a time: half of Hopper's, and Hopper's

struct Sizes {
  int m, n, k;
};
std::ostream& operator<<(std::ostream& out, Sizes const& s) { return out << "m" << s.m << "n" << s.n << "k" << s.k; }
constexpr Sizes kSizes[] = {{1, 1, 1},     {277, 16, 260}, {16, 277, 260}, {9, 8, 66},
                            {1, 1, 2048},  {1, 40, 2049},  {40, 1, 2049},  {64, 64, 4096},
                            {2, 2, 16384}, {3, 40, 10000}, {1, 2, 1 << 16}};

GemmProblem plain_sums(Sizes const& s) { return problem_of(GemmTypes::e4m3_tc14_bf16, s.m, s.n, s.k); }
GemmProblem plain_sums(int k) { return plain_sums({64, 64, k}); }

Terms terms_at(GemmProblem const& problem, Data data, int row, int column) {
  return terms(problem, data, 11, row, column);
}

/// Calls visit(row, column) for up to 30 x 30 elements of D.
template <class Visit>
void for_some_places(GemmProblem const& problem, Visit const& visit) {
  int const rows = std::min(problem.m, 30), columns = std::min(problem.n, 30);
  int const most = std::min(rows * columns, std::max(4, 600'000 / problem.k));
  for (int at = 0; at < most; ++at) visit(at / columns % rows, at % columns);
}
/// Calls visit(terms) for them.
template <class Visit>
void for_some_elements(GemmProblem const& problem, Data data, Visit const& visit) {
  for_some_places(problem, [&](int row, int column) { visit(terms_at(problem, data, row, column)); });
}

verify::Judgement judgement(GemmProblem const& problem, Data data, Terms const& right, double sum) {
  auto const bits = verify::encode(problem.types.d, sum);
  return verify::judge(problem.types.d, bits, dot(right), scale_of(right), bound_for(data, problem));
}

using Dot = std::function<double(Terms const&)>;

/// The largest error in units of the bound.
double largest_error_over_bound(GemmProblem const& problem, Data data, Dot const& kernel) {
  double largest = 0;
  for_some_elements(problem, data, [&](Terms const& t) {
    largest = std::max(largest, judgement(problem, data, t, kernel(t)).error_over_bound);
  });
  return largest;
}

double plain_dot(Terms const& t) { return dot_aligned(t, kBits); }

/// Sums that begin anew with every stage, and are added up in FP32.
double promoted_dot(Terms const& t) {
  double total = 0;
  for (std::size_t first = 0; first < t.a.size(); first += kStage) {
    auto const last = static_cast<std::ptrdiff_t>(std::min(first + kStage, t.a.size()));
    auto const begin = static_cast<std::ptrdiff_t>(first);
    Terms const stage{{t.a.begin() + begin, t.a.begin() + last}, {t.b.begin() + begin, t.b.begin() + last}};
    total = verify::round_to(Element::f32, total + plain_dot(stage));
  }
  return total;
}

TEST(PlainSums, AreExactOnExactDataInAnyOrderOfSteps) {
  for (Sizes const& sizes : kSizes) {
    GemmProblem const problem = plain_sums(sizes);
    for (Data data : {Data::exact, Data::one_hot_a, Data::one_hot_b, Data::rank_one}) {
      if (!has_data(data, problem)) continue;
      for_some_elements(problem, data, [&](Terms t) {
        for (std::size_t const together : kTogether) {
          ASSERT_EQ(dot_aligned(t, kBits, together), dot(t)) << sizes << " data " << static_cast<int>(data);
        }
        std::ranges::reverse(t.a);
        std::ranges::reverse(t.b);
        ASSERT_EQ(plain_dot(t), dot(t)) << sizes << " data " << static_cast<int>(data);
      });
    }
  }
}

TEST(PlainSums, CannotExceedExactIntegersOnStructuredDataOfManySteps) {
  EXPECT_EQ(format_of(Element::tc14).largest_exact_integer(), 16384);
  for (Sizes const& sizes : kSizes) {
    GemmProblem const problem = plain_sums(sizes);
    for (Data data : {Data::one_hot_a, Data::one_hot_b, Data::rank_one}) {
      if (problem.k > 16384 * std::min(problem.m, problem.n) || !has_data(data, problem)) continue;
      for_some_elements(problem, data, [&](Terms const& t) { ASSERT_LE(scale_of(t), 16384) << sizes; });
    }
  }
}

TEST(PlainSums, HaveTheBoundsOfTheirTable) {
  struct Row {
    int k;
    Data data;
    double bound;  // in units of 2^-24
  };
  for (auto const& [k, data, bound] :
       {Row{1, Data::signed_values, 2 * 2048}, Row{1, Data::positive, 2 * 2048}, Row{2, Data::positive, 4740},
        Row{8, Data::signed_values, 9 * 2048}, Row{9, Data::signed_values, 20000},
        Row{4096, Data::signed_values, 20000}, Row{32, Data::positive, 15840}, Row{4096, Data::positive, 1519520}}) {
    EXPECT_DOUBLE_EQ(std::ldexp(bound_for(data, plain_sums(k)).per_scale, 24), bound)
        << k << " data " << static_cast<int>(data);
  }
  // What follows the sums is computed in FP32.
  GemmProblem problem = plain_sums(4096);
  problem.alpha = 3;
  problem.beta = 2;
  problem.bias = true;
  EXPECT_DOUBLE_EQ(std::ldexp(bound_for(Data::signed_values, problem).per_scale, 24), 20004);
}

TEST(PlainSums, StayWithinTheirBounds) {
  for (int k : {1, 2, 3, 5, 16, 32, 33, 64, 256, 1008, 4096, 16384}) {
    for (Data data : {Data::signed_values, Data::positive}) {
      for (std::size_t const together : kTogether) {
        auto const kernel = [&](Terms const& t) { return dot_aligned(t, kBits, together); };
        EXPECT_LT(largest_error_over_bound(plain_sums(k), data, kernel), 0.8)
            << "k " << k << " data " << static_cast<int>(data);
      }
    }
  }
}

TEST(PlainSums, HaveABoundThatSumsOfFewerBitsExceed) {
  auto const of_bits = [](int bits) { return [bits](Terms const& t) { return dot_aligned(t, bits); }; };
  EXPECT_GT(largest_error_over_bound(plain_sums(4096), Data::positive, of_bits(13)), 1.2);
  EXPECT_GT(largest_error_over_bound(plain_sums(1024), Data::positive, of_bits(12)), 1.2);
  EXPECT_GT(largest_error_over_bound(plain_sums(4096), Data::signed_values, of_bits(10)), 1.2);
}

TEST(PlainSums, ExceedTheBoundsOfFp32SumsWhichPromotedOnesKeep) {
  for (int k : {1008, 4096}) {
    auto const problem = problem_of(GemmTypes::e4m3_f32_bf16, 64, 64, k);
    for (Data data : {Data::signed_values, Data::positive}) {
      // On signed data, some of so few elements exceed it by that much from larger k on.
      bool const shows = data == Data::positive || k > 1008;
      EXPECT_GT(largest_error_over_bound(problem, data, plain_dot), shows ? 1.5 : 0.5)
          << k << " data " << static_cast<int>(data);
      EXPECT_LT(largest_error_over_bound(problem, data, promoted_dot), 0.9) << k << " data " << static_cast<int>(data);
    }
  }
}

/// A fault of kernels that fetch stages of k: what becomes of the terms, given those of the row below.
struct Fault {
  char const* name;
  void (*spoil)(Terms& t, Terms const& below);
};
auto middle_of(std::vector<double>& a) { return a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2); }
constexpr Fault kFaults[] = {
    {"a stage is left out", [](Terms& t, Terms const&) { std::fill_n(middle_of(t.a), kStage, 0); }},
    {"a stage of A is the one before it",
     [](Terms& t, Terms const&) { std::copy_n(middle_of(t.a) - kStage, kStage, middle_of(t.a)); }},
    {"A is one step of k further", [](Terms& t, Terms const&) { std::ranges::rotate(t.a, t.a.begin() + 1); }},
    {"a row is the one below", [](Terms& t, Terms const& below) { t.a = below.a; }},
};

/// The share of elements that are called wrong.
double share_called_wrong(GemmProblem const& problem, Data data, Fault const& fault) {
  int all = 0, wrong = 0;
  for_some_places(problem, [&](int row, int column) {
    Terms const right = terms_at(problem, data, row, column);
    Terms spoilt = right;
    fault.spoil(spoilt, terms_at(problem, data, row + 1, column));
    ++all;
    wrong += judgement(problem, data, right, plain_dot(spoilt)).wrong ? 1 : 0;
  });
  return static_cast<double>(wrong) / all;
}

TEST(PlainSums, HaveDataAndBoundsThatStagesAndRowsGoneAstrayFail) {
  for (int k : {256, 1024, 4096, 16384}) {
    for (Fault const& fault : kFaults) {
      EXPECT_GT(share_called_wrong(plain_sums(k), Data::exact, fault), 0.5) << fault.name << ", k " << k;
      EXPECT_GT(share_called_wrong(plain_sums(k), Data::signed_values, fault), 0.1) << fault.name << ", k " << k;
    }
  }
  for (int k : {256, 1024}) EXPECT_EQ(share_called_wrong(plain_sums(k), Data::positive, kFaults[0]), 1) << k;
}

TEST(PlainSums, AreNotCalledWrongWithoutAFault) {
  Fault const none{"none", [](Terms&, Terms const&) {}};
  for (int k : {256, 1024, 4096, 16384}) {
    for (Data data : {Data::exact, Data::signed_values, Data::positive}) {
      EXPECT_EQ(share_called_wrong(plain_sums(k), data, none), 0) << k << " data " << static_cast<int>(data);
    }
  }
}

TEST(PlainSums, AreARowOfTypesWithoutFactors) {
  EXPECT_EQ(to_text(GemmTypes::e4m3_tc14_bf16), "e4m3.tc14.bf16");
  ASSERT_NE(find_gemm_types("e4m3.tc14.bf16"), nullptr);
  EXPECT_EQ(*find_gemm_types("e4m3.tc14.bf16"), GemmTypes::e4m3_tc14_bf16);
  for (char const* text : {"e4m3.tc14", "e4m3.tc14.bf16,scale", "e4m3.tc14.bf16,scale128", "f16.tc14", "tc14"}) {
    EXPECT_EQ(find_gemm_types(text), nullptr) << text;
  }
}

TEST(PlainSums, AreNotComparedWithKernelsOfFp32Sums) {
  auto const operation = make_gemm_operation();
  auto const& plain = registered_kernel("gemm/cpu/naive_e4m3_tc14_bf16");
  EXPECT_TRUE(operation->parse("e4m3.tc14.bf16,nt,m16n16k16")->concerns(plain));
  EXPECT_FALSE(operation->parse("e4m3.f32.bf16,nt,m16n16k16")->concerns(plain));
}

}  // namespace
}  // namespace perfcheck::gemm
