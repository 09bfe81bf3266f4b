// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/simulation.h"

#include "made_up.h"

#include <gtest/gtest.h>

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

/// Cards of 8 sessions and two blocks of 5, and the recordings behind them.
struct Recorded {
  std::vector<Card> cards;
  std::vector<model::Run> baselines;
};

Recorded recorded(MadeUp const& made_up, std::vector<std::string> const& names) {
  Recorded all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    all.cards.push_back(made_up_card(made_up, names[i], 10 * i + 1, {{{case_id_of(0), 5}}, {}}));
    all.baselines.push_back(made_up_run(made_up, names[i], 8, 10 * i + 1));
  }
  return all;
}

Simulation simulated(Recorded const& of, int checks, gate::Policy const& policy) {
  return simulate(of.cards, of.baselines, policy, {.checks = checks});
}

TEST(Simulate, CountsEveryCheckOnceByCardAndByCode) {
  Simulation const simulation = simulated(recorded({}, {"a", "b"}), 30, policy());
  EXPECT_EQ(simulation.result.checks, 30);
  ASSERT_EQ(simulation.cards.size(), 2U);
  EXPECT_EQ(simulation.cards[0].result.checks, 15);
  EXPECT_EQ(simulation.cards[0].recorded_sessions, 18U);
  EXPECT_EQ(simulation.cards[0].baseline_sessions, 8U);
  EXPECT_EQ(simulation.equal.checks, 16);
  EXPECT_EQ(simulation.rebuilt.checks, 14);
  EXPECT_EQ(simulation.decisions, 30 * 12);
  EXPECT_EQ(simulation.result.alarms, 0);
  EXPECT_TRUE(simulation.left_out.empty());
}

TEST(Simulate, NoiseThatAPolicyIgnoresIsAnAlarm) {
  // Six references are too few to notice that the machine changed.
  gate::Policy reckless = policy();
  reckless.margin = reckless.kernel_margin_share = 0;
  reckless.alpha = reckless.screen_alpha = 0.4;
  Simulation const simulation = simulated(recorded({.cases = 6, .session_sd = 0.004}, {"a"}), 40, reckless);
  EXPECT_GT(simulation.result.alarms, 10);
  int alarms = 0;
  for (SimulatedFinding const& finding : simulation.findings) {
    EXPECT_NE(finding.verdict, Verdict::pass);
    EXPECT_GE(finding.check, 1);
    EXPECT_LE(finding.check, 40);
    alarms += finding.verdict == Verdict::regressed || finding.verdict == Verdict::improved ? 1 : 0;
  }
  EXPECT_GE(alarms, simulation.result.alarms);
}

TEST(Simulate, TheFirstChecksAreTheSameHoweverManyFollow) {
  Recorded const noisy = recorded({.session_sd = 0.02}, {"a", "b"});
  Simulation const few = simulated(noisy, 6, policy()), more = simulated(noisy, 20, policy());
  ASSERT_FALSE(few.findings.empty()) << "2 % between sessions should leave some cases open";
  ASSERT_GT(more.findings.size(), few.findings.size());
  for (std::size_t i = 0; i < few.findings.size(); ++i) {
    EXPECT_EQ(few.findings[i].check, more.findings[i].check);
    EXPECT_EQ(few.findings[i].id, more.findings[i].id);
    EXPECT_EQ(few.findings[i].reason_code, more.findings[i].reason_code);
  }
  EXPECT_GT(few.result.undecided, 0);
}

TEST(Simulate, ACardWithTooFewSessionsIsLeftOut) {
  Recorded all = recorded({}, {"a", "b"});
  all.cards[1].blocks.clear();  // 8 sessions: five are fresh, three remain
  EXPECT_TRUE(simulated(all, 2, policy()).left_out.empty());
  all.baselines[1].sessions.pop_back();
  EXPECT_EQ(simulated(all, 2, policy()).left_out, std::vector<std::string>{"b"});
  Recorded const only{.cards = {all.cards[1]}, .baselines = {all.baselines[1]}};
  EXPECT_THROW(simulated(only, 2, policy()), std::invalid_argument);
}

}  // namespace
}  // namespace perfcheck::calibrate::testing
