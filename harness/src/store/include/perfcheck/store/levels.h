// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// By how much accepted sessions move what the next check compares with.
#pragma once

#include "perfcheck/model/baseline.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::store {

/// Changes of one case's level, as shares: +0.03 means 3 % slower. Absent where one side does not have the number.
struct LevelMove {
  std::string case_id;
  std::optional<double> ratio, cycles, time;
  /// The largest of what decides about the case: ratio and cycles; on a shared device the ratio; time without them.
  double change = 0;
};

/// Smaller changes of a level are not worth a line.
inline constexpr double kNoticedMove = 0.005;

/// Of every case that both know and whose sessions are others now, the largest slowdown first. A card's level is the
/// median of its sessions, in logarithms, and a card that the baseline knows is judged by its own: so the change is
/// that of the mean over the cards, or of one card that is in both, whichever is larger. A ratio to another reference
/// is none.
std::vector<LevelMove> level_moves(model::Baseline const& before, model::Baseline const& after, bool shared_device);

}  // namespace perfcheck::store
