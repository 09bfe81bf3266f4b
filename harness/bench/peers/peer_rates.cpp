// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/peers/peer_rates.h"

#include "perfcheck/model/summary.h"
#include "perfcheck/peers/peers.h"

namespace perfcheck::peers {
namespace {

Session session_of(model::CaseResult const& result) {
  return {.time_ns = result.rounds->time_ns, .clock_mhz = result.rounds->clock_mhz};
}

using History = std::map<std::string, std::vector<Session>>;

History history_of(model::Run const& baseline) {
  History history;
  for (model::Session const& session : baseline.sessions) {
    for (model::CaseResult const& result : session.cases) {
      if (model::summarize(result)) {
        history[result.id].push_back(session_of(result));
      }
    }
  }
  return history;
}

void count(Rule const& rule, History const& history, model::Session const& session, calibrate::RuleRates& rates) {
  bool alarmed = false;
  for (model::CaseResult const& result : session.cases) {
    auto const stored = history.find(result.id);
    if (stored == history.end() || !model::summarize(result)) {
      continue;
    }
    Answer const answer = rule.judge(stored->second, session_of(result));
    if (result.injected_percent > 0) {
      calibrate::Rate& rate = rates.device[result.injected_percent];
      ++rate.trials;
      rate.found += answer == Answer::slower ? 1 : 0;
      continue;
    }
    bool const alarm = answer == Answer::slower || answer == Answer::faster;
    ++rates.untouched;
    rates.false_alarms += alarm ? 1 : 0;
    alarmed = alarmed || alarm;
  }
  ++rates.screens;
  rates.false_screens += alarmed ? 1 : 0;
}

}  // namespace

std::vector<calibrate::RuleRates> peer_rates(std::vector<calibrate::Card> const& cards,
                                             std::vector<model::Run> const& baselines) {
  std::vector<calibrate::RuleRates> all;
  for (Rule const& rule : rules()) {
    all.push_back({.name = std::string(rule.name), .source = std::string(rule.source), .device = {}});
  }
  for (std::size_t card = 0; card < cards.size(); ++card) {
    History const history = history_of(baselines[card]);
    for (calibrate::Block const& block : cards[card].blocks) {
      for (model::Session const& session : block.run.sessions) {
        for (std::size_t i = 0; i < all.size(); ++i) {
          count(rules()[i], history, session, all[i]);
        }
      }
    }
  }
  return all;
}

}  // namespace perfcheck::peers
