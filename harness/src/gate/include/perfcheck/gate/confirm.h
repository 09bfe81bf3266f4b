// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which cases are measured again, and how often, until no case asks for more sessions.
#pragma once

#include "perfcheck/gate/gate.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::gate {

/// Ids of the cases that ask for more sessions.
std::set<std::string> wanting(Decisions const& decisions);

/// Confirms the cases for which `decisions` ask, look by look: `measure(cases, from, to)` measures these cases in the
/// fresh sessions `from` + 1 to `to`; `decide(look)` decides about all cases. A case that a look let go is not measured
/// again, even if a later look, which knows the noise better, is less sure of it. So every case has either the first
/// sessions or all of them. Returns the last decisions; where anything was measured, these are those of Look::last.
Decisions confirm(Decisions decisions, std::vector<PlannedLook> const& looks,
                  std::function<void(std::set<std::string> const& cases, int from, int to)> const& measure,
                  std::function<Decisions(Look)> const& decide);

}  // namespace perfcheck::gate
