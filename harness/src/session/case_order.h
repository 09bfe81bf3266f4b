// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The order in which a session measures its cases.
#pragma once

#include "perfcheck/protocol/messages.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace perfcheck::session {

/// Indices into `cases` of those that are not skipped. Cases of the same problem text stay together, so that a worker
/// computes a problem's reference results once. With a seed, the problems and the cases of each problem are shuffled,
/// so that no case always follows the same neighbour; without, the order of first appearance stays.
std::vector<std::size_t> case_order(std::vector<protocol::PlannedCase> const& cases, std::optional<uint64_t> seed);

}  // namespace perfcheck::session
