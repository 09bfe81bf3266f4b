// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/physics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace perfcheck::model {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// 1 TFLOP/s is 1000 FLOP per ns, 1 GB/s is 1 byte per ns.
DeviceInfo device() {
  DeviceInfo device;
  device.peak_tflops = {{"f32", 50}, {"f16", 500}, {"i8", 1000}};
  device.peak_gb_s = 2000;
  device.peak_cache_gb_s = 8000;
  device.cache_bytes = 50'000'000;
  device.empty_launch_ns = 800;
  return device;
}

KernelEntry kernel(std::string const& executes = "", double share = 0) {
  KernelEntry entry;
  entry.id = "set/k";
  entry.executes = executes;
  entry.work_share = share;
  return entry;
}

/// A case that takes `time_ns` per launch in its middle round and much more in the others.
CaseResult timed(double time_ns, Work work, std::string const& problem = "f32,m8", int launches = 10) {
  constexpr double kLong = 1e9;
  CaseResult result;
  result.id = "set/k@" + problem;
  result.reference = "set/reference@" + problem;
  result.status = CaseStatus::measured;
  result.work = work;
  result.rounds = Rounds{.launches = launches,
                         .reference_launches = launches,
                         .time_ns = {kLong, time_ns, kLong},
                         .reference_time_ns = {kLong, kLong, kLong},
                         .clock_mhz = {},
                         .reference_clock_mhz = {}};
  return result;
}

struct FloorRow {
  char const* name;
  Work work;
  KernelEntry kernel;
  char const* problem;
  double floor_ns;
  char const* why;
};

std::ostream& operator<<(std::ostream& out, FloorRow const& row) { return out << row.name; }

class FloorOf : public ::testing::TestWithParam<FloorRow> {};

TEST_P(FloorOf, ALaunchIsHeldAgainst) {
  FloorRow const& row = GetParam();
  auto const judged = [&](double time_ns) {
    return implausible_time(timed(time_ns, row.work, row.problem), device(), &row.kernel, nullptr);
  };
  EXPECT_FALSE(judged(row.floor_ns * 1.01));
  EXPECT_FALSE(judged(row.floor_ns * 0.985)) << "a time may be 2 % too short because of the clocks";
  std::optional<Disbelief> const found = judged(row.floor_ns * 0.975);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->status, CaseStatus::implausible);
  EXPECT_THAT(found->message, HasSubstr("per launch (round 2 of 3) is 1.03 times faster than the device can: "));
  EXPECT_THAT(found->message, HasSubstr(row.why));
}

// 10 GFLOP and 100 MB, so that arithmetic or memory clearly decides.
INSTANTIATE_TEST_SUITE_P(
    Table, FloorOf,
    ::testing::Values(
        FloorRow{"Undeclared",
                 {1e10, 0},
                 kernel(),
                 "f32,m8",
                 5000,
                 "half of 10 GFLOP need at least 5 us at 1000 TFLOP/s (i8, the device's fastest unit)"},
        FloorRow{"Declared",
                 {1e10, 0},
                 kernel("f16"),
                 "f32,m8",
                 20000,
                 "10 GFLOP need at least 20 us at 500 TFLOP/s (f16, which it declares to execute)"},
        FloorRow{"DeclaredShare",
                 {1e10, 0},
                 kernel("f16", 0.875),
                 "f32,m8",
                 17500,
                 "0.875 of 10 GFLOP need at least 17.5 us"},
        FloorRow{
            "ShareOfTheFastest", {1e10, 0}, kernel("", 0.75), "f32,m8", 7500, "0.75 of 10 GFLOP need at least 7.5 us"},
        FloorRow{"MoreWorkThanTheOperation", {1e10, 0}, kernel("f16", 3), "f32,m8", 60000, "3 of 10 GFLOP need"},
        FloorRow{"Memory",
                 {0, 1e8},
                 kernel(),
                 "f32,m8",
                 47500,
                 "10 launches that move 100 MB each, less 50 MB of cache, need at least 47.5 us each at 2000 GB/s"},
        FloorRow{"Hot",
                 {0, 1e8},
                 kernel(),
                 "f32,m8,hot",
                 12500,
                 "100 MB need at least 12.5 us at 8000 GB/s, the rate of its cache"},
        FloorRow{"HotAndMore", {0, 1e8}, kernel(), "f32,hot,m8", 12500, "the rate of its cache"},
        FloorRow{"NotHotByName", {0, 1e8}, kernel(), "f32,hotter", 47500, "less 50 MB of cache"},
        FloorRow{"Launch", {8, 8}, kernel(), "f32,m8", 400, "half of the 0.8 us of an empty launch are 0.4 us"},
        FloorRow{"TheHighest", {1e10, 1e8}, kernel(), "f32,m8", 47500, "less 50 MB of cache"}),
    [](auto const& test) { return test.param.name; });

TEST(ImplausibleTime, SaysByHowMuch) {
  EXPECT_EQ(implausible_time(timed(680, {268435456, 0}), device(), nullptr, nullptr), std::nullopt);
  DeviceInfo slow = device();
  slow.peak_tflops = {{"i8", 68.5}};
  EXPECT_EQ(implausible_time(timed(680, {268435456, 0}), slow, nullptr, nullptr)->message,
            "0.68 us per launch (round 2 of 3) is 2.88 times faster than the device can: half of 268 MFLOP need at "
            "least 1.96 us at 68.5 TFLOP/s (i8, the device's fastest unit)");
}

TEST(ImplausibleTime, WhatFitsIntoTheCacheMayStayThereBetweenReplays) {
  // 10 launches of 5 MB fit in the cache.
  EXPECT_FALSE(implausible_time(timed(500, {0, 5e6}), device(), nullptr, nullptr));
  EXPECT_TRUE(implausible_time(timed(500, {0, 5e6}, "f32,m8", 20), device(), nullptr, nullptr));
}

TEST(ImplausibleTime, OfTheReferenceIsNamedAsSuch) {
  CaseResult result = timed(1e6, {1e10, 0});
  result.rounds->reference_time_ns[2] = 10000;
  KernelEntry const honest = kernel("f16");
  EXPECT_FALSE(implausible_time(result, device(), &honest, nullptr))
      << "the case's own kernel entry must not apply to the reference";
  std::optional<Disbelief> const found = implausible_time(result, device(), nullptr, &honest);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->message,
              StartsWith("its reference set/reference@f32,m8: 10 us per launch (round 3 of 3) is 2 times"));
}

TEST(ImplausibleTime, ATimeOrALimitThatIsNoNumberIsNotBelieved) {
  EXPECT_TRUE(implausible_time(timed(kNan, {1e10, 0}), device(), nullptr, nullptr));
  CaseResult const honest = timed(1e6, {1e10, 1e8});
  EXPECT_FALSE(implausible_time(honest, device(), nullptr, nullptr));
  DeviceInfo broken = device();
  broken.peak_tflops["i8"] = kNan;
  EXPECT_TRUE(implausible_time(honest, broken, nullptr, nullptr));
  broken = device();
  broken.peak_gb_s = kNan;
  EXPECT_TRUE(implausible_time(honest, broken, nullptr, nullptr));
  broken = device();
  broken.empty_launch_ns = kNan;
  EXPECT_TRUE(implausible_time(honest, broken, nullptr, nullptr));
}

TEST(ImplausibleTime, AnUndeclaredUnitOfTheDeviceIsAnError) {
  KernelEntry const unknown = kernel("i9");
  std::optional<Disbelief> const found = implausible_time(timed(1e6, {1e10, 0}), device(), &unknown, nullptr);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->status, CaseStatus::invalid);
  EXPECT_EQ(
      found->message,
      "unknown unit: it declares to execute \"i9\", and the device has f16, f32, i8; mend the declaration of set/k");
  EXPECT_THAT(implausible_time(timed(1e6, {1e10, 0}), device(), nullptr, &unknown)->message,
              StartsWith("its reference set/reference@f32,m8: unknown unit"));
}

TEST(ImplausibleTime, WhatIsNotKnownIsNotHeldAgainstAnything) {
  KernelEntry const declared = kernel("i8");
  DeviceInfo const unknown;
  EXPECT_FALSE(implausible_time(timed(1e-3, {1e10, 1e8}), unknown, &declared, nullptr));
  DeviceInfo zeros = unknown;
  zeros.peak_gb_s = zeros.peak_cache_gb_s = zeros.empty_launch_ns = 0;
  EXPECT_FALSE(implausible_time(timed(1e-3, {1e10, 1e8}), zeros, nullptr, nullptr));
  EXPECT_FALSE(implausible_time(timed(1e-3, {1e10, 1e8}, "f32,hot"), zeros, nullptr, nullptr));
}

TEST(ImplausibleTime, WithoutTimesThereIsNothingToBelieve) {
  CaseResult result = timed(1, {1e10, 1e8});
  result.rounds->reference_time_ns.clear();  // as in an imported run
  EXPECT_TRUE(implausible_time(result, device(), nullptr, nullptr));
  result.rounds.reset();
  EXPECT_FALSE(implausible_time(result, device(), nullptr, nullptr));
}

TEST(UnknownLimits, AreNamed) {
  EXPECT_EQ(unknown_limits(device()), std::nullopt);
  EXPECT_EQ(
      unknown_limits({}),
      "physics: the device's peak arithmetic, memory bandwidth, cache bandwidth are unknown: times are only checked "
      "against perfcheck's own clock; a worker that knows tells it in its hello");
  DeviceInfo partly = device();
  partly.peak_cache_gb_s = 0;
  EXPECT_THAT(
      unknown_limits(partly).value(),
      HasSubstr("the device's cache bandwidth is unknown: times are only checked against its other limits and"));
  DeviceInfo no_launch_cost = device();
  no_launch_cost.empty_launch_ns.reset();
  EXPECT_EQ(unknown_limits(no_launch_cost), std::nullopt) << "a device may have no launch cost";
}

}  // namespace
}  // namespace perfcheck::model
