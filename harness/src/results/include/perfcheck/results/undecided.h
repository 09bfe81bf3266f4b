// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases that are undecided: what that does to the exit code, and what to do about it on a device that others use, too.
#pragma once

#include "perfcheck/gate/gate.h"

namespace perfcheck::results {

/// What cases were compared with: the stored baseline alone, or a base build that was measured too.
enum class ComparedWith { baseline, base_build };

/// Lets the exit code tell of a verdict that a case got after gate::decide(), unless the policy demotes it.
void worsen(gate::Decisions& decisions, model::Verdict verdict, gate::Policy const& policy);

/// Adds a note with the next step where neighbours or noise left cases of a shared device inconclusive and this fails
/// the command.
void advise_undecided(gate::Decisions& decisions, gate::Policy const& policy, ComparedWith with);

}  // namespace perfcheck::results
