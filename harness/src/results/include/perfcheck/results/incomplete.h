// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds results in a run file that are not as a measurement leaves them: missing from some sessions, or copied.
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
  /// If set, it replaces the members above: the case has no confirming results after this look. Either the look let it
  /// go, or something removed the later results.
  std::optional<gate::Look> after = {};
};

/// Problems in the files of one measurement, by case id:
/// - missing results: all sessions of one purpose measure the same cases, so something removed them from the file. Only
///   a case that a look let go (gate::confirm) is in no later confirming session. The base build has as many sessions
///   as the head. Cases that an unfit machine spoilt are measured again one by one, so they are not checked;
/// - copied results: two sessions never measure the same times in every round.
using IncompleteCases = std::map<std::string, Incomplete>;
IncompleteCases incomplete_cases(std::span<model::Run const> files, gate::Policy const& policy);

/// Gives these cases their verdicts, unless the exit code of theirs is `broken` already. `decide_at` decides as at an
/// earlier look; it is called only if the results of a case end at one.
void tell_incomplete(gate::Decisions& decisions, IncompleteCases const& incomplete, gate::Policy const& policy,
                     std::function<gate::Decisions(gate::Look)> const& decide_at);

}  // namespace perfcheck::results
