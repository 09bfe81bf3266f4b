// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The witness for busy machines: the fastest rounds of two builds that were measured in the same minutes. Neighbours
// only ever add time. So among many rounds of many processes, the fastest show what the code costs, while the medians
// show what the neighbours did.
#pragma once

#include "evidence.h"

namespace perfcheck::gate {

/// On a shared device, with a base build measured beside the confirmation: decides cases that everything else left
/// undecided, and adds to their reasons what it saw. Entry i of `decisions` belongs to evidence[i].
void ask_fastest_rounds(std::vector<Evidence> const& evidence, Observations const& observations, Policy const& policy,
                        std::vector<CaseDecision>& decisions);

}  // namespace perfcheck::gate
