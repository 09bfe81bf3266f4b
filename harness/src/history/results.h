// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a history keeps of each case of a run, made from its sessions and the decision.
#pragma once

#include "perfcheck/history/history.h"

#include <map>

namespace perfcheck::history {

/// A case of a run before it has numbers in a history.
struct CaseOfRun {
  Result result;
  /// Of the last session that tells what was launched; null where none does.
  model::CaseResult const* launched = nullptr;
};

/// By case id: every case of the run, and every case that was decided about. Figures are medians over the sessions
/// that measured it. `run` must outlive the result.
std::map<std::string, CaseOfRun> results_of(model::Run const& run, std::optional<RunDecision> const& decision);

}  // namespace perfcheck::history
