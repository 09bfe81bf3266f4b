// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes that say too little to be one.
#pragma once

#include "compare.h"

namespace perfcheck::gate {

/// Makes a pass inconclusive that could not have seen what the policy asks for, or whose time rose while the witness
/// that would tell slower code from a lower clock is lost. `stage` is what was measured last.
void withhold_pass(CaseDecision& decision, Evidence const& evidence, PerMetric<Comparison> const& stage,
                   Policy const& policy);

}  // namespace perfcheck::gate
