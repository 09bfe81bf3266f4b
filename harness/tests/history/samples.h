// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs for tests of the history.
#pragma once

#include "perfcheck/history/history.h"

namespace perfcheck::history::testing {

/// A run of a few cases in two sessions: measured cases, one that is its own control, a wrong one and a skipped one.
/// Runs with different numbers differ in id, times and commit.
model::Run sample_run(int number, int cases = 4, int rounds = 12);

/// A decision about it with a regressed, a passed and a missing case.
RunDecision sample_decision(model::Run const& run);

}  // namespace perfcheck::history::testing
