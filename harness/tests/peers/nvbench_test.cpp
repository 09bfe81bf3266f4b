// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Both comparisons of nvbench at their thresholds.
#include "ask.h"

#include <limits>

namespace perfcheck::peers::testing {
namespace {

constexpr auto kLegacy = "nvbench compare";
constexpr auto kRobust = "nvbench robust";
constexpr auto kStrict = "nvbench robust, strict";
constexpr auto kPermissive = "nvbench robust, permissive";

Session at(Values const& times, double clock) { return {.time_ns = times, .clock_mhz = Values(times.size(), clock)}; }

class Legacy : public ::testing::TestWithParam<Example> {};

TEST_P(Legacy, DecidesAsTheToolDoes) {
  EXPECT_EQ(ask_times(GetParam().rule, GetParam().before, GetParam().now), GetParam().answer);
}

// 98 ... 102 has a standard deviation of 1.581; relative to a mean of 100 + d that is 1.581 / (100 + d).
INSTANTIATE_TEST_SUITE_P(
    Nvbench, Legacy,
    ::testing::Values(
        Example{"1.55 % at a noise of 1.557 %", kLegacy, ladder(98, 1, 5), ladder(99.55, 1, 5), Answer::same},
        Example{"1.56 % at a noise of 1.557 %", kLegacy, ladder(98, 1, 5), ladder(99.56, 1, 5), Answer::slower},
        Example{"-1.58 % at a noise of 1.581 %", kLegacy, ladder(98, 1, 5), ladder(96.42, 1, 5), Answer::same},
        Example{"-1.59 % at a noise of 1.581 %", kLegacy, ladder(98, 1, 5), ladder(96.41, 1, 5), Answer::faster},
        Example{"one quiet run is enough", kLegacy, ladder(80, 10, 5), Values(5, 100.1), Answer::slower},
        Example{"no noise, no change", kLegacy, Values(5, 100.0), Values(5, 100.0), Answer::same},
        Example{"four rounds", kLegacy, ladder(98, 1, 4), ladder(198, 1, 5), Answer::undecided},
        Example{"four new rounds", kLegacy, ladder(98, 1, 5), ladder(198, 1, 4), Answer::undecided}));

/// The interval of the old session ends at 100; the clock does not move.
class RobustGap : public ::testing::TestWithParam<Example> {};

TEST_P(RobustGap, DecidesAsTheToolDoes) {
  EXPECT_EQ(ask(GetParam().rule, at(GetParam().before, 1500), at(GetParam().now, 1500)), GetParam().answer);
}

Values const kOld = {96, 98, 99, 100, 130};          // ranks: median 99, third quartile 100
Values const kSix = {100, 100, 100, 100, 110, 120};  // third quartile: rank 3.75 is 4, so 110
Values const kNew = {100.5, 101, 102, 103, 140};

INSTANTIATE_TEST_SUITE_P(
    Nvbench, RobustGap,
    ::testing::Values(Example{"0.5 %", kRobust, kOld, kNew, Answer::slower},
                      Example{"0.499 %", kRobust, kOld, {100.499, 101, 102, 103, 140}, Answer::undecided},
                      Example{"0.5 % back", kRobust, {100.5, 101, 102, 103, 140}, kOld, Answer::faster},
                      Example{"0.499 % back", kRobust, {100.499, 101, 102, 103, 140}, kOld, Answer::undecided},
                      Example{"one fast outlier hides it", kRobust, kOld, {99, 111, 112, 113, 140}, Answer::undecided},
                      Example{"1 %", kStrict, kOld, {101, 102, 103, 104, 140}, Answer::slower},
                      Example{"0.999 %", kStrict, kOld, {100.999, 102, 103, 104, 140}, Answer::undecided},
                      Example{"0.25 %", kPermissive, kOld, {100.25, 101, 102, 103, 140}, Answer::slower},
                      Example{"0.249 %", kPermissive, kOld, {100.249, 101, 102, 103, 140}, Answer::undecided},
                      // An interpolated quartile would be 107.5, and 109.5 would be nearly 2 % above it.
                      Example{"quartiles are values, not interpolated", kRobust, kSix, Values(6, 109.5),
                              Answer::undecided},
                      Example{"above that quartile by 0.5 %", kRobust, kSix, Values(6, 110.56), Answer::slower}));

TEST(RobustCycles, DoNotConfirmAGapThatTheClockMade) {
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), at(times(kOld, 1.25), 1500)), Answer::slower);
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), at(times(kOld, 1.25), 1200)), Answer::undecided);
  EXPECT_EQ(ask(kRobust, at(times(kOld, 1.25), 1200), at(kOld, 1500)), Answer::undecided);
  // Fewer cycles, more time.
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), at(times(kOld, 1.25), 600)), Answer::undecided);
}

TEST(RobustCycles, ThatMovedAreNotTheSame) {
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), at(kOld, 1500)), Answer::same);
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), at(kOld, 1530)), Answer::undecided);
}

TEST(RobustCycles, AreNeededToCallAGapSlowerAndNotToCallEqualsTheSame) {
  Session const without = {.time_ns = kOld};
  Session const slower_without = {.time_ns = times(kOld, 2)};
  EXPECT_EQ(ask(kRobust, without, slower_without), Answer::undecided);
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), slower_without), Answer::undecided);
  EXPECT_EQ(ask(kRobust, without, without), Answer::same);
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), without), Answer::same);
}

TEST(RobustCycles, FromBadClocksDecideNothing) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (double const bad : {nan, 0.0, -1500.0, std::numeric_limits<double>::infinity()}) {
    Session broken = at(times(kOld, 2), 1500);
    broken.clock_mhz[2] = bad;
    EXPECT_EQ(ask(kRobust, at(kOld, 1500), broken), Answer::undecided) << bad;
    EXPECT_EQ(ask(kRobust, broken, broken), Answer::undecided) << bad;
  }
  Session too_short = at(times(kOld, 2), 1500);
  too_short.clock_mhz.pop_back();
  EXPECT_EQ(ask(kRobust, at(kOld, 1500), too_short), Answer::undecided);
}

/// Where nvbench is sure that nothing changed.
class RobustSame : public ::testing::TestWithParam<Example> {};

TEST_P(RobustSame, DecidesAsTheToolDoes) {
  EXPECT_EQ(ask_times(GetParam().rule, GetParam().before, GetParam().now), GetParam().answer);
  EXPECT_EQ(ask_times(GetParam().rule, GetParam().now, GetParam().before), GetParam().answer);
}

Values const kWide = ladder(100, 0.3, 12);  // median 101.8
// Medians 0.05 % apart; the intervals [100, 100.6] and [100.4, 101] share a third; no value is far from the others.
Values const kLeft = {100, 100.2, 100.55, 100.6, 100.9};
Values const kRight = {100.4, 100.5, 100.6, 101, 101.1};

/// `values` with the last one replaced with `last`.
Values with_last(Values values, double last) {
  values.back() = last;
  return values;
}

INSTANTIATE_TEST_SUITE_P(
    Nvbench, RobustSame,
    ::testing::Values(Example{"medians 0.48 % apart", kRobust, kWide, plus(kWide, 0.49), Answer::same},
                      Example{"medians 0.51 % apart", kRobust, kWide, plus(kWide, 0.52), Answer::undecided},
                      Example{"medians 0.51 % apart", kPermissive, kWide, plus(kWide, 0.52), Answer::same},
                      Example{"medians 0.24 % apart", kStrict, kWide, plus(kWide, 0.24), Answer::same},
                      Example{"medians 0.26 % apart", kStrict, kWide, plus(kWide, 0.27), Answer::undecided},
                      Example{"a third of overlap", kRobust, kLeft, kRight, Answer::undecided},
                      Example{"a third of overlap", kPermissive, kLeft, kRight, Answer::same},
                      Example{"a single value inside of the interval", kRobust, kWide, Values(5, 101.8),
                              Answer::undecided},
                      Example{"a single value inside of a short interval", kRobust, ladder(100.3, 0.1, 5),
                              Values(5, 100.5), Answer::same},
                      Example{"one of 12 values far away", kRobust, kWide, with_last(kWide, 110), Answer::undecided},
                      Example{"one of 12 values far away", kPermissive, kWide, with_last(kWide, 110), Answer::same},
                      Example{"one of 34 values far away", kRobust, ladder(100, 0.01, 34),
                              with_last(ladder(100, 0.01, 34), 110), Answer::same},
                      Example{"one of 34 values far away, but one of two distinct ones", kRobust, Values(34, 100.0),
                              with_last(Values(34, 100.0), 110), Answer::undecided}));

}  // namespace
}  // namespace perfcheck::peers::testing
