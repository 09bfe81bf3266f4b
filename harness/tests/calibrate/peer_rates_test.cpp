// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/peers/peer_rates.h"

#include "made_up.h"

#include <gtest/gtest.h>

namespace perfcheck::calibrate::testing {
namespace {

RuleRates const& rule(std::vector<RuleRates> const& all, std::string const& name) {
  return *std::find_if(all.begin(), all.end(), [&](RuleRates const& one) { return one.name == name; });
}

TEST(PeerRates, EveryRuleIsCountedOnTheSameTrials) {
  MadeUp const made_up;
  std::map<std::string, double> const slow = {{case_id_of(0), 20}, {case_id_of(1), 20}};
  std::vector<RuleRates> const all =
      peers::peer_rates({made_up_card(made_up, "a", 1, {slow})}, {made_up_run(made_up, "a", 8, 1)});
  EXPECT_GE(all.size(), 10U);
  for (RuleRates const& one : all) {
    EXPECT_EQ(one.untouched, 5 * 10) << one.name;
    EXPECT_EQ(one.screens, 5) << one.name;
    EXPECT_EQ(one.device.at(20).trials, 10) << one.name;
    EXPECT_FALSE(one.source.empty()) << one.name;
  }
  // 20 % exceeds the threshold of 10 % but not that of 200 %; noise of 0.1 % exceeds neither.
  EXPECT_EQ(rule(all, "10 % (CodSpeed)").device.at(20).found, 10);
  EXPECT_EQ(rule(all, "10 % (CodSpeed)").false_alarms, 0);
  EXPECT_EQ(rule(all, "200 % (github-action-benchmark)").device.at(20).found, 0);
  // Sessions differ by more than rounds do; a rank test over rounds calls that a difference.
  EXPECT_GT(rule(all, "google/benchmark").false_alarms, 5);
  EXPECT_GT(rule(all, "google/benchmark").false_screens, 2);
}

TEST(PeerRates, OursAreCountedAlike) {
  using model::Verdict;
  Trial untouched{.id = "a", .verdict = Verdict::improved, .reason_code = {}};
  Trial found{
      .id = "b", .origin = Origin::device, .slowdown_percent = 1, .verdict = Verdict::regressed, .reason_code = {}};
  Trial added = found;
  added.origin = Origin::added;
  Trial missed = found;
  missed.verdict = Verdict::inconclusive;
  RuleRates const own = own_rates(rates_of({}, {.trials = {untouched, found, added, missed}, .kernels = {}}));
  EXPECT_EQ(own.untouched, 1);
  EXPECT_EQ(own.false_alarms, 1);
  EXPECT_EQ(own.screens, 1);
  EXPECT_EQ(own.false_screens, 1);
  EXPECT_EQ(own.device.at(1).trials, 2);
  EXPECT_EQ(own.device.at(1).found, 1);
}

}  // namespace
}  // namespace perfcheck::calibrate::testing
