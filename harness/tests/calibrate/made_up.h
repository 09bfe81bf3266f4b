// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings of made-up cards with known noise.
#pragma once

#include "perfcheck/calibrate/replay.h"

#include <map>
#include <string>

namespace perfcheck::calibrate::testing {

struct MadeUp {
  int cases = 12;
  double session_sd = 0.0008;  ///< standard deviation of log ratio, cycles and time between sessions
  double round_sd = 0.0005;    ///< the same within a session
  double card_factor = 1;      ///< multiplies every time on this card
};

/// A run of `sessions` sessions on `card`; `slowdowns` in percent by case.
model::Run made_up_run(MadeUp const& made_up, std::string const& card, int sessions, std::uint64_t seed,
                       std::map<std::string, double> const& slowdowns = {});

std::string case_id_of(int index);

/// A card with a baseline of eight sessions and blocks of five with the given slowdowns.
Card made_up_card(MadeUp const& made_up, std::string const& name, std::uint64_t seed,
                  std::vector<std::map<std::string, double>> const& blocks);

}  // namespace perfcheck::calibrate::testing
