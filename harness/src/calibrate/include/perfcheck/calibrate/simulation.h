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

/// A decision of a simulated check that is no pass.
struct SimulatedFinding {
  int check = 0;  ///< its number, from 1
  std::string id;
  model::Verdict verdict = model::Verdict::inconclusive;
  std::string reason_code;
  bool is_kernel = false;  ///< about all cases of a kernel together
};

/// Checks, and what became of them.
struct SimulatedChecks {
  int checks = 0;
  int alarms = 0;         ///< with a case, or a kernel as a whole, called regressed or improved
  int kernel_alarms = 0;  ///< of these, with a kernel as a whole
  int undecided = 0;      ///< without an alarm, but with a case or a kernel that did not pass either
};

struct SimulatedCard {
  std::string name;
  std::size_t recorded_sessions = 0;  ///< that its noise is drawn from
  std::size_t baseline_sessions = 0;  ///< of a simulated check
  SimulatedChecks result;
};

struct Simulation {
  std::vector<SimulatedCard> cards;
  std::vector<std::string> left_out;  ///< cards with too few sessions
  int confirm_sessions = 0;
  SimulatedChecks result;   ///< of all cards
  SimulatedChecks equal;    ///< of these, checks of machine code that is the baseline's
  SimulatedChecks rebuilt;  ///< and of those whose own kernels are of other machine code
  long long decisions = 0;  ///< about a case
  long long flagged = 0;    ///< of these, sent to confirmation
  std::vector<SimulatedFinding> findings;
};

/// Simulates checks on the cards in turn. Each card's sessions are taken apart, in logarithms of time, ratio and
/// cycles, into the level of a case, what a session does to all cases alike (the median over them), and the rest. A
/// simulated session takes the common part of one recorded session and the rest of another, all cases of it together,
/// so that what cases have in common stays; each recorded session gives either part once in a check. Cases that a
/// session had slowed down take the rest, and tail, of another session of theirs. A check compares one screen and
/// policy.confirm_sessions such sessions with as many as the card's recording without slowdown has, where enough are
/// recorded. Every second check of a card has other machine code for the program's own kernels, as a commit that
/// touched them all would.
///
/// `baselines[i]` is the recording of sessions without slowdown on the card of cards[i], cards[i].baselines.front()
/// what was accepted of it. Throws std::invalid_argument where no card has enough sessions.
Simulation simulate(std::vector<Card> const& cards, std::vector<model::Run> const& baselines,
                    gate::Policy const& policy, SimulationOptions const& options);

}  // namespace perfcheck::calibrate
