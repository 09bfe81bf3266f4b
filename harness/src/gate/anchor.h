// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How far the code has come from what was accepted, where a verdict compares it with another build.
#pragma once

#include "compare.h"

namespace perfcheck::gate {

/// Cases that are slower than in the anchor by significantly more than their margin, as shares by case id: Holm's
/// procedure over all of `evidence`, on a card that the anchor does not know by ratio and cycles both. Each entry of
/// `evidence` compares the new sessions with the anchor.
std::map<std::string, double> behind_anchor(std::vector<Evidence> const& evidence, Policy const& policy);

/// One line about them for a person: who is behind, by how much, and what to do. Empty when none is.
std::string behind_note(std::map<std::string, double> const& behind);

}  // namespace perfcheck::gate
