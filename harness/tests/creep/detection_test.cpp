// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How soon creep is found, and how rarely a history without creep is accused: the rates that perfcheck_creep_rates
// prints (docs/change-points.md, Creep), on fewer histories. Each case is one of 300 on a device.
#include "made_histories.h"

#include <gtest/gtest.h>

namespace perfcheck::creep {
namespace {

constexpr std::size_t kRuns = 200;

CaseCreep judged(MadeHistory const& made, std::size_t count) {
  Options options = among_many();
  if (made.release && *made.release < static_cast<int>(count)) options.release = made.release;
  return find_creep({made.upto(count)}, options).cases.front();
}

/// The number of steps that had happened when the case was first called drifted.
int steps_until_found(MadeHistory const& made) {
  for (auto count = static_cast<std::size_t>(made.steps.front()) + 1; count <= made.values.size(); ++count) {
    if (judged(made, count).status != Status::drifted) continue;
    return static_cast<int>(std::ranges::lower_bound(made.steps, static_cast<int>(count)) - made.steps.begin());
  }
  return 1000;
}

struct Way {
  int every;
  int latest_onset;
};

class Detection : public ::testing::TestWithParam<Way> {};

TEST_P(Detection, StepsOfATenthOfASecondMarginAreFoundByTwiceTheMargin) {
  int const histories = GetParam().every == 20 ? 20 : 40;  // slow creep takes many more runs to judge
  for (double const correlation : {0.0, 0.3}) {
    Random random(static_cast<unsigned>(GetParam().every));
    int in_time = 0;
    for (int i = 0; i < histories; ++i) {
      int const onset = drawn(random, 31, GetParam().latest_onset);
      MadeHistory const made = history_with_creep(kRuns, {.sd = 0.001, .correlation = correlation}, onset,
                                                  GetParam().every, i % 2 == 0, random);
      in_time += steps_until_found(made) <= 5 ? 1 : 0;
    }
    EXPECT_GE(in_time, histories * 0.95 - 1)
        << "histories found in time, of " << histories << ", with correlation " << correlation;
  }
}

INSTANTIATE_TEST_SUITE_P(EverySoManyCommits, Detection,
                         ::testing::Values(Way{.every = 1, .latest_onset = 150}, Way{.every = 5, .latest_onset = 150},
                                           Way{.every = 20, .latest_onset = 60}),
                         [](auto const& way) { return "Every" + std::to_string(way.param.every); });

TEST(Detection, HistoriesWithoutCreepAreNotAccused) {
  for (double const sd : {0.0005, 0.001, 0.003}) {
    Random random(53);
    for (int i = 0; i < 40; ++i) {
      MadeHistory const made = history_without_creep(kRuns, {.sd = sd, .correlation = 0.15 * (i % 3)}, random);
      for (std::size_t count = 8; count <= kRuns; ++count) {
        if (!may_alarm(made, count, sd)) continue;
        CaseCreep const told = judged(made, count);
        ASSERT_TRUE(told.status != Status::drifted && told.status != Status::creeping)
            << "history " << i << " of sd " << sd << " at run " << count << ": " << told.drift;
      }
    }
  }
}

TEST(Detection, WhatIsOverIsNoLongerTold) {
  Random random(59);
  for (int i = 0; i < 20; ++i) {
    MadeHistory made = made_history(120, {.spikes = 0}, random);
    made.release = 40;
    add_level(made, 60, 0.015);
    add_level(made, 100, -0.015);
    ASSERT_EQ(judged(made, 100).status, Status::drifted);
    for (std::size_t count = 103; count <= 120; ++count) {
      ASSERT_EQ(judged(made, count).status, Status::steady) << i << ' ' << count;
    }
  }
}

TEST(Detection, OneOrTwoSlowRunsAreNoDriftNorAreThreeThatDoNotAgree) {
  Random random(61);
  for (int i = 0; i < 20; ++i) {
    MadeHistory const flat = made_history(80, {.spikes = 0}, random);
    for (std::vector<double> const& slow :
         std::vector<std::vector<double>>{{0.05}, {0.05, 0.05}, {0.02, 0.09, 0.05}, {0.05, 0.05, 0.0, 0.05}}) {
      MadeHistory made = flat;
      for (std::size_t k = 0; k < slow.size(); ++k) made.values[80 - slow.size() + k] += slow[k];
      EXPECT_EQ(judged(made, 80).status, Status::steady) << i << ' ' << slow.size();
    }
  }
}

}  // namespace
}  // namespace perfcheck::creep
