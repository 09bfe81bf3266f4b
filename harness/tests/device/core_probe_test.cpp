// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "core_probe.h"

#include <gtest/gtest.h>

namespace perfcheck::device {
namespace {

TEST(CoreProbe, ReadsAClockAndAWidthThatAProcessorCanHave) {
  for (int i = 0; i < 20; ++i) {
    CoreSample const sample = sample_core();
    EXPECT_GT(sample.clock_mhz, 200);
    EXPECT_LT(sample.clock_mhz, 8000);
    EXPECT_GT(sample.cycles_per_addition, 0.05) << "no core adds 20 numbers per cycle";
    // A core adds two to eight numbers per cycle, shared among its hardware threads.
    EXPECT_LT(sample.cycles_per_addition, 1.5);
  }
}

CoreSample with(double cycles_per_addition) { return {.clock_mhz = 3000, .cycles_per_addition = cycles_per_addition}; }

TEST(ContentionJudge, CallsWhatIsAboveTheUsualDisturbed) {
  ContentionJudge judge;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(judge.disturbed(with(i % 2 == 0 ? 0.287 : 0.288)));
  }
  EXPECT_TRUE(judge.disturbed(with(0.35)));
  EXPECT_FALSE(judge.disturbed(with(0.2875)));
}

TEST(ContentionJudge, KnowsTheQuietCoreThoughItIsSharedMostOfTheTime) {
  ContentionJudge judge;
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    bool const shared = i % 5 != 0;
    wrong += judge.disturbed(with(shared ? 0.4 : 0.287)) != shared ? 1 : 0;
  }
  EXPECT_LE(wrong, 32) << "only the first samples may be misjudged";
}

TEST(ContentionJudge, ForgetsWhatIsLongAgo) {
  ContentionJudge judge;
  for (int i = 0; i < 100; ++i) {
    judge.disturbed(with(0.2));
  }
  bool last = true;
  for (int i = 0; i < 1000; ++i) {
    last = judge.disturbed(with(0.3));
  }
  EXPECT_FALSE(last);
}

}  // namespace
}  // namespace perfcheck::device
