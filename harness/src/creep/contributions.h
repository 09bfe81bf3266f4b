// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which commits may have made a case creep.
#pragma once

#include "anchors.h"

namespace perfcheck::creep {

/// A case that crept, and since when.
struct Crept {
  CaseHistory const& history;
  Columns const& columns;
  stats::Anchor anchor;
  std::size_t onset = 0, alarm = 0;  ///< indices of points
  double correlation = 0;
  double min_sd = 0;
};

/// The commits from the onset to the alarm, without those that left the case's machine code unchanged. If the level
/// rises by a significant step, the commits at which that step may lie get its size.
std::vector<Contribution> contributions(Crept const& crept);

}  // namespace perfcheck::creep
