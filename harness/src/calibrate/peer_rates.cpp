// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/peer_rates.h"

#include "perfcheck/model/summary.h"
#include "perfcheck/peers/peers.h"

namespace perfcheck::calibrate {
namespace {

peers::Session session_of(model::CaseResult const& result) {
  return {.time_ns = result.rounds->time_ns, .clock_mhz = result.rounds->clock_mhz};
}

using History = std::map<std::string, std::vector<peers::Session>>;

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

void count(peers::Rule const& rule, History const& history, model::Session const& session, PeerRates& rates) {
  bool alarmed = false;
  for (model::CaseResult const& result : session.cases) {
    auto const stored = history.find(result.id);
    if (stored == history.end() || !model::summarize(result)) {
      continue;
    }
    peers::Answer const answer = rule.judge(stored->second, session_of(result));
    if (result.injected_percent > 0) {
      Rate& rate = rates.device[result.injected_percent];
      ++rate.trials;
      rate.found += answer == peers::Answer::slower ? 1 : 0;
      continue;
    }
    bool const alarm = answer == peers::Answer::slower || answer == peers::Answer::faster;
    ++rates.untouched;
    rates.false_alarms += alarm ? 1 : 0;
    alarmed = alarmed || alarm;
  }
  ++rates.screens;
  rates.false_screens += alarmed ? 1 : 0;
}

}  // namespace

std::vector<PeerRates> peer_rates(std::vector<Card> const& cards, std::vector<model::Run> const& baselines) {
  std::vector<PeerRates> all;
  for (peers::Rule const& rule : peers::rules()) {
    all.push_back({.name = std::string(rule.name), .source = std::string(rule.source), .device = {}});
  }
  for (std::size_t card = 0; card < cards.size(); ++card) {
    History const history = history_of(baselines[card]);
    for (Block const& block : cards[card].blocks) {
      for (model::Session const& session : block.run.sessions) {
        for (std::size_t i = 0; i < all.size(); ++i) {
          count(peers::rules()[i], history, session, all[i]);
        }
      }
    }
  }
  return all;
}

PeerRates own_rates(SuiteRates const& rates) {
  PeerRates own{.name = "perfcheck",
                .source = "docs/how-the-gate-decides.md",
                .screens = rates.screens,
                .false_screens = rates.false_screens,
                .device = {}};
  for (CaseRates const& one : rates.cases) {
    own.untouched += one.untouched;
    own.false_alarms += one.false_alarms;
    for (auto const& [percent, rate] : one.of(Origin::device)) {
      own.device[percent].trials += rate.trials;
      own.device[percent].found += rate.found;
    }
  }
  return own;
}

}  // namespace perfcheck::calibrate
