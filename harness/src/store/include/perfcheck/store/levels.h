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
  /// The largest change that decides about the case: ratio and cycles; on a shared device the ratio; time without them.
  double change = 0;
};

/// Smaller changes of a level are not worth a line.
inline constexpr double kNoticedMove = 0.005;

/// For every case that both have and whose sessions changed, the largest slowdown first. A card's level is the median
/// of its sessions, in logarithms. A card that the baseline knows is judged by its own level: so the change is that of
/// the mean over the cards, or of one card that is in both, whichever is larger. If the reference changed, there is no
/// change of the ratio.
std::vector<LevelMove> level_moves(model::Baseline const& before, model::Baseline const& after, bool shared_device);

}  // namespace perfcheck::store
