// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace perfcheck::energy {
namespace {

using testing::HasSubstr;

/// 5 s at 700 W, and 2500 launches of 2 ms.
Block good_block() {
  return {.begin_mj = 1'000'000,
          .end_mj = 4'500'000,
          .seconds = 5,
          .steps = 50,
          .launches = 2500,
          .device_seconds = 5,
          .queued = 500,
          .ran_dry = 0,
          .clock_mhz = 1400};
}

std::string refusal(std::function<void(Block&)> const& change) {
  Block block = good_block();
  change(block);
  try {
    (void)figures_of(block);
  } catch (BlockError const& error) {
    return error.what();
  }
  return "";
}

Pair pair_of(double kernel_joules, double reference_joules) {
  return {.kernel = {.joules = kernel_joules, .watts = 700, .time_ns = 2e6, .clock_mhz = 1400},
          .reference = {.joules = reference_joules, .watts = 690, .time_ns = 2.1e6, .clock_mhz = 1500}};
}

TEST(EnergyBlock, JoulesArePowerTimesTheTimeOfALaunch) {
  Figures const figures = figures_of(good_block());
  EXPECT_DOUBLE_EQ(figures.watts, 700);
  EXPECT_DOUBLE_EQ(figures.time_ns, 2e6);
  EXPECT_DOUBLE_EQ(figures.joules, 1.4);
  EXPECT_DOUBLE_EQ(figures.clock_mhz, 1400);
}

TEST(EnergyBlock, LaunchesAndStepsMayEndAtDifferentTimes) {
  Block block = good_block();
  block.launches = 2600;  // queued until the step was seen, and timed by the device
  block.device_seconds = 5.2;
  EXPECT_DOUBLE_EQ(figures_of(block).joules, 1.4);
}

TEST(EnergyBlock, ACounterThatDoesNotAdvanceIsNamed) {
  EXPECT_THAT(refusal([](Block& block) { block.end_mj = block.begin_mj; }), HasSubstr("does not advance"));
}

TEST(EnergyBlock, ACounterThatWentBackIsNamed) {
  EXPECT_THAT(refusal([](Block& block) { block.end_mj = block.begin_mj - 1; }), HasSubstr("went back"));
}

TEST(EnergyBlock, BlocksThatAreTooShortForTheCounterAreNamed) {
  EXPECT_THAT(refusal([](Block& block) { block.seconds = 1.999; }), HasSubstr("too short"));
  EXPECT_THAT(refusal([](Block& block) { block.seconds = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("too short"));
  EXPECT_THAT(refusal([](Block& block) { block.steps = kFewestSteps - 1; }), HasSubstr("14 steps"));
  EXPECT_EQ(refusal([](Block& block) { block.steps = kFewestSteps; }), "");
}

TEST(EnergyBlock, NoLaunchOrNoTimeIsNamed) {
  EXPECT_THAT(refusal([](Block& block) { block.launches = 0; }), HasSubstr("no launch"));
  EXPECT_THAT(refusal([](Block& block) { block.device_seconds = 0; }), HasSubstr("no launch"));
  EXPECT_THAT(refusal([](Block& block) { block.device_seconds = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("no launch"));
}

TEST(EnergyBlock, ADeviceThatWasNotKeptBusyIsNamed) {
  EXPECT_THAT(refusal([](Block& block) { block.ran_dry = 11; }), HasSubstr("ran out of launches 11 times of 500"));
  EXPECT_EQ(refusal([](Block& block) { block.ran_dry = 10; }), "");
}

TEST(EnergySteps, OnlyAChangeIsAStepAndTheFirstReadingIsNone) {
  Steps steps;
  EXPECT_FALSE(steps.take(0.00, 500));
  EXPECT_FALSE(steps.take(0.05, 500));
  EXPECT_TRUE(steps.take(0.10, 570));
  EXPECT_FALSE(steps.take(0.15, 570));
  EXPECT_TRUE(steps.take(0.20, 640));
}

TEST(EnergySteps, ACounterThatStandsStillWhileTheDeviceIsBusyIsNamed) {
  Steps steps;
  (void)steps.take(10, 500);
  EXPECT_FALSE(steps.take(10 + kPatience, 500));
  try {
    (void)steps.take(10.01 + kPatience, 500);
    ADD_FAILURE() << "it waited on";
  } catch (BlockError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not advance it"));
  }
}

TEST(EnergySteps, PatienceBeginsAnewWithEachStep) {
  Steps steps;
  (void)steps.take(0, 500);
  EXPECT_TRUE(steps.take(1.5, 501));
  EXPECT_FALSE(steps.take(3.4, 501));
}

TEST(EnergySteps, ACounterThatWrapsAroundIsNamed) {
  Steps steps;
  (void)steps.take(0, std::numeric_limits<std::uint64_t>::max());
  EXPECT_THROW((void)steps.take(0.1, 5), BlockError);
}

TEST(EnergySummary, TheRatioIsTheMedianOfPairsNotTheRatioOfMedians) {
  // Ratios 0.5, 0.9 and 2; medians 1.8 and 2.
  Summary const summary = summary_of({pair_of(1, 2), pair_of(1.8, 2), pair_of(2, 1)});
  EXPECT_DOUBLE_EQ(summary.of_reference, 0.9);
  EXPECT_DOUBLE_EQ(summary.kernel.joules, 1.8);
  EXPECT_DOUBLE_EQ(summary.reference.joules, 2);
  EXPECT_DOUBLE_EQ(summary.kernel.watts, 700);
  EXPECT_DOUBLE_EQ(summary.reference.time_ns, 2.1e6);
  EXPECT_DOUBLE_EQ(summary.reference.clock_mhz, 1500);
}

TEST(EnergySummary, NoPairAndNoNumberAreNamed) {
  EXPECT_THROW((void)summary_of({}), BlockError);
  EXPECT_THROW((void)summary_of({pair_of(1, 1), pair_of(std::numeric_limits<double>::quiet_NaN(), 1)}), BlockError);
}

TEST(EnergySummary, EitherGoesFirstInTurns) {
  EXPECT_TRUE(reference_first(0));
  EXPECT_FALSE(reference_first(1));
  EXPECT_TRUE(reference_first(2));
}

}  // namespace
}  // namespace perfcheck::energy
