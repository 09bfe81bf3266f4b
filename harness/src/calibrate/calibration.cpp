// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrate/calibration.h"

namespace perfcheck::calibrate {
namespace {

Place place_of(Card const& card, model::Run const& baseline) {
  model::Session const& session = baseline.sessions.front();
  Place place{.card = session.device.uuid,
              .device = session.device.name,
              .driver = session.environment.driver,
              .commit = baseline.source.commit,
              .libraries = session.environment.libraries,
              .baseline_sessions = baseline.sessions.size(),
              .blocks = {}};
  for (Block const& block : card.blocks) {
    place.blocks.push_back(block.name);
  }
  return place;
}

}  // namespace

Calibration calibrate(std::vector<Card> const& cards, std::vector<model::Run> const& baselines,
                      gate::Policy const& policy, ReplayOptions const& options) {
  Replay const replayed = replay(cards, policy, options);
  Calibration calibration;
  calibration.confirm_sessions = policy.confirm_sessions;
  calibration.rates = rates_of(cards, replayed);
  calibration.misses = misses_of(calibration.rates);
  calibration.rules = {own_rates(calibration.rates)};
  std::vector<model::Run const*> runs;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    calibration.places.push_back(place_of(cards[i], baselines[i]));
    calibration.suite = baselines[i].suite;
    runs.push_back(&baselines[i]);
    for (Block const& block : cards[i].blocks) {
      runs.push_back(&block.run);
    }
  }
  calibration.noise = noise_of(runs);
  return calibration;
}

}  // namespace perfcheck::calibrate
