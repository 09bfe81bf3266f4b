// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds to the decisions what else changed.
#pragma once

#include "perfcheck/gate/gate.h"

namespace perfcheck::gate {

/// Fills in the differences of every case that regressed, improved or is inconclusive; other cases get none. `baseline`
/// may be null.
void explain(std::vector<CaseDecision>& decisions, model::Baseline const* baseline, Observations const& observations);

}  // namespace perfcheck::gate
