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
  // A third of the twelve cases, twice for each session; every other one of them keeps the hashes of its code.
  for (Origin const origin : {Origin::added, Origin::equal}) {
    std::vector<Trial> const slowed = of(replay, origin);
    EXPECT_EQ(slowed.size(), 5U * 2 * 2);
    for (Trial const& trial : slowed) {
      if (trial.slowdown_percent == 3) {
        EXPECT_EQ(trial.verdict, Verdict::regressed) << trial.id << " " << trial.reason_code;
      }
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
  // Two cases are 5 % slower in every later session, though the machine code is that of the baseline.
  std::map<std::string, double> const slow = {{case_id_of(0), 5}, {case_id_of(4), 5}};
  card.blocks.front().run = made_up_run({}, "a", 5, 4, slow);
  for (model::Session& session : card.blocks.front().run.sessions) {
    for (model::CaseResult& result : session.cases) {
      result.injected_percent = 0;  // the harness must not know of the slowdown
      result.launches.emplace_back().machine_code = "same";
      card.baselines.front().cases[result.id].machine_code = model::machine_code_of(result);
      card.baselines.front().cases[result.id].launches = model::launch_hash_of(result);
    }
  }
  for (Trial const& trial : of(calibrate::replay({card}, policy(), few()), Origin::none)) {
    EXPECT_EQ(trial.verdict, slow.contains(trial.id) ? Verdict::regressed : Verdict::pass) << trial.id;
  }
}

TEST(Replay, EveryBaselineOfACardDecidesAboutAllOfItsBlocks) {
  Card card = made_up_card({}, "a", 1, {{}, {}});
  // A second baseline, of kernels that were 5 % faster: compared with it, every case regressed.
  model::Baseline& faster = card.baselines.emplace_back(card.baselines.front());
  for (auto& [id, stored] : faster.cases) {
    for (auto* column : {&stored.time_ns, &stored.ratio, &stored.cycles}) {
      for (double& value : *column) value *= 0.95;
    }
  }
  Replay const replay = calibrate::replay({card}, policy(), few());
  std::vector<Trial> const untouched = of(replay, Origin::none);
  ASSERT_EQ(untouched.size(), 2U * 2 * 5 * 12);
  for (Trial const& trial : untouched) {
    EXPECT_EQ(trial.verdict, trial.baseline == 0 ? Verdict::pass : Verdict::regressed) << trial.id;
  }
  EXPECT_EQ(of(replay, Origin::added).size(), 2U * 2 * 5 * 2) << "the baselines share the two repetitions";
  Trial const& last = replay.trials.back();
  EXPECT_EQ(last.baseline, 1U);
  EXPECT_EQ(last.block, 1U);
  EXPECT_EQ(last.screen, 4U);
}

TEST(Replay, CasesOfOtherCodeThanTheirBaselinesAreMarked) {
  Card card = made_up_card({}, "a", 1, {{}});
  for (model::Session& session : card.blocks.front().run.sessions) {
    for (model::CaseResult& result : session.cases) {
      result.launches.emplace_back().machine_code = "new";
      // Case 0 has different code. Case 2 has equal code. Of all others, the code is known on one side only.
      bool const is_old = result.id == case_id_of(0);
      card.baselines.front().cases[result.id].machine_code = is_old ? "old"
                                                             : result.id == case_id_of(2)
                                                                 ? model::machine_code_of(result)
                                                                 : "";
    }
  }
  Replay const replay = calibrate::replay({card}, policy(), few());
  for (Trial const& trial : replay.trials) {
    EXPECT_EQ(trial.is_changed, trial.id == case_id_of(0)) << trial.id;
  }
  for (Trial const& trial : replay.kernels) {
    EXPECT_EQ(trial.is_changed, trial.id == "kernel0") << trial.id;
  }
}

TEST(Replay, SlowRoundsOfASessionAreNotForgotten) {
  Card card = made_up_card({}, "a", 1, {{}});
  for (model::Session& session : card.blocks.front().run.sessions) {
    // Two of nine rounds take twice as long; the median does not change.
    for (int const round : {0, 1}) session.cases[3].rounds->time_ns[static_cast<std::size_t>(round)] *= 2;
  }
  for (Trial const& trial : of(calibrate::replay({card}, policy(), few()), Origin::none)) {
    EXPECT_EQ(trial.reason_code == "new_tail", trial.id == case_id_of(3)) << trial.id << " " << trial.reason_code;
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
