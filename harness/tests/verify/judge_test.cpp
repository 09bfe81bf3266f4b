// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/judge.h"

#include <gtest/gtest.h>

namespace perfcheck::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Element kElements[] = {Element::f32, Element::f16, Element::bf16};

bool wrong(Element element, double value, double reference, Bound const& bound, double scale = 1) {
  return judge(element, encode(element, value), reference, scale, bound).wrong;
}

TEST(Judge, ExactMeansTheReferenceRoundedToNearest) {
  Bound const equal = Bound::equal();
  EXPECT_FALSE(wrong(Element::f16, 2048, 2049, equal));
  EXPECT_FALSE(wrong(Element::f16, 17, 17, equal));
  EXPECT_TRUE(wrong(Element::f16, 17, 16, equal));
  EXPECT_TRUE(wrong(Element::f16, 2048, 2047, equal)) << "the neighbour across a power of two differs";
  EXPECT_FALSE(wrong(Element::f32, -0.0, 0.0, equal));
  EXPECT_TRUE(wrong(Element::f32, 16777216, 16777217 - 2, equal));
}

TEST(Judge, NanIsWrongUnlessTheReferenceIsNan) {
  for (Element element : kElements) {
    for (Bound const& bound : {Bound::equal(), Bound::relative_to_scale(1e9, 1e9)}) {
      EXPECT_TRUE(wrong(element, kNan, 1, bound));
      EXPECT_TRUE(wrong(element, kNan, kInfinity, bound));
      EXPECT_FALSE(wrong(element, kNan, kNan, bound));
      EXPECT_TRUE(wrong(element, 1, kNan, bound));
      EXPECT_TRUE(wrong(element, kInfinity, kNan, bound));
    }
  }
}

TEST(Judge, PoisonIsWrongEvenWhereNanIsExpected) {
  for (Element element : kElements) {
    for (double reference : {0.0, kNan, kInfinity}) {
      EXPECT_TRUE(judge(element, poison_bits(element), reference, 1, Bound::relative_to_scale(1e9, 1e9)).wrong);
      EXPECT_TRUE(judge(element, poison_bits(element), reference, 1, Bound::equal()).wrong);
    }
  }
}

TEST(Judge, InfinityMustHaveTheSignOfTheReference) {
  for (Element element : kElements) {
    for (Bound const& bound : {Bound::equal(), Bound::relative_to_scale(1e-3, 1e-30)}) {
      EXPECT_FALSE(wrong(element, kInfinity, kInfinity, bound));
      EXPECT_TRUE(wrong(element, -kInfinity, kInfinity, bound));
      EXPECT_TRUE(wrong(element, 1, kInfinity, bound));
      EXPECT_TRUE(wrong(element, kInfinity, 1, bound));
    }
  }
}

TEST(Judge, AtTheEdgeOfTheRangeEitherNeighbourPasses) {
  Bound const bound = Bound::relative_to_scale(1e-5, 0);
  EXPECT_FALSE(wrong(Element::f16, 65504, 65520.1, bound, 65520));
  EXPECT_FALSE(wrong(Element::f16, kInfinity, 65519.9, bound, 65520));
  EXPECT_TRUE(wrong(Element::f16, kInfinity, 65500, bound, 65520));
  EXPECT_TRUE(wrong(Element::f16, 65504, 66000, bound, 65520));
}

TEST(Judge, TheErrorCountsAgainstTheScaleNotTheResult) {
  Bound const bound = Bound::relative_to_scale(1e-3, 0);
  EXPECT_FALSE(wrong(Element::f32, 0.5 + 0.9e-1, 0.5, bound, 100));
  EXPECT_TRUE(wrong(Element::f32, 0.5 + 1.1e-1, 0.5, bound, 100));
  auto const judgement = judge(Element::f32, encode(Element::f32, 1.25), 1.0, 100, Bound::relative_to_scale(5e-3, 0));
  EXPECT_DOUBLE_EQ(judgement.error_over_bound, 0.5);
}

TEST(Judge, RoundingToTheOutputTypeIsForgivenAndNoMore) {
  Bound const bound = Bound::relative_to_scale(1e-9, 0);
  // FP16 values near 1000 are 0.5 apart.
  EXPECT_FALSE(wrong(Element::f16, 1000, 1000.25, bound));
  EXPECT_TRUE(wrong(Element::f16, 1000, 1000.26, bound));
  EXPECT_FALSE(wrong(Element::bf16, 1000, 1001.9, bound));
  EXPECT_TRUE(wrong(Element::bf16, 1000, 1002.1, bound));
  // The allowed rounding is that of the result, however large the scale: sums that cancel are judged strictly.
  EXPECT_TRUE(wrong(Element::f16, 0.03125, 0.0314, bound, 1000));
}

TEST(Judge, ABoundOfZeroOrNanAcceptsNoError) {
  EXPECT_TRUE(wrong(Element::f32, 1.5, 1, Bound::relative_to_scale(0, 0)));
  EXPECT_FALSE(wrong(Element::f32, 1, 1, Bound::relative_to_scale(0, 0)));
  EXPECT_TRUE(wrong(Element::f32, 1.5, 1, Bound::relative_to_scale(kNan, 0)));
  EXPECT_TRUE(wrong(Element::f32, 1.5, 1, Bound::relative_to_scale(1, 0), kNan));
}

TEST(Judge, EveryCorrectlyRoundedResultWithinTheBoundPasses) {
  for (Element element : {Element::f16, Element::bf16}) {
    Bound const bound = Bound::relative_to_scale(1e-3, 0);
    for (double reference = 0.9; reference < 4.1; reference += 0.000731) {
      for (double error : {-1e-3, -4e-4, 0.0, 3e-4, 1e-3}) {
        EXPECT_FALSE(wrong(element, reference + error * 0.999, reference, bound)) << reference << " " << error;
      }
    }
  }
}

}  // namespace
}  // namespace perfcheck::verify
