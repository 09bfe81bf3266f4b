// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Undecided cases: what they do to the exit code, and what to do about them on a device that others use, too.
#pragma once

#include "perfcheck/gate/gate.h"

namespace perfcheck::results {

/// What cases were compared with: the stored baseline alone, or a base build that was measured too.
enum class ComparedWith { baseline, base_build };

/// Raises the exit code for a verdict that a case got after gate::decide(), unless the policy demotes that verdict.
void worsen(gate::Decisions& decisions, model::Verdict verdict, gate::Policy const& policy);

/// Adds a note with the next step if neighbours or noise left cases of a shared device inconclusive and the command
/// fails because of that.
void advise_undecided(gate::Decisions& decisions, gate::Policy const& policy, ComparedWith with);

}  // namespace perfcheck::results
