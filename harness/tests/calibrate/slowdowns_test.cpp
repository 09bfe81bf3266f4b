// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/slowdowns.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace perfcheck::calibrate {
namespace {

std::vector<std::string> ids(int count) {
  std::vector<std::string> list;
  for (int i = 0; i < count; ++i) {
    list.push_back("k@p" + std::to_string(i));
  }
  return list;
}

TEST(DrawSlowdowns, TakesTheShareAndEverySizeEquallyOften) {
  auto const drawn = draw_slowdowns(ids(90), {0.5, 1, 2, 3, 5}, 1.0 / 3, 7);
  EXPECT_EQ(drawn.size(), 30U);
  std::map<double, int> count;
  for (auto const& [id, percent] : drawn) {
    ++count[percent];
  }
  EXPECT_EQ(count, (std::map<double, int>{{0.5, 6}, {1, 6}, {2, 6}, {3, 6}, {5, 6}}));
}

TEST(DrawSlowdowns, TheSeedDecidesAndTheOrderOfTheCasesDoesNot) {
  std::vector<std::string> reversed = ids(40);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(draw_slowdowns(ids(40), {1, 2}, 0.5, 3), draw_slowdowns(reversed, {1, 2}, 0.5, 3));
  EXPECT_NE(draw_slowdowns(ids(40), {1, 2}, 0.5, 3), draw_slowdowns(ids(40), {1, 2}, 0.5, 4));
}

TEST(DrawSlowdowns, EveryCaseIsDrawnAboutEquallyOften) {
  std::map<std::string, int> count;
  constexpr int kDraws = 3000;
  for (int seed = 0; seed < kDraws; ++seed) {
    for (auto const& [id, percent] : draw_slowdowns(ids(12), {1}, 1.0 / 3, static_cast<std::uint64_t>(seed))) {
      ++count[id];
    }
  }
  EXPECT_EQ(count.size(), 12U);
  for (auto const& [id, times] : count) {
    EXPECT_NEAR(times, kDraws / 3.0, 130) << id;  // five standard deviations of the binomial
  }
}

TEST(DrawSlowdowns, AFewCasesGiveAtLeastOne) {
  EXPECT_EQ(draw_slowdowns(ids(2), {1}, 1.0 / 3, 1).size(), 1U);
  EXPECT_TRUE(draw_slowdowns({}, {1}, 1.0 / 3, 1).empty());
}

TEST(DrawSlowdowns, RefusesWhatMakesNoSense) {
  EXPECT_THROW(draw_slowdowns(ids(3), {}, 0.5, 1), std::invalid_argument);
  EXPECT_THROW(draw_slowdowns(ids(3), {1}, 1.5, 1), std::invalid_argument);
}

}  // namespace
}  // namespace perfcheck::calibrate
