// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/replay.h"

#include "made_up.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace perfcheck::calibrate::testing {
namespace {

using model::Verdict;

gate::Policy policy() {
  gate::Policy policy;
  policy.margin = 0.005;
  policy.confirm_sessions = 4;
  return policy;
}

ReplayOptions few() { return {.repetitions = 2, .percents = {1, 3}, .seed = 1}; }

std::vector<Trial> of(Replay const& replay, Origin origin) {
  std::vector<Trial> trials;
  std::copy_if(replay.trials.begin(), replay.trials.end(), std::back_inserter(trials),
               [&](Trial const& trial) { return trial.origin == origin; });
  return trials;
}

TEST(Replay, EverySessionScreensEveryCaseOnce) {
  std::map<std::string, double> const slow = {{case_id_of(0), 3}, {case_id_of(1), 3}};
  Replay const replay = calibrate::replay({made_up_card({}, "a", 1, {slow, {}})}, policy(), few());
  EXPECT_EQ(of(replay, Origin::device).size(), 5U * 2);
  EXPECT_EQ(of(replay, Origin::none).size(), 5U * 10 + 5U * 12);
  std::set<std::size_t> screens;
  for (Trial const& trial : replay.trials) {
    screens.insert(trial.block * 100 + trial.screen);
  }
  EXPECT_EQ(screens.size(), 10U);
}

TEST(Replay, SlowdownsOfTheDeviceAreFoundAndNothingElse) {
  std::map<std::string, double> const slow = {{case_id_of(2), 3}, {case_id_of(5), 3}};
  Replay const replay = calibrate::replay({made_up_card({}, "a", 3, {slow})}, policy(), few());
  for (Trial const& trial : of(replay, Origin::device)) {
    EXPECT_EQ(trial.verdict, Verdict::regressed) << trial.id << " " << trial.reason_code;
    EXPECT_TRUE(trial.flagged);
    EXPECT_EQ(trial.slowdown_percent, 3);
  }
  for (Trial const& trial : of(replay, Origin::none)) {
    EXPECT_EQ(trial.verdict, Verdict::pass) << trial.id << " " << trial.reason_code;
  }
}

TEST(Replay, SlowdownsAddedAfterwardsAreFoundLikeThoseOfTheDevice) {
  Replay const replay = calibrate::replay({made_up_card({}, "a", 5, {{}})}, policy(), few());
  std::vector<Trial> const added = of(replay, Origin::added);
  EXPECT_EQ(added.size(), 5U * 2 * 4);  // a third of twelve cases, twice for each session
  for (Trial const& trial : added) {
    if (trial.slowdown_percent == 3) {
      EXPECT_EQ(trial.verdict, Verdict::regressed) << trial.id << " " << trial.reason_code;
    }
  }
}

TEST(Replay, TheScreensDataConfirmNothing) {
  Card card = made_up_card({}, "a", 3, {{}});
  for (double& time : card.blocks.front().run.sessions.front().cases[2].rounds->time_ns) {
    time *= 1.05;
  }
  std::vector<Trial> const trials = of(calibrate::replay({card}, policy(), few()), Origin::none);
  auto const trial = std::find_if(trials.begin(), trials.end(),
                                  [](Trial const& one) { return one.screen == 0 && one.id == case_id_of(2); });
  ASSERT_NE(trial, trials.end());
  EXPECT_TRUE(trial->flagged);
  EXPECT_EQ(trial->verdict, Verdict::pass) << trial->reason_code;
}

TEST(Replay, WholeKernelsAreJudgedWithoutTheCasesThatWereSlowedDown) {
  std::map<std::string, double> const slow = {{case_id_of(0), 5}};
  Replay const replay = calibrate::replay({made_up_card({}, "a", 7, {slow})}, policy(), few());
  EXPECT_EQ(replay.kernels.size(), 5U * 3);
  for (Trial const& trial : replay.kernels) {
    EXPECT_EQ(trial.verdict, Verdict::pass) << trial.id;
  }
}

TEST(Replay, EqualMachineCodeIsNoExcuse) {
  Card card = made_up_card({}, "a", 9, {{}});
  // Every later session is 5 % slower, though the machine code is that of the baseline.
  MadeUp const slower{.card_factor = 1.05};
  card.blocks.front().run = made_up_run(slower, "a", 5, 4);
  for (model::Session& session : card.blocks.front().run.sessions) {
    for (model::CaseResult& result : session.cases) {
      result.launches.emplace_back().machine_code = "same";
      card.baseline.cases[result.id].machine_code = model::machine_code_of(result);
      card.baseline.cases[result.id].launches = model::launch_hash_of(result);
    }
  }
  for (Trial const& trial : of(calibrate::replay({card}, policy(), few()), Origin::none)) {
    EXPECT_NE(trial.reason_code, "control_moved") << trial.id;
  }
}

TEST(Replay, ABlockThatCannotConfirmIsAnError) {
  Card card = made_up_card({}, "a", 1, {{}});
  card.blocks.front().run.sessions.pop_back();
  EXPECT_THROW(calibrate::replay({card}, policy(), few()), std::invalid_argument);
}

TEST(Replay, ACaseMissingInASessionIsAnError) {
  Card card = made_up_card({}, "a", 1, {{}});
  card.blocks.front().run.sessions.front().cases.pop_back();
  EXPECT_THROW(calibrate::replay({card}, policy(), few()), std::invalid_argument);
}

TEST(Replay, EqualSeedsGiveEqualTrials) {
  std::vector<Card> const cards = {made_up_card({}, "a", 1, {{}})};
  Replay const one = calibrate::replay(cards, policy(), few()), two = calibrate::replay(cards, policy(), few());
  ASSERT_EQ(one.trials.size(), two.trials.size());
  for (std::size_t i = 0; i < one.trials.size(); ++i) {
    EXPECT_EQ(one.trials[i].id, two.trials[i].id);
    EXPECT_EQ(one.trials[i].verdict, two.trials[i].verdict);
  }
}

}  // namespace
}  // namespace perfcheck::calibrate::testing
