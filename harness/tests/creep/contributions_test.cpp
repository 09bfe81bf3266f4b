// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which commits are named as contributions.
#include "made_histories.h"

#include <gmock/gmock.h>

namespace perfcheck::creep {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;

class Contributions : public ::testing::Test {
 protected:
  /// Steps of different size at 50, 60 and 70; 90 runs.
  CaseHistory three_steps() {
    MadeHistory made = made_history(90, {.sd = 0.0003, .spikes = 0}, random_);
    add_level(made, 50, 0.002);
    add_level(made, 60, 0.004);
    add_level(made, 70, 0.003);
    return made.upto(90);
  }
  static std::vector<Contribution> named(CaseHistory const& one) {
    CaseCreep const told = find_creep({one}, {.release = 45}).cases.front();
    EXPECT_EQ(told.status, Status::drifted);
    return told.contributions;
  }
  static std::vector<int> runs_of(std::vector<Contribution> const& contributions) {
    std::vector<int> runs;
    for (Contribution const& one : contributions) runs.push_back(one.run);
    return runs;
  }
  Random random_{73};
};

TEST_F(Contributions, ThoseThatMovedTheLevelMostComeFirst) {
  std::vector<Contribution> const found = named(three_steps());
  ASSERT_GE(found.size(), 3U);
  EXPECT_EQ(found[0].run, 60);
  EXPECT_TRUE(found[0].likeliest);
  EXPECT_NEAR(*found[0].moved, 0.004, 0.0005);
  EXPECT_LT(*found[0].low, *found[0].moved);
  EXPECT_GT(*found[0].high, *found[0].moved);
  EXPECT_EQ(found[0].before, 59);
  EXPECT_EQ(found[1].run, 50) << "the alarm came before the third step, so that one is not named";
  EXPECT_NEAR(*found[1].moved, 0.002, 0.0005);
}

TEST_F(Contributions, NoneIsOlderThanTheOnsetOrNewerThanTheAlarm) {
  CaseCreep const told = find_creep({three_steps()}, {.release = 45}).cases.front();
  for (Contribution const& one : told.contributions) {
    EXPECT_GE(one.run, 48);
    EXPECT_LE(one.run, told.alarm);
  }
  EXPECT_LE(told.alarm, 65);
}

TEST_F(Contributions, CommitsThatLeftTheCodeAsItWasAreNotAmongThem) {
  CaseHistory one = three_steps();
  for (Point& point : one.points) point.code = (point.run >= 50 ? 1 : 0) + (point.run >= 60 ? 1 : 0);
  EXPECT_THAT(runs_of(named(one)), ElementsAre(60, 50));
  // A run of unknown code in between may have changed the code.
  one.points[62].code = -1;
  EXPECT_THAT(runs_of(named(one)), Contains(62));
}

TEST_F(Contributions, ACommitIsNamedOnceByItsFirstRun) {
  CaseHistory one = three_steps();
  for (Point& point : one.points) point.commit = point.run / 10;
  std::vector<int> const runs = runs_of(named(one));
  EXPECT_THAT(runs, ElementsAre(60, 50));
}

TEST_F(Contributions, ACommitThatNothingCanBeSaidAboutStandsWithoutNumbers) {
  std::vector<Contribution> const found = named(three_steps());
  auto const untold = std::ranges::find_if(found, [](Contribution const& one) { return !one.moved; });
  ASSERT_NE(untold, found.end());
  EXPECT_FALSE(untold->low || untold->high || untold->likeliest);
  EXPECT_TRUE(std::ranges::all_of(untold, found.end(), [](Contribution const& one) { return !one.moved; }))
      << "contributions without numbers must come last";
  EXPECT_TRUE(std::ranges::is_sorted(untold, found.end(), {}, &Contribution::run));
}

TEST_F(Contributions, ARampNamesEveryStepOfIt) {
  MadeHistory made = made_history(60, {.sd = 0.0003, .spikes = 0}, random_);
  for (int at = 50; at < 60; ++at) add_level(made, at, kStep);
  CaseCreep const told = find_creep({made.upto(60)}, {.release = 45}).cases.front();
  ASSERT_EQ(told.status, Status::drifted);
  for (int at = 50; at <= told.alarm; ++at) EXPECT_THAT(runs_of(told.contributions), Contains(at));
}

}  // namespace
}  // namespace perfcheck::creep
