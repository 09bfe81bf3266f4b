// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/rates.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace perfcheck::calibrate {
namespace {

using model::Verdict;

bool is_alarm(Trial const& trial) { return trial.verdict == Verdict::regressed || trial.verdict == Verdict::improved; }

using Screen = std::tuple<std::size_t, std::size_t, std::size_t>;
Screen screen_of(Trial const& trial) { return {trial.card, trial.block, trial.screen}; }

void count(CaseRates& rates, Trial const& trial) {
  if (trial.origin == Origin::none) {
    ++rates.untouched;
    rates.flagged += trial.flagged ? 1 : 0;
    rates.false_alarms += is_alarm(trial) ? 1 : 0;
    rates.inconclusive += trial.verdict == Verdict::inconclusive ? 1 : 0;
    return;
  }
  Rate& rate = (trial.origin == Origin::device ? rates.device : rates.added)[trial.slowdown_percent];
  ++rate.trials;
  rate.found += trial.verdict == Verdict::regressed ? 1 : 0;
}

void describe(std::map<std::string, CaseRates>& cases, Card const& card) {
  for (auto const& [id, stored] : card.baseline.cases) {
    CaseRates& rates = cases[id];
    rates.time_ns = stats::median(stored.time_ns).value_or(0);
    rates.library = stored.reference == id;
  }
}

/// What became of slowdowns of a goal's size, of either origin; no trials where the goal is not this case's.
Rate rate_of(CaseRates const& one, Goal const& goal) {
  Rate both;
  if (goal.short_launches != (one.time_ns < kShortLaunchNs)) {
    return both;
  }
  for (RatesByPercent const* origin : {&one.device, &one.added}) {
    if (auto const found = origin->find(goal.percent); found != origin->end()) {
      both.trials += found->second.trials;
      both.found += found->second.found;
    }
  }
  return both;
}

}  // namespace

SuiteRates rates_of(std::vector<Card> const& cards, Replay const& replay) {
  SuiteRates suite;
  suite.cards = cards.size();
  std::map<std::string, CaseRates> by_id;
  std::map<std::string, std::vector<double>> seconds, device_seconds;
  for (Card const& card : cards) {
    suite.blocks += card.blocks.size();
    describe(by_id, card);
    for (Block const& block : card.blocks) {
      for (model::Session const& session : block.run.sessions) {
        for (model::CaseResult const& result : session.cases) {
          seconds[result.id].push_back(result.seconds);
          if (result.device_seconds) {
            device_seconds[result.id].push_back(*result.device_seconds);
          }
        }
      }
    }
  }
  std::set<Screen> screens, alarmed, alarmed_kernels, undecided;
  std::map<std::tuple<std::string, Origin, double>, std::set<std::pair<std::size_t, std::size_t>>> units;
  std::map<std::string, std::vector<double>> detectable;
  for (Trial const& trial : replay.trials) {
    CaseRates& rates = by_id[trial.id];
    count(rates, trial);
    units[{trial.id, trial.origin, trial.slowdown_percent}].insert({trial.card, trial.block});
    if (trial.origin == Origin::added) {
      continue;
    }
    screens.insert(screen_of(trial));
    if (trial.origin == Origin::none && is_alarm(trial)) {
      alarmed.insert(screen_of(trial));
    }
    if (trial.origin == Origin::none && trial.verdict == Verdict::inconclusive) {
      undecided.insert(screen_of(trial));
    }
    if (trial.detectable) {
      detectable[trial.id].push_back(*trial.detectable);
    }
  }
  for (Trial const& trial : replay.kernels) {
    if (is_alarm(trial)) {
      alarmed_kernels.insert(screen_of(trial));
    }
  }
  suite.screens = static_cast<int>(screens.size());
  suite.false_screens = static_cast<int>(alarmed.size());
  suite.false_kernel_screens = static_cast<int>(alarmed_kernels.size());
  suite.inconclusive_screens = static_cast<int>(undecided.size());
  for (auto& [id, rates] : by_id) {
    rates.id = id;
    rates.detectable = stats::median(detectable[id]);
    rates.seconds = stats::mean(seconds[id]).value_or(0);
    rates.device_seconds = stats::mean(device_seconds[id]);
    for (auto& [percent, rate] : rates.device) {
      rate.units = static_cast<int>(units[{id, Origin::device, percent}].size());
    }
    for (auto& [percent, rate] : rates.added) {
      rate.units = static_cast<int>(units[{id, Origin::added, percent}].size());
    }
    suite.cases.push_back(std::move(rates));
  }
  return suite;
}

RatesByPercent pooled(SuiteRates const& rates, Origin origin, Group group) {
  RatesByPercent sum;
  for (CaseRates const& one : rates.cases) {
    if (!group.holds(one)) {
      continue;
    }
    for (auto const& [percent, rate] : origin == Origin::device ? one.device : one.added) {
      sum[percent].trials += rate.trials;
      sum[percent].found += rate.found;
      sum[percent].units += rate.units;
    }
  }
  return sum;
}

std::vector<Miss> misses_of(SuiteRates const& rates) {
  std::vector<Miss> misses;
  for (CaseRates const& one : rates.cases) {
    for (Goal const& goal : kGoals) {
      Rate const rate = rate_of(one, goal);
      if (rate.trials > 0 && rate.share() < goal.share) {
        misses.push_back({.id = one.id, .goal = goal, .reached = rate.share(), .trials = rate.trials});
      }
    }
  }
  return misses;
}

std::size_t cases_with_goals_tried(SuiteRates const& rates) {
  return static_cast<std::size_t>(std::count_if(rates.cases.begin(), rates.cases.end(), [](CaseRates const& one) {
    return std::any_of(std::begin(kGoals), std::end(kGoals),
                       [&](Goal const& goal) { return rate_of(one, goal).trials > 0; });
  }));
}

}  // namespace perfcheck::calibrate
