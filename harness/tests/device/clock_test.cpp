// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_info.h"
#include "cuda_replay.h"

#include <gtest/gtest.h>

#include <array>

namespace perfcheck::device {
namespace {

TEST(ClockBetween, IsTheMeanOverTheMultiprocessorsThatBothProbesReached) {
  std::array<ClockSample, 3> const before{{{1000, 5'000'000}, {}, {7000, 5'000'000}}};
  std::array<ClockSample, 3> const after{
      {{1000 + 1'500'000, 6'000'000}, {9999, 6'000'000}, {7000 + 1'700'000, 6'000'000}}};
  EXPECT_DOUBLE_EQ(clock_between(before.data(), after.data(), 3).value(), 1600.0);
}

TEST(ClockBetween, IsUnknownWhenTheTimeIsTooShortOrNoMultiprocessorHasBoth) {
  std::array<ClockSample, 1> const before{{{1000, 5'000'000}}};
  std::array<ClockSample, 1> const soon{{{2000, 5'001'000}}};
  std::array<ClockSample, 1> const nowhere{};
  EXPECT_FALSE(clock_between(before.data(), soon.data(), 1).has_value());
  EXPECT_FALSE(clock_between(before.data(), nowhere.data(), 1).has_value());
  EXPECT_FALSE(clock_between(nowhere.data(), before.data(), 1).has_value());
}

TEST(ClockBetween, ACounterThatRanBackwardsIsLeftOut) {
  std::array<ClockSample, 1> const before{{{5000, 5'000'000}}};
  std::array<ClockSample, 1> const after{{{4000, 9'000'000}}};
  EXPECT_FALSE(clock_between(before.data(), after.data(), 1).has_value());
}

TEST(PeakTflops, OfAnH100AgreesWithItsDataSheet) {
  // 132 multiprocessors; the data sheet gives the FP32 rate at 1.98 GHz and the tensor rates at 1.83 GHz.
  EXPECT_NEAR(peak_tflops(9, 0, 132, 1980).at("f32"), 66.9, 0.1);
  EXPECT_NEAR(peak_tflops(9, 0, 132, 1830).at("f16"), 989.4, 0.5);
  EXPECT_NEAR(peak_tflops(9, 0, 132, 1830).at("tf32"), 494.7, 0.3);
  EXPECT_TRUE(peak_tflops(1, 0, 132, 1830).empty());
}

}  // namespace
}  // namespace perfcheck::device
