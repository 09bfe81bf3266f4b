// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What every report shows about one case, computed once.
#pragma once

#include "perfcheck/gate/gate.h"
#include "perfcheck/model/run.h"
#include "perfcheck/report/metrics.h"

#include <optional>
#include <string>
#include <vector>

namespace perfcheck::report {

/// With the figures of the case, from which metrics() follow.
struct CaseRow : Figures {
  std::string id;
  std::string outcome;  ///< verdict; "recorded"; or status of a case that nothing was compared with
  int rank = 0;         ///< what matters first sorts first: regressed, then broken, undecided, improved, the rest
  bool failed = false;  ///< it alone would make the command fail
  std::string reason;   ///< why; for skipped cases the reason of the worker or the suite
  /// What else is not as in the baseline, one line; empty when nothing is known to be.
  std::string also_changed;
  std::optional<model::SkipReason> skip_reason;
  std::optional<gate::Witness> change;  ///< of the deciding witness
  /// Smallest slowdown that would have been seen four times out of five, a share.
  std::optional<double> detectable;
  /// What a pass says: not slower by more than this share (95 %).
  std::optional<double> at_most;
  bool disturbed = false;  ///< neighbours were there, and no slowdown would have been seen
};

/// One row per case of the run and of the decisions, most important first.
std::vector<CaseRow> rows_of(model::Run const& run, gate::Decisions const& decisions,
                             std::vector<model::Verdict> const& demoted);
/// Without a comparison: outcomes are statuses.
std::vector<CaseRow> rows_of(model::Run const& run);

}  // namespace perfcheck::report
