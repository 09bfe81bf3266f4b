// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How much slower the code is than the accepted baseline, where the verdicts compare it with another build.
#pragma once

#include "compare.h"

namespace perfcheck::gate {

/// Cases that are slower than in the anchor, the accepted baseline, by significantly more than their margin: the share
/// by case id. Applies Holm's procedure to all of `evidence`; on a card that the anchor does not know, ratio and cycles
/// must both show it. Each entry of `evidence` compares the new sessions with the anchor.
std::map<std::string, double> behind_anchor(std::vector<Evidence> const& evidence, Policy const& policy);

/// One line for a person: which cases are behind, by how much, and what to do. Empty when none is.
std::string behind_note(std::map<std::string, double> const& behind);

}  // namespace perfcheck::gate
