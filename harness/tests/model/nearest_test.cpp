// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/nearest.h"

#include <gtest/gtest.h>

namespace perfcheck::model {
namespace {

TEST(NearestName, FindsWhatWasMeant) {
  std::vector<std::string> const names = {"time_ns", "reference_time_ns", "clock_mhz", "id"};
  EXPECT_EQ(nearest_name("time_n", names), "time_ns");
  EXPECT_EQ(nearest_name("tiem_ns", names), "time_ns");
  EXPECT_EQ(nearest_name("clock_hz", names), "clock_mhz");
  EXPECT_EQ(nearest_name("di", names), "id");
  EXPECT_EQ(nearest_name("ids", names), "id");
  EXPECT_EQ(nearest_name("refrence_tiem_ns", names), "reference_time_ns");
  EXPECT_EQ(nearest_name("clock_mhz", names), "clock_mhz");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_FALSE(nearest_name("banana", {"time_ns", "id"}));
  EXPECT_FALSE(nearest_name("id", {}));
  EXPECT_FALSE(nearest_name("", {"time_ns"}));
  EXPECT_FALSE(nearest_name(std::string(1 << 20, 'x'), {std::string(1 << 20, 'x')}));
}

TEST(NearestName, PrefersTheFirstOfEquals) { EXPECT_EQ(nearest_name("cat", {"bat", "rat"}), "bat"); }

}  // namespace
}  // namespace perfcheck::model
