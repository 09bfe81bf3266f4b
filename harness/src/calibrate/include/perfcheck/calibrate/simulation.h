// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole checks of unchanged code on a known card, simulated with the noise of its recorded sessions: far more of them
// than anybody records. docs/evidence/README.md says what the model is and what it cannot show.
#pragma once

#include "perfcheck/calibrate/replay.h"

#include <string>
#include <vector>

namespace perfcheck::calibrate {

struct SimulationOptions {
  int checks = 1000;
  uint64_t seed = 1;
};

/// A decision of a simulated check other than pass.
struct SimulatedFinding {
  int check = 0;  ///< its number, from 1
  std::string id;
  model::Verdict verdict = model::Verdict::inconclusive;
  std::string reason_code;
  bool is_kernel = false;  ///< about all cases of a kernel together
};

/// Number of checks, and their outcomes.
struct SimulatedChecks {
  int checks = 0;
  int alarms = 0;         ///< with a case, or a kernel as a whole, called regressed or improved
  int kernel_alarms = 0;  ///< of these, with a kernel as a whole
  int undecided = 0;      ///< without an alarm, but with a case or a kernel that is not a pass
};

struct SimulatedCard {
  std::string name;
  std::size_t recorded_sessions = 0;  ///< that its noise is drawn from
  std::size_t baseline_sessions = 0;  ///< in the baseline of a simulated check
  SimulatedChecks result;
};

struct Simulation {
  std::vector<SimulatedCard> cards;
  std::vector<std::string> left_out;  ///< cards with too few sessions
  int confirm_sessions = 0;
  SimulatedChecks result;   ///< of all cards
  SimulatedChecks equal;    ///< of these, checks whose machine code is the baseline's
  SimulatedChecks rebuilt;  ///< of these, checks whose own kernels have other machine code
  long long decisions = 0;  ///< about a case
  long long flagged = 0;    ///< of these, sent to confirmation
  std::vector<SimulatedFinding> findings;
};

/// Simulates checks on the cards in turn. The logarithms of time, ratio and cycles of each card's sessions are split
/// into a level per case, a part common to all cases of a session (the median over them), and the rest. A simulated
/// session combines the common part of one recorded session with the rest of another. It takes the rest of all cases
/// from the same session, which preserves what cases have in common; in a check each recorded session provides either
/// part at most once. If a case was slowed down in that session, its rest and tail come from another session.
///
/// A check compares one screen and policy.confirm_sessions such sessions with a baseline of as many sessions as the
/// card's recording without slowdown has, or of fewer if too few are recorded. In every second check of a card the
/// program's own kernels have other machine code, as after a commit that changed them all.
///
/// `baselines[i]` is the recording of sessions without slowdown on the card of cards[i], cards[i].baselines.front()
/// what was accepted of it. Throws std::invalid_argument where no card has enough sessions.
Simulation simulate(std::vector<Card> const& cards, std::vector<model::Run> const& baselines,
                    gate::Policy const& policy, SimulationOptions const& options);

}  // namespace perfcheck::calibrate
