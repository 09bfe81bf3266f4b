// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Differences in what a case launched.
#pragma once

#include "difference_list.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"

#include <vector>

namespace perfcheck::gate {

/// Compares the last of `fresh`, which must not be empty, with the baseline's last session. Hashes that may vary
/// between sessions (work, arguments) count only where all sessions agree.
void compare_launches(model::BaselineCase const& stored, std::vector<model::CaseResult const*> const& fresh,
                      DifferenceList& list);

}  // namespace perfcheck::gate
