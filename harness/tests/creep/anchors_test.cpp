// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which anchor a case is compared with.
#include "made_histories.h"

#include <gtest/gtest.h>

namespace perfcheck::creep {
namespace {

constexpr double kBit = 0.002;  // less than half of the margin

class Anchors : public ::testing::Test {
 protected:
  MadeHistory flat(std::size_t count) { return made_history(count, {.sd = 0.0005, .spikes = 0}, random_); }
  static CaseCreep judged(MadeHistory const& made, std::optional<int> release = {}) {
    return find_creep({made.upto(made.values.size())}, {.release = release}).cases.front();
  }
  Random random_{71};
};

TEST_F(Anchors, WithoutAReleaseTheFirstRunsAre) {
  for (auto const& [count, runs] : {std::pair<std::size_t, int>{8, 5}, {12, 5}, {60, 20}, {90, 30}, {200, 30}}) {
    CaseCreep const told = judged(flat(count));
    EXPECT_EQ(told.anchor, AnchorKind::first_runs) << count;
    EXPECT_EQ(told.anchor_from, 0);
    EXPECT_EQ(told.anchor_runs, runs) << count;
  }
}

TEST_F(Anchors, AReleaseIsTheRunsOfItsLevelUpToIt) {
  MadeHistory made = flat(120);
  add_level(made, 50, -0.03);
  CaseCreep const late = judged(made, 100);
  EXPECT_EQ(late.anchor, AnchorKind::release);
  EXPECT_EQ(late.anchor_from, 71);
  EXPECT_EQ(late.anchor_to, 100);
  CaseCreep const short_level = judged(made, 60);
  EXPECT_EQ(short_level.anchor_from, 50);
  EXPECT_EQ(short_level.anchor_to, 60);
}

TEST_F(Anchors, ALevelThatBeganRightBeforeTheReleaseIsMeasuredBeyondIt) {
  MadeHistory made = flat(120);
  add_level(made, 78, -0.03);
  CaseCreep const told = judged(made, 80);
  EXPECT_EQ(told.anchor_from, 78);
  EXPECT_GE(told.anchor_runs, 5);
  EXPECT_EQ(told.status, Status::steady);
}

TEST_F(Anchors, AReleaseBeforeTheFirstRunIsNone) { EXPECT_EQ(judged(flat(60), -1).anchor, AnchorKind::first_runs); }

TEST_F(Anchors, AnAcceptedLevelIsTheNextOne) {
  MadeHistory made = flat(120);
  add_level(made, 60, 0.02);
  EXPECT_EQ(judged(made, 50).status, Status::drifted);
  made.accepted = {60};
  CaseCreep const told = judged(made, 50);
  EXPECT_EQ(told.status, Status::steady);
  EXPECT_EQ(told.anchor, AnchorKind::accepted);
  EXPECT_EQ(told.anchor_from, 60);
  add_level(made, 100, 0.01);  // a new rise, counted from the new anchor
  EXPECT_EQ(judged(made, 50).status, Status::drifted);
}

TEST_F(Anchors, ABaselineThatWasRecordedAnewForgetsNoCreep) {
  MadeHistory made = flat(160);
  for (int const at : {60, 80, 100, 120}) add_level(made, at, kBit);
  made.accepted = {65};  // after one step of +0.2 %, which is within the margin
  CaseCreep const told = judged(made, 50);
  EXPECT_EQ(told.status, Status::drifted);
  EXPECT_EQ(told.anchor, AnchorKind::release);
  EXPECT_NEAR(told.drift, 0.008, 0.0005);
}

TEST_F(Anchors, WhatWasBeforeAnAcceptedBaselineSaysNothingAboutThePresent) {
  // Up, and back again; the accepted baseline is of after that.
  MadeHistory made = flat(82);
  add_level(made, 50, 0.02);
  add_level(made, 80, -0.02);
  made.accepted = {80};
  CaseCreep const told = judged(made, 40);
  EXPECT_EQ(told.status, Status::unknown) << "only two runs since the accepted baseline";
  EXPECT_EQ(told.reason, Reason::few_runs);
  made.accepted = {82};
  EXPECT_EQ(judged(made, 40).reason, Reason::few_runs) << "no run since the accepted baseline";
}

TEST_F(Anchors, AConfirmedImprovementIsTheNextOneAndLosingItIsCreep) {
  MadeHistory made = flat(160);
  add_level(made, 60, -0.03);
  for (int const at : {100, 110, 120, 130}) add_level(made, at, kBit);
  EXPECT_EQ(judged(made, 50).status, Status::steady)
      << "an improvement that the gate did not confirm may be the machine's";
  std::fill(made.improved.begin() + 60, made.improved.end(), true);
  CaseCreep const told = judged(made, 50);
  EXPECT_EQ(told.anchor, AnchorKind::improved);
  EXPECT_NEAR(told.anchor_from, 60, 1);
  EXPECT_EQ(told.status, Status::drifted);
}

TEST_F(Anchors, ARepairIsNoImprovement) {
  MadeHistory made = flat(160);
  add_level(made, 60, 0.02);
  add_level(made, 90, -0.012);
  std::fill(made.improved.begin() + 90, made.improved.end(), true);
  CaseCreep const told = judged(made, 50);
  EXPECT_EQ(told.anchor, AnchorKind::release);
  EXPECT_EQ(told.status, Status::drifted) << "0.8 % of the rise remain after the repair";
}

TEST_F(Anchors, WhereTheCardWasReplacedAnAcceptedBaselineIsTheAnchor) {
  MadeHistory made = flat(120);
  made.accepted = {60};
  CaseHistory one = made.upto(120);
  for (std::size_t i = 60; i < 120; ++i) one.points[i].group = 1;
  CaseCreep const told = find_creep({one}, {.release = 50}).cases.front();
  EXPECT_EQ(told.anchor, AnchorKind::accepted);
  EXPECT_EQ(told.status, Status::steady);
}

}  // namespace
}  // namespace perfcheck::creep
