// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes that are withheld because they say too little.
#pragma once

#include "compare.h"

namespace perfcheck::gate {

/// Makes a pass inconclusive if it could not have seen a slowdown as small as the policy asks for, or if time rose
/// while the witness that could tell slower code from a lower clock is lost. `stage` holds the latest comparisons.
void withhold_pass(CaseDecision& decision, Evidence const& evidence, PerMetric<Comparison> const& stage,
                   Policy const& policy);

}  // namespace perfcheck::gate
