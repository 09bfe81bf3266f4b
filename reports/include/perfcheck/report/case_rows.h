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

/// A case's figures, from which metrics() are computed, and its outcome.
struct CaseRow : Figures {
  std::string id;
  std::string outcome;  ///< verdict; "recorded"; or the status, where nothing was compared
  int rank = 0;         ///< sort key: regressed, then broken, undecided, improved, the rest
  bool failed = false;  ///< it alone would make the command fail
  std::string reason;   ///< why; for skipped cases the reason of the worker or the suite
  /// What else differs from the baseline, on one line; empty when no difference is known.
  std::string also_changed;
  std::optional<model::SkipReason> skip_reason;
  std::optional<gate::Witness> change;  ///< of the deciding witness
  /// Smallest slowdown that would have been seen four times out of five, a share.
  std::optional<double> detectable;
  /// For a pass: the case is not slower by more than this share (95 % confidence).
  std::optional<double> at_most;
  bool disturbed = false;  ///< neighbours disturbed it so much that no slowdown would have been seen
};

/// One row per case of the run and of the decisions, most important first.
std::vector<CaseRow> rows_of(model::Run const& run, gate::Decisions const& decisions,
                             std::vector<model::Verdict> const& demoted);
/// Without a comparison: outcomes are statuses.
std::vector<CaseRow> rows_of(model::Run const& run);

}  // namespace perfcheck::report
