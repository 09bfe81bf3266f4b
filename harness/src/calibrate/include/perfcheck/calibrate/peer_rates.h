// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of other tools on the sessions that the gate was replayed on.
#pragma once

#include "perfcheck/calibrate/rates.h"

#include <string>
#include <vector>

namespace perfcheck::calibrate {

/// One rule's record. A trial is a session and a case, judged against the baseline's sessions of the same card.
struct PeerRates {
  std::string name, source;
  int untouched = 0;      ///< trials without slowdown
  int false_alarms = 0;   ///< of those, called slower or faster
  int screens = 0;        ///< sessions
  int false_screens = 0;  ///< with a false alarm
  RatesByPercent device;  ///< slowdowns made on the device, of launches of all lengths
};

/// Every rule of peers::rules(). `baselines[i]` is the recording of sessions without slowdown on the card of cards[i].
std::vector<PeerRates> peer_rates(std::vector<Card> const& cards, std::vector<model::Run> const& baselines);

/// Our own record in the same form.
PeerRates own_rates(SuiteRates const& rates);

}  // namespace perfcheck::calibrate
