// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which earlier level the runs of a case are compared with.
#pragma once

#include "columns.h"
#include "perfcheck/stats/creep.h"

namespace perfcheck::creep {

struct ChosenAnchor {
  AnchorKind kind = AnchorKind::first_runs;
  stats::Anchor runs;  ///< indices of points
};

/// The level at the release, or else that of the first runs. An accepted baseline, or an improvement that the gate
/// confirmed, moves it if the level differs by more than the margin; the last such move counts. Never empty if there
/// are points.
ChosenAnchor choose_anchor(CaseHistory const& one, Columns const& columns, Options const& options, double correlation);

}  // namespace perfcheck::creep
