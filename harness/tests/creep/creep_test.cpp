// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases of a device judged as a family, and which of them are not judged.
#include "made_histories.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace perfcheck::creep {
namespace {

using ::testing::ElementsAre;

/// 40 runs, then 40 that are slower by `rise`.
CaseHistory risen(double rise, Random& random, double sd = 0.0005) {
  MadeHistory made = made_history(80, {.sd = sd, .spikes = 0}, random);
  add_level(made, 40, rise);
  return made.upto(80);
}

CaseHistory with_code(CaseHistory one, int before, int after) {
  for (std::size_t i = 0; i < one.points.size(); ++i) one.points[i].code = i < 40 ? before : after;
  return one;
}

CaseCreep alone(CaseHistory const& one, Options const& options = {}) {
  return find_creep({one}, options).cases.front();
}

TEST(FindCreep, TellsHowFarAgainstWhatAndSinceWhen) {
  Random random(3);
  CaseCreep const told = alone(risen(std::log1p(0.01), random), {.release = 35});
  EXPECT_EQ(told.status, Status::drifted);
  EXPECT_EQ(told.reason, Reason::none);
  EXPECT_EQ(told.anchor, AnchorKind::release);
  EXPECT_EQ(told.anchor_to, 35);
  EXPECT_EQ(told.anchor_runs, 30);
  EXPECT_NEAR(told.drift, 0.01, 0.0005);
  EXPECT_LT(told.low, told.drift);
  EXPECT_GT(told.low, 0.009);
  EXPECT_LT(told.high, 0.0115);
  EXPECT_NEAR(told.onset, 40, 1);
  EXPECT_NEAR(told.alarm, 42, 1) << "the third run after the rise raises the alarm";
  EXPECT_EQ(told.margin, kMargin);
}

TEST(FindCreep, WithinTheMarginItIsCreepingAndBelowHalfOfItSteady) {
  Random random(5);
  EXPECT_EQ(alone(risen(0.0015, random)).status, Status::steady);
  EXPECT_EQ(alone(risen(0.0035, random)).status, Status::creeping);
  EXPECT_EQ(alone(risen(-0.02, random)).status, Status::steady) << "becoming faster is not creep";
}

TEST(FindCreep, TheMoreCasesTheMoreEachHasToShow) {
  // A rise in few, noisy runs: significant for a single case, but expected by chance among many cases.
  Random random(7);
  MadeHistory made = made_history(60, {.sd = 0.003, .spikes = 0}, random);
  add_level(made, 56, 0.018);
  while (alone(made.upto(60)).p < 1e-4) add_level(made, 56, -0.0002);
  CaseHistory const one = made.upto(60);
  ASSERT_EQ(alone(one).status, Status::drifted);
  double const p = alone(one).p;
  EXPECT_EQ(alone(one, {.alpha = p / 2}).status, Status::steady);

  std::vector<CaseHistory> cases;
  while (static_cast<double>(cases.size()) < 2 * Options().alpha / p && cases.size() < 400) {
    cases.push_back(made_history(60, {.correlation = 0.3, .spikes = 0}, random).upto(60));
  }
  ASSERT_LT(cases.size(), 400U) << p;
  cases.push_back(one);
  DeviceCreep const device = find_creep(cases, {});
  EXPECT_EQ(device.judged, static_cast<int>(cases.size()));
  EXPECT_EQ(device.cases.back().status, Status::steady);
}

TEST(FindCreep, ManySeriesTellHowMuchNeighboursAgree) {
  Random random(11);
  std::vector<CaseHistory> cases;
  for (int i = 0; i < 19; ++i) cases.push_back(made_history(150, {.correlation = 0.6}, random).upto(150));
  EXPECT_EQ(find_creep(cases, {}).correlation, 0.3) << "too few cases to estimate the correlation";
  for (int i = 0; i < 21; ++i) cases.push_back(made_history(150, {.correlation = 0.6}, random).upto(150));
  EXPECT_NEAR(find_creep(cases, {}).correlation, 0.65, 0.07);
}

TEST(FindCreep, ACaseOfUnchangedCodeIsJudgedTooAndIsAControl) {
  Random random(13);
  CaseHistory const one = with_code(risen(0.01, random), 7, 7);
  DeviceCreep const device = find_creep({one}, {});
  EXPECT_EQ(device.cases[0].status, Status::drifted) << "equal code must not acquit a case";
  EXPECT_EQ(device.cases[0].contributions.size(), 0U);
  EXPECT_EQ(device.controls, 1);
  EXPECT_EQ(device.controls_moved, 1);
  EXPECT_EQ(device.judged, 1);
  for (auto const& [before, after] : {std::pair{7, 8}, std::pair{-1, -1}}) {
    DeviceCreep const changed = find_creep({with_code(one, before, after)}, {});
    EXPECT_EQ(changed.cases[0].status, Status::drifted);
    EXPECT_EQ(changed.controls, 0) << "a case whose code is unknown or changed is not a control";
  }
}

TEST(FindCreep, WhereControlsMovedAsWellNoCaseIsBlamed) {
  Random random(17);
  for (int const moved : {1, 2}) {
    std::vector<CaseHistory> cases;
    for (int i = 0; i < 10; ++i) cases.push_back(with_code(risen(i < moved ? 0.01 : 0, random), i, i));
    cases.push_back(risen(0.01, random));
    DeviceCreep const device = find_creep(cases, {});
    EXPECT_EQ(device.controls_moved, moved);
    EXPECT_EQ(device.cases.back().status, moved == 1 ? Status::drifted : Status::unknown);
    EXPECT_EQ(device.cases.back().reason, moved == 1 ? Reason::none : Reason::controls_moved);
  }
}

TEST(FindCreep, LeavesOutWhatItIsToldTo) {
  Random random(19);
  CaseHistory one = risen(0.01, random);
  for (Reason const reason : {Reason::library, Reason::gone}) {
    one.left_out = reason;
    CaseCreep const told = alone(one);
    EXPECT_EQ(told.status, Status::left_out);
    EXPECT_EQ(told.reason, reason);
    EXPECT_EQ(find_creep({one}, {}).judged, 0);
  }
}

TEST(FindCreep, SaysWhatItCannotTell) {
  Random random(23);
  CaseHistory one = risen(0.01, random);
  EXPECT_EQ(alone({.id = "none"}).reason, Reason::few_runs);
  EXPECT_EQ(alone(one, {.release = 78}).reason, Reason::few_runs) << "only one run since the release";
  for (std::size_t i = 40; i < 80; ++i) one.points[i].group = 1;
  EXPECT_EQ(alone(one).reason, Reason::other_cards);
  EXPECT_EQ(alone(one).status, Status::unknown);
  one = risen(0.01, random);
  one.points[50].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(alone(one).reason, Reason::not_finite);
  one = risen(0.01, random);
  one.margin = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(alone(one).reason, Reason::not_finite);
}

TEST(FindCreep, CardsThatTakeTurnsAreNoCreepAndHideNone) {
  // Runs on four cards, 2 % apart, in random order: with and without a rise of 1 %.
  Random random(29);
  for (double const rise : {0.0, 0.01}) {
    MadeHistory made = made_history(120, {.sd = 0.0005, .spikes = 0}, random);
    add_level(made, 90, rise);
    CaseHistory one = made.upto(120);
    for (Point& point : one.points) {
      point.group = drawn(random, 0, 3);
      point.value += 0.02 * point.group;
    }
    EXPECT_EQ(alone(one, {.release = 80}).status, rise > 0 ? Status::drifted : Status::steady);
  }
}

TEST(FindCreep, ChangesOfALaunchBelowTheFloorAreOfNoInterest) {
  Random random(31);
  CaseHistory one = risen(0.01, random);
  one.time_ns = 1000;
  EXPECT_EQ(alone(one, {.floor_ns = 9}).status, Status::drifted);
  EXPECT_EQ(alone(one, {.floor_ns = 12}).status, Status::steady);
}

TEST(DeviceCreep, GivesTheCasesOfAStatus) {
  Random random(37);
  std::vector<CaseHistory> cases{risen(0, random), risen(0.01, random), risen(0, random)};
  cases[1].id = "crept";
  DeviceCreep const device = find_creep(cases, {});
  ASSERT_EQ(device.with(Status::drifted).size(), 1U);
  EXPECT_EQ(device.with(Status::drifted)[0]->id, "crept");
  EXPECT_EQ(device.with(Status::steady).size(), 2U);
}

TEST(Texts, AreThereForEveryValue) {
  EXPECT_EQ(to_text(Status::left_out), "left_out");
  EXPECT_EQ(to_text(AnchorKind::accepted), "the accepted baseline");
  EXPECT_EQ(to_text(Reason::none), "");
  EXPECT_EQ(to_text(Reason::few_runs), "too few runs");
}

}  // namespace
}  // namespace perfcheck::creep
