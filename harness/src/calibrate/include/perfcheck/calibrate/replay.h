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
  std::vector<model::Baseline> baselines;  ///< every block is decided about with each of them
  std::vector<Block> blocks;
};

/// Where a slowdown comes from.
enum class Origin {
  none,
  device,  ///< measured: the worker lengthened the replay
  added,   ///< recorded times and cycles of an untouched case, multiplied afterwards
  equal,   ///< likewise, but no hash says that the code changed
};

/// One decision about one case.
struct Trial {
  std::string id;
  std::size_t card = 0, block = 0, screen = 0;
  std::size_t baseline = 0;  ///< index into the card's baselines
  Origin origin = Origin::none;
  double slowdown_percent = 0;
  bool flagged = false;  ///< the screen asked for fresh sessions
  model::Verdict verdict = model::Verdict::inconclusive;
  std::string reason_code;
  std::optional<double> detectable;  ///< as a share
  /// Known hashes say that the recording is of code other than the baseline's (for a kernel: in at least one case), so
  /// the right verdict is unknown.
  bool is_changed = false;
};

struct ReplayOptions {
  /// How often each screening session is replayed with a third of its untouched cases slowed down afterwards. The
  /// baselines of a card share these repetitions; each gets at least one unless this is 0.
  int repetitions = 20;
  std::vector<double> percents{0.5, 1, 2, 3, 5};
  uint64_t seed = 1;
};

struct Replay {
  std::vector<Trial> trials;  ///< origin none and device: one per screening session and case
  /// Verdicts about whole kernels, from decisions about the untouched cases alone; origin none.
  std::vector<Trial> kernels;
};

/// Decides about every session of every block as `check` would, against each baseline of its card. The session screens,
/// and the `confirm_sessions` sessions after it in its block, wrapping around, confirm what it flags. Throws
/// std::invalid_argument for a block with too few sessions or with a case that some of them lack.
Replay replay(std::vector<Card> const& cards, gate::Policy const& policy, ReplayOptions const& options);

}  // namespace perfcheck::calibrate
