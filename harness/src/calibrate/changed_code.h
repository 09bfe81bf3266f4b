// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings of other code than their baseline's say nothing about unchanged code.
#pragma once

#include "perfcheck/model/baseline.h"

#include <set>
#include <string>

namespace perfcheck::calibrate {

/// Cases of the run with a session whose machine code, launches or other hashed work are known not to be those of the
/// baseline. What only one side knows is no difference.
std::set<std::string> changed_code(model::Baseline const& baseline, model::Run const& run);

}  // namespace perfcheck::calibrate
