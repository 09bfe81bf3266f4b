// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which cases are measured again, and how often, until nothing more is asked for.
#pragma once

#include "perfcheck/gate/gate.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::gate {

/// Ids of the cases that ask for more sessions.
std::set<std::string> wanting(Decisions const& decisions);

/// Confirms what `decisions` ask for, look by look: `measure(cases, from, to)` measures these in the fresh sessions
/// `from` + 1 to `to`, `decide(look)` decides about everything. What a look let go stays let go, so that a case has the
/// first sessions or all of them: a later look, which knows more of the noise, may be less sure. Returns the last
/// decisions, which are those of Look::last where anything was measured.
Decisions confirm(Decisions decisions, std::vector<PlannedLook> const& looks,
                  std::function<void(std::set<std::string> const& cases, int from, int to)> const& measure,
                  std::function<Decisions(Look)> const& decide);

}  // namespace perfcheck::gate
