// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which points are measured next: every point for a moment, then those near the fastest at length.
#pragma once

#include "perfcheck/measuring/plan.h"
#include "perfcheck/model/tuning.h"

#include <string>
#include <vector>

namespace perfcheck::tuning {

/// How much longer than the fastest a point may have taken, when all were measured for a moment, to be measured again.
inline constexpr double kFinalistShare = 0.03;

/// A problem and the cases that compete on it: what runs, without kernels of a library and without references.
struct Contest {
  std::string problem;
  std::vector<protocol::PlannedCase> contenders;
};

/// In the order of the suite. Problems that nothing competes on are left out.
std::vector<Contest> contests_of(measuring::Plan const& plan);

/// Contenders that have no point yet.
std::vector<protocol::PlannedCase> unmeasured(Contest const& contest, std::vector<model::TunedPoint> const& points);
/// Contenders that were measured for a moment only and took little longer than the fastest of all, or than the fastest
/// of the other points of their kernel.
std::vector<protocol::PlannedCase> finalists(Contest const& contest, std::vector<model::TunedPoint> const& points);

/// Contests taken together until they have `cases` contenders, so that one worker measures them.
std::vector<std::vector<Contest>> batches_of(std::vector<Contest> const& contests, std::size_t cases);

}  // namespace perfcheck::tuning
