// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which points are measured next: first every point briefly, then those near the fastest at length.
#pragma once

#include "perfcheck/measuring/plan.h"
#include "perfcheck/model/tuning.h"

#include <set>
#include <string>
#include <vector>

namespace perfcheck::tuning {

/// How much longer than the fastest a point may have taken in the brief measurements to be measured at length.
inline constexpr double kFinalistShare = 0.03;

/// A problem and the cases that compete on it: all that run, except references, and kernels of a library unless they
/// have points. Points of a library's kernels compete among themselves, the rest among itself.
struct Contest {
  std::string problem;
  std::vector<protocol::PlannedCase> contenders;
  std::set<std::string> of_libraries;  ///< kernels, with their points
};

/// The kernels that are a library's, references included.
std::set<std::string> library_kernels(measuring::Plan const& plan);
/// In the order of the suite. Problems that nothing competes on are left out.
std::vector<Contest> contests_of(measuring::Plan const& plan);

/// Contenders that have no point yet.
std::vector<protocol::PlannedCase> unmeasured(Contest const& contest, std::vector<model::TunedPoint> const& points);
/// Contenders that were measured only briefly and took little longer than the fastest that they compete with, or than
/// the fastest of the other points of their kernel.
std::vector<protocol::PlannedCase> finalists(Contest const& contest, std::vector<model::TunedPoint> const& points);

/// Groups contests into batches, each with at least `cases` contenders where there are enough, so that one worker
/// measures them.
std::vector<std::vector<Contest>> batches_of(std::vector<Contest> const& contests, std::size_t cases);

}  // namespace perfcheck::tuning
