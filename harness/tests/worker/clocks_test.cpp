// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "clocks.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::worker {
namespace {

constexpr ClockTolerance kTolerance{.absolute_ns = 10e3, .relative = 0.01, .share_beyond = 0.2};

std::string disagreement(int good, int bad, double bad_ns) {
  std::vector<ClockPair> pairs(static_cast<std::size_t>(good), {1e6, 1.015e6});
  pairs.insert(pairs.end(), static_cast<std::size_t>(bad), {1e6, bad_ns});
  return clocks_disagree(pairs, kTolerance, "the sundial");
}

TEST(Clocks, AgreeWithinTheToleranceAndOnNothing) {
  EXPECT_EQ(disagreement(10, 0, 0), "");
  EXPECT_EQ(clocks_disagree({}, kTolerance, "the sundial"), "");
}

TEST(Clocks, MayDifferInAFewReplays) {
  EXPECT_EQ(disagreement(8, 2, 3e6), "");
  EXPECT_NE(disagreement(7, 3, 3e6), "");
}

TEST(Clocks, DisagreeInBothDirectionsAndOnNoNumber) {
  EXPECT_NE(disagreement(0, 5, 1.03e6), "");
  EXPECT_NE(disagreement(0, 5, 0.97e6), "");
  EXPECT_NE(disagreement(0, 5, NAN), "");
}

TEST(Clocks, SayWhichOneAndByHowMuch) {
  auto const text = disagreement(1, 4, 1.6e6);
  EXPECT_THAT(text, testing::HasSubstr("in 4 of 5 replays, the sundial tells another time"));
  EXPECT_THAT(text, testing::HasSubstr("1600.0 us instead of 1000.0 us"));
}

TEST(Clocks, TheirDeviationIsTheMedianOverTheReplays) {
  EXPECT_EQ(median_deviation({}), 0);
  EXPECT_NEAR(median_deviation({{100, 101}, {100, 90}, {100, 100}}), 0.01, 1e-12);
}

TEST(Steps, SupportATimePerLaunchThatTheyAreNotMuchAbove) {
  constexpr StepTolerance kAllowed{.share = 1.25, .absolute_ns = 2e3};
  std::vector<double> const usual(9, 40e3);
  EXPECT_EQ(steps_disagree({52e3, 51e3, 51e3, 52e3}, usual, kAllowed), "");
  EXPECT_EQ(steps_disagree({20e3}, usual, kAllowed), "")
      << "a launch may be faster on its own, with its inputs in the cache";
  EXPECT_EQ(steps_disagree({51e3, 51e3, 51e3, 51e3, 51e3, 52e3, 90e3, 300e3}, usual, kAllowed), "")
      << "a quarter of the launches may be disturbed";
  EXPECT_THAT(steps_disagree({53e3, 53e3, 53e3, 53e3}, usual, kAllowed),
              testing::HasSubstr("takes 53.00 us; as one of many it was timed at 40.00 us"));
}

TEST(Steps, OfHonestLaunchesOnAGpuSupportTheirTimeAndOfThoseThatShareATenthDoNot) {
  // Microseconds on its own and among many, seen on H100 and H200: cuBLAS TF32 and INT8, kernels of mma, FP32 stream-k.
  for (auto const& [alone, many] : std::vector<std::pair<double, double>>{
           {95.29, 90.33}, {98.1, 91.3}, {92.86, 86.64}, {93.58, 88.34}, {101.11, 96.78}, {16.1, 14.86}}) {
    EXPECT_EQ(steps_disagree({alone * 1e3}, {many * 1e3}, kCudaSteps), "") << alone;
  }
  for (double const many : {40e3, 100e3, 1e6}) {
    EXPECT_NE(steps_disagree({many * 1.1}, {many}, kCudaSteps), "") << many;
  }
}

TEST(Steps, OfWhichTheLowerQuartileCountsSupportATimeWhileMoreThanAQuarterIsUndisturbed) {
  constexpr StepTolerance kAllowed{.share = 1.25, .absolute_ns = 2e3, .counts = StepsThatCount::lower_quartile};
  std::vector<double> const usual(9, 40e3);
  EXPECT_EQ(steps_disagree({90e3, 80e3, 51e3, 300e3, 51e3, 90e3, 52e3, 300e3}, usual, kAllowed), "");
  EXPECT_NE(steps_disagree({90e3, 80e3, 52e3, 300e3, 51e3, 90e3, 90e3, 300e3}, usual, kAllowed), "");
  EXPECT_NE(steps_disagree({80e3, 1e3, 80e3, 1e3, 80e3, 80e3, 80e3, 80e3}, usual, kAllowed), "")
      << "a thread that works ahead may have done two of them early";
  EXPECT_NE(steps_disagree({}, usual, kAllowed), "");
  EXPECT_NE(steps_disagree({51e3, NAN}, usual, kAllowed), "");
}

TEST(Steps, SupportNothingWithoutNumbers) {
  constexpr StepTolerance kAllowed{.share = 1.25, .absolute_ns = 2e3};
  EXPECT_NE(steps_disagree({}, {40e3}, kAllowed), "");
  EXPECT_NE(steps_disagree({40e3}, {}, kAllowed), "");
  EXPECT_NE(steps_disagree({NAN}, {40e3}, kAllowed), "");
  EXPECT_NE(steps_disagree({40e3}, {NAN}, kAllowed), "");
}

}  // namespace
}  // namespace perfcheck::worker
