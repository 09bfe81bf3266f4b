// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What to do when a device that others use, too, leaves cases undecided.
#pragma once

#include "perfcheck/gate/gate.h"

namespace perfcheck::cli {

/// What the decisions were made with, besides stored sessions.
enum class Beside { nothing, base_build };

/// Adds a note with the next step where neighbours or noise left cases of a shared device inconclusive and this fails
/// the command.
void advise_undecided(gate::Decisions& decisions, gate::Policy const& policy, Beside beside);

}  // namespace perfcheck::cli
