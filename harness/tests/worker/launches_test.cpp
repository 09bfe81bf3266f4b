// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "measure_case.h"

#include <gtest/gtest.h>

namespace perfcheck::worker {
namespace {

TEST(Launches, LastAsLongAsAReplayShould) {
  EXPECT_EQ(launches_for(1e6, 1e4, 500), 100);
  EXPECT_EQ(launches_for(1e6, 3e5, 24), 6) << "four, raised to the six that fit into twice the length";
  EXPECT_EQ(launches_for(1e6, 3e5, 4), 4) << "a fraction must be rounded up";
  EXPECT_EQ(launches_for(1e6, 5e6, 24), 1) << "one launch is more than enough";
}

TEST(Launches, GrowToTwiceAsManyToReachSetsOfBuffers) {
  EXPECT_EQ(launches_for(1e6, 5e4, 24), 24);
  EXPECT_EQ(launches_for(1e6, 1e5, 24), 20) << "no more than twice the ten that the length asks for";
  EXPECT_EQ(launches_for(1e6, 1e5, 12), 12);
  EXPECT_EQ(launches_for(1e6, 5e4, 500), 24) << "more than 24 sets of buffers need not be used";
}

TEST(Launches, AreNeverMoreThanAThousand) {
  EXPECT_EQ(launches_for(1e9, 1, 2048), 1000);
  EXPECT_EQ(launches_for(1e6, 0, 2048), 1000) << "the kernel is too quick for the clock";
}

TEST(Launches, AreNeverMoreThanThereAreSetsOfBuffers) {
  EXPECT_EQ(launches_for(1e6, 1e4, 8), 8) << "a second launch on a set of buffers could reuse the first one's output";
  EXPECT_EQ(launches_for(1e6, 1e4, 1), 1);
}

}  // namespace
}  // namespace perfcheck::worker
