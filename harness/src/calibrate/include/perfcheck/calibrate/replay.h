// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The gate, replayed on recorded sessions: what it says when nothing changed, and when something did.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perfcheck::calibrate {

/// Sessions that carry the same slowdowns: any of them can screen, the others confirm.
struct Block {
  std::string name;
  model::Run run;
};

/// What one card contributed, and what it is compared with.
struct Card {
  std::string name;
  std::vector<model::Baseline> baselines;  ///< each decides about all of the blocks anew
  std::vector<Block> blocks;
};

/// Where a slowdown comes from.
enum class Origin {
  none,
  device,  ///< measured: the worker lengthened the replay
  added,   ///< recorded times and cycles of an untouched case, multiplied afterwards
  equal,   ///< likewise, and nothing that can be hashed says that the code changed
};

/// One decision about one case.
struct Trial {
  std::string id;
  std::size_t card = 0, block = 0, screen = 0;
  std::size_t baseline = 0;  ///< of the card's
  Origin origin = Origin::none;
  double slowdown_percent = 0;
  bool flagged = false;  ///< the screen asked for fresh sessions
  model::Verdict verdict = model::Verdict::inconclusive;
  std::string reason_code;
  std::optional<double> detectable;  ///< as a share
  /// The recording is of other code than the baseline, for all that is known (of a kernel: in one of its cases), so
  /// that nobody knows what should have been said.
  bool is_changed = false;
};

struct ReplayOptions {
  /// Times that every screening session is replayed with a third of its untouched cases slowed down afterwards; where a
  /// card has several baselines they share them, and each has one at least unless this is 0.
  int repetitions = 20;
  std::vector<double> percents{0.5, 1, 2, 3, 5};
  uint64_t seed = 1;
};

struct Replay {
  std::vector<Trial> trials;  ///< origin none and device: one per screening session and case
  /// Verdicts about whole kernels, of decisions about the untouched cases alone; origin none.
  std::vector<Trial> kernels;
};

/// Decides about every session of every block as `check` would, against each baseline of its card: it screens, and what
/// it flags is confirmed by the first `confirm_sessions` others of its block. A block with too few sessions, or with a
/// case that is not in all of them, is an std::invalid_argument.
Replay replay(std::vector<Card> const& cards, gate::Policy const& policy, ReplayOptions const& options);

}  // namespace perfcheck::calibrate
