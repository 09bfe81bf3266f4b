// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The results of a calibration.
#pragma once

#include "perfcheck/calibrate/noise.h"
#include "perfcheck/calibrate/rates.h"
#include "perfcheck/calibrate/rule_rates.h"

namespace perfcheck::calibrate {

/// Where one card's sessions were measured.
struct Place {
  std::string card, device, driver, commit;
  std::map<std::string, std::string> libraries;
  std::size_t baseline_sessions = 0;
  std::vector<std::string> blocks;  ///< names
};

struct Calibration {
  std::vector<Place> places;
  std::string suite;
  int confirm_sessions = 0;
  std::string compared_with;  ///< what every card's sessions were compared with
  SuiteRates rates;
  std::vector<Miss> misses;
  std::map<std::string, CaseNoise> noise;
  std::vector<RuleRates> rules;  ///< perfcheck's own first, then those that evidence adds
};

/// `baselines[i]` is the recording of sessions without slowdown on the card of cards[i].
Calibration calibrate(std::vector<Card> const& cards, std::vector<model::Run> const& baselines,
                      gate::Policy const& policy, ReplayOptions const& options);

}  // namespace perfcheck::calibrate
