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

using Screen = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
Screen screen_of(Trial const& trial) { return {trial.card, trial.block, trial.screen, trial.baseline}; }

using BlockOf = std::pair<std::size_t, std::size_t>;
BlockOf block_of(Trial const& trial) { return {trial.card, trial.block}; }

template <typename Set>
Units units_of(Set const& all, Set const& alarmed) {
  return {.of = static_cast<int>(all.size()), .alarmed = static_cast<int>(alarmed.size())};
}

std::set<std::size_t> cards_of(std::set<BlockOf> const& blocks) {
  std::set<std::size_t> cards;
  for (auto const& [card, block] : blocks) {
    cards.insert(card);
  }
  return cards;
}

/// Collects the decisions where nothing changed.
class Quiet {
 public:
  void leave_out(Trial const& trial) {
    if (trial.is_changed) {
      changed_.insert(trial.id);
    } else if (trial.origin == Origin::none) {
      ++no_alarm_possible_[trial.reason_code];
    }
  }

  void count_case(Trial const& trial) {
    screens_.insert(screen_of(trial));
    CardRates& of_card = by_card_[trial.card];
    ++of_card.untouched;
    of_card.flagged += trial.flagged ? 1 : 0;
    of_card.inconclusive += trial.verdict == Verdict::inconclusive ? 1 : 0;
    blocks_.insert(block_of(trial));
    if (is_alarm(trial)) {
      alarmed_.insert(screen_of(trial));
      alarmed_blocks_.insert(block_of(trial));
    }
    if (trial.verdict == Verdict::inconclusive) {
      undecided_.insert(screen_of(trial));
    }
  }

  void count_kernel(Trial const& trial) {
    if (is_alarm(trial)) {
      alarmed_kernels_.insert(screen_of(trial));
      blocks_.insert(block_of(trial));
      alarmed_blocks_.insert(block_of(trial));
    }
  }

  void tell(SuiteRates& suite) const {
    suite.blocks = units_of(blocks_, alarmed_blocks_);
    suite.cards = units_of(cards_of(blocks_), cards_of(alarmed_blocks_));
    suite.screens = static_cast<int>(screens_.size());
    suite.false_screens = static_cast<int>(alarmed_.size());
    suite.false_kernel_screens = static_cast<int>(alarmed_kernels_.size());
    suite.inconclusive_screens = static_cast<int>(undecided_.size());
    suite.no_alarm_possible = no_alarm_possible_;
    for (std::size_t card = 0; card < suite.by_card.size(); ++card) {
      suite.by_card[card] = of_card(card);
    }
    suite.changed.assign(changed_.begin(), changed_.end());
  }

 private:
  /// Number of screens or blocks that belong to the card; it is their first element.
  template <typename Set>
  static int count_of(std::size_t card, Set const& set) {
    return static_cast<int>(
        std::count_if(set.begin(), set.end(), [card](auto const& one) { return std::get<0>(one) == card; }));
  }

  CardRates of_card(std::size_t card) const {
    auto const counted = by_card_.find(card);
    CardRates rates = counted == by_card_.end() ? CardRates{} : counted->second;
    std::set<Screen> alarmed = alarmed_;
    alarmed.insert(alarmed_kernels_.begin(), alarmed_kernels_.end());
    rates.blocks = {.of = count_of(card, blocks_), .alarmed = count_of(card, alarmed_blocks_)};
    rates.screens = count_of(card, screens_);
    rates.false_screens = count_of(card, alarmed);
    return rates;
  }

  std::map<std::size_t, CardRates> by_card_;
  std::set<Screen> screens_, alarmed_, alarmed_kernels_, undecided_;
  std::set<BlockOf> blocks_, alarmed_blocks_;
  std::map<std::string, int> no_alarm_possible_;
  std::set<std::string> changed_;
};

/// Whether a rate includes the trial. A slowdown counts even if no alarm was possible, because it went unnoticed,
/// unless there is no baseline to compare with.
bool is_judged(Trial const& trial) {
  return could_alarm(trial) || (trial.origin != Origin::none && trial.verdict != Verdict::no_baseline);
}

void count(CaseRates& rates, Trial const& trial) {
  if (trial.origin == Origin::none) {
    ++rates.untouched;
    rates.flagged += trial.flagged ? 1 : 0;
    rates.false_alarms += is_alarm(trial) ? 1 : 0;
    rates.inconclusive += trial.verdict == Verdict::inconclusive ? 1 : 0;
    return;
  }
  Rate& rate = rates.slowed[trial.origin][trial.slowdown_percent];
  ++rate.trials;
  rate.found += trial.verdict == Verdict::regressed ? 1 : 0;
}

void describe(std::map<std::string, CaseRates>& cases, Card const& card) {
  for (model::Baseline const& baseline : card.baselines) {
    for (auto const& [id, stored] : baseline.cases) {
      CaseRates& rates = cases[id];
      rates.time_ns = stats::median(stored.time_ns).value_or(0);
      rates.library = stored.reference == id;
    }
  }
}

/// Costs of a case, by session; device_seconds only from sessions that recorded it.
struct Costs {
  std::vector<double> seconds, device_seconds;
};

void add_costs(std::map<std::string, Costs>& costs, Card const& card) {
  for (Block const& block : card.blocks) {
    for (model::Session const& session : block.run.sessions) {
      for (model::CaseResult const& result : session.cases) {
        Costs& of_case = costs[result.id];
        of_case.seconds.push_back(result.seconds);
        if (result.device_seconds) {
          of_case.device_seconds.push_back(*result.device_seconds);
        }
      }
    }
  }
}

/// The rate for slowdowns of a goal's size; no trials if the goal is not for this case. Goals are about changed code,
/// so Origin::equal is left out: where nothing says that the code changed, the gate deliberately gives the evidence
/// less weight.
Rate rate_of(CaseRates const& one, Goal const& goal) {
  Rate both;
  if (goal.short_launches != (one.time_ns < kShortLaunchNs)) {
    return both;
  }
  for (Origin const origin : {Origin::device, Origin::added}) {
    if (auto const found = one.of(origin).find(goal.percent); found != one.of(origin).end()) {
      both.trials += found->second.trials;
      both.found += found->second.found;
    }
  }
  return both;
}

}  // namespace

bool could_alarm(Trial const& trial) {
  switch (trial.verdict) {
    case Verdict::pass:
    case Verdict::regressed:
    case Verdict::improved: return true;
    // A case whose baseline has too few sessions is never tested.
    case Verdict::inconclusive: return trial.reason_code != "too_few_baseline_sessions";
    default: return false;
  }
}

SuiteRates rates_of(std::vector<Card> const& cards, Replay const& replay) {
  SuiteRates suite;
  std::map<std::string, CaseRates> by_id;
  std::map<std::string, Costs> costs;
  for (Card const& card : cards) {
    suite.baselines = std::max(suite.baselines, card.baselines.size());
    describe(by_id, card);
    add_costs(costs, card);
  }
  suite.by_card.resize(cards.size());
  Quiet quiet;
  std::map<std::tuple<std::string, Origin, double>, std::set<BlockOf>> units;
  std::map<std::string, std::vector<double>> detectable;
  for (Trial const& trial : replay.trials) {
    if (trial.is_changed || !is_judged(trial)) {
      quiet.leave_out(trial);
      continue;
    }
    count(by_id[trial.id], trial);
    units[{trial.id, trial.origin, trial.slowdown_percent}].insert(block_of(trial));
    bool const as_measured = trial.origin == Origin::none || trial.origin == Origin::device;
    if (as_measured && trial.detectable) {
      detectable[trial.id].push_back(*trial.detectable);
    }
    if (trial.origin == Origin::none) {
      quiet.count_case(trial);
    }
  }
  for (Trial const& trial : replay.kernels) {
    if (!trial.is_changed) {
      quiet.count_kernel(trial);
    }
  }
  quiet.tell(suite);
  for (auto& [id, rates] : by_id) {
    rates.id = id;
    rates.detectable = stats::median(detectable[id]);
    rates.seconds = stats::mean(costs[id].seconds).value_or(0);
    rates.device_seconds = stats::mean(costs[id].device_seconds);
    for (auto& [origin, by_percent] : rates.slowed) {
      for (auto& [percent, rate] : by_percent) {
        rate.units = static_cast<int>(units[{id, origin, percent}].size());
      }
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
    for (auto const& [percent, rate] : one.of(origin)) {
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
