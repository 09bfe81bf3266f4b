// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings of calibrations, and the baselines that they are compared with.
#pragma once

#include "command_line/options.h"
#include "perfcheck/calibrate/simulation.h"

#include <string>
#include <vector>

namespace perfcheck::cli {

/// Everything recorded, as decisions need it.
struct Evidence {
  std::vector<calibrate::Card> cards;
  std::vector<model::Run> baselines;  ///< each card's own recording without slowdown
  gate::Policy policy;
  std::string compared_with;  ///< what the cards' baselines are, for a person
};

/// What --data holds, compared as the options say. Throws CommandError where nothing can be decided: no recording, no
/// complete block, no stored baseline or one that cannot be trusted, no other card to hold out.
Evidence read_evidence(Options const& options);

/// Throws CommandError where no card has enough sessions.
calibrate::Simulation simulate(Evidence const& evidence, int checks);

}  // namespace perfcheck::cli
