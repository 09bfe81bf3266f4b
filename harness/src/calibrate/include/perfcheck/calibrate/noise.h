// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the noise of a case comes from: rounds of one process, processes of one card, cards of one model.
#pragma once

#include "perfcheck/calibrate/replay.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::calibrate {

/// Standard deviations as shares of the value. Absent where nothing can be said.
struct NoiseSplit {
  std::optional<double> rounds;    ///< of single rounds within a session: median of 1.4826 * MAD
  std::optional<double> sessions;  ///< of session medians of one card, pooled over the cards
  /// Of cards: from the scatter of the cards' means, less what the sessions behind them explain (method of moments for
  /// one random effect, Searle, Casella and McCulloch 1992, ch. 3). Needs two cards; 0 when sessions explain it all.
  std::optional<double> cards;
};

struct CaseNoise {
  NoiseSplit ratio, cycles, time;
};

/// The noise of each case, from all sessions in which it was not slowed down.
std::map<std::string, CaseNoise> noise_of(std::vector<model::Run const*> const& runs);

}  // namespace perfcheck::calibrate
