// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "measure_case.h"

#include <gtest/gtest.h>

namespace perfcheck::worker {
namespace {

TEST(Launches, LastAsLongAsAReplayShould) {
  EXPECT_EQ(launches_for(1e6, 1e4, 500), 100);
  EXPECT_EQ(launches_for(1e6, 3e5, 24), 6) << "four, and as many again as twice the length allows";
  EXPECT_EQ(launches_for(1e6, 3e5, 4), 4) << "rounded up";
  EXPECT_EQ(launches_for(1e6, 5e6, 24), 1) << "one launch is more than enough";
}

TEST(Launches, GrowToTwiceAsManyToReachSetsOfBuffers) {
  EXPECT_EQ(launches_for(1e6, 5e4, 24), 24);
  EXPECT_EQ(launches_for(1e6, 1e5, 24), 20) << "no more than twice the ten that were asked for";
  EXPECT_EQ(launches_for(1e6, 1e5, 12), 12);
  EXPECT_EQ(launches_for(1e6, 5e4, 500), 24) << "24 places average enough";
}

TEST(Launches, AreNeverMoreThanAThousand) {
  EXPECT_EQ(launches_for(1e9, 1, 2048), 1000);
  EXPECT_EQ(launches_for(1e6, 0, 2048), 1000) << "a kernel too quick for the clock";
}

TEST(Launches, AreNeverMoreThanThereAreSetsOfBuffers) {
  EXPECT_EQ(launches_for(1e6, 1e4, 8), 8) << "a second launch on a set could find what the first one left";
  EXPECT_EQ(launches_for(1e6, 1e4, 1), 1);
}

}  // namespace
}  // namespace perfcheck::worker
