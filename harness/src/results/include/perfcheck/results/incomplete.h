// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run file does not hold as a measurement leaves it: results that some of its sessions lack, or that are copies.
#pragma once

#include "perfcheck/gate/gate.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace perfcheck::results {

/// What is wrong with a case's results in a file.
struct Incomplete {
  model::Verdict verdict = model::Verdict::missing;
  std::string code;
  std::string why;
  /// Instead of these: it has no confirming results after this look, which let it go then, or else something took the
  /// others out.
  std::optional<gate::Look> after = {};
};

/// Of the files of one measurement, by case id:
/// - results that are missing: all sessions of one purpose measure the same cases, so something took them out of the
///   file; only what a look let go (gate::confirm) is in no later confirming session. The base build's sessions are as
///   many as the head's. What an unfit machine spoilt is measured again one by one, so such cases are left aside;
/// - results that are copies: two sessions never measure the same times in every round.
using IncompleteCases = std::map<std::string, Incomplete>;
IncompleteCases incomplete_cases(std::span<model::Run const> files, gate::Policy const& policy);

/// Makes them what they are, unless they are decided worse. `decide_at` decides as at an earlier look; it is called
/// only where a case has results up to one.
void tell_incomplete(gate::Decisions& decisions, IncompleteCases const& incomplete, gate::Policy const& policy,
                     std::function<gate::Decisions(gate::Look)> const& decide_at);

}  // namespace perfcheck::results
