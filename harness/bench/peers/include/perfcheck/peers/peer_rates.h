// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of other tools on the sessions that the gate was replayed on.
#pragma once

#include "perfcheck/calibrate/rule_rates.h"

#include <vector>

namespace perfcheck::peers {

/// Every rule of rules(). `baselines[i]` is the recording of sessions without slowdown on the card of cards[i].
std::vector<calibrate::RuleRates> peer_rates(std::vector<calibrate::Card> const& cards,
                                             std::vector<model::Run> const& baselines);

}  // namespace perfcheck::peers
