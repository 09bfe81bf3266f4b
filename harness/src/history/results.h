// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a history keeps of each case of a run, derived from its sessions and the decision.
#pragma once

#include "perfcheck/history/history.h"

#include <map>

namespace perfcheck::history {

/// A case of a run, before it has row numbers in a history.
struct CaseOfRun {
  Result result;
  /// From the last session that recorded what was launched; null where none did.
  model::CaseResult const* launched = nullptr;
};

/// By case id: every case of the run, and every case of the decision. Figures are medians over the sessions that
/// measured the case. `run` must outlive the result.
std::map<std::string, CaseOfRun> results_of(model::Run const& run, std::optional<RunDecision> const& decision);

}  // namespace perfcheck::history
