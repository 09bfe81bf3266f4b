// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings of calibrations, and the baselines that they are compared with.
#pragma once

#include "perfcheck/calibrate/simulation.h"
#include "perfcheck/console/context.h"

#include <string>
#include <vector>

namespace perfcheck::calibrations {

/// All recordings, in the form that decisions need.
struct Evidence {
  std::vector<calibrate::Card> cards;
  std::vector<model::Run> baselines;  ///< each card's own recording without slowdown
  gate::Policy policy;
  std::string compared_with;  ///< what the cards' baselines are, for a person
};

/// What recordings are compared with.
enum class Against { own, others, stored };

struct EvidenceOptions {
  std::string data;  ///< folder of the recordings
  Against against = Against::own;
  std::string baselines;  ///< --baselines; empty: as perfcheck.toml says
};

/// Reads the recordings in `data`, with the baselines that the options ask for. Throws CommandError if nothing can be
/// decided: no recording, no complete block, no stored baseline or one that cannot be trusted, no other card to hold
/// out.
Evidence read_evidence(EvidenceOptions const& options, Context const& context);

/// Throws CommandError where no card has enough sessions.
calibrate::Simulation simulate(Evidence const& evidence, int checks);

}  // namespace perfcheck::calibrations
