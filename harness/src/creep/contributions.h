// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which commits may have made a case creep.
#pragma once

#include "anchors.h"

namespace perfcheck::creep {

/// What is asked about a case that crept.
struct Crept {
  CaseHistory const& history;
  Columns const& columns;
  stats::Anchor anchor;
  std::size_t onset = 0, alarm = 0;  ///< indices of points
  double correlation = 0;
  double min_sd = 0;
};

/// The commits from the onset to the alarm, without those that left the case's machine code as it was. Where the level
/// rises by a step that can be told from chance, the commits at which it may stand get its size.
std::vector<Contribution> contributions(Crept const& crept);

}  // namespace perfcheck::creep
