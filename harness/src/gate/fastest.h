// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The witness of busy machines: fastest rounds of two builds that were measured in the same minutes. Neighbours only
// ever add time, so among many rounds of many processes the fastest say what the code costs where the medians say what
// the neighbours did.
#pragma once

#include "evidence.h"

namespace perfcheck::gate {

/// On a shared device whose confirmation had a base build beside it: decides about cases that everything else left
/// undecided, and tells what it saw. Entry i of `decisions` belongs to evidence[i].
void ask_fastest_rounds(std::vector<Evidence> const& evidence, Observations const& observations, Policy const& policy,
                        std::vector<CaseDecision>& decisions);

}  // namespace perfcheck::gate
