// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/store/audit.h"

namespace perfcheck::store {

/// Sessions that repeat the numbers of an earlier one, to the digits that a file keeps, in most of their cases: for the
/// same cases, or under the names of others. The order of rounds and the names of runs and sessions do not matter.
std::vector<Finding> find_duplicates(model::Baseline const& baseline);

}  // namespace perfcheck::store
