// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "clocks.h"

#include <gmock/gmock.h>

#include <cmath>

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

}  // namespace
}  // namespace perfcheck::worker
