// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds recordings of code other than the baseline's, which say nothing about unchanged code.
#pragma once

#include "perfcheck/model/baseline.h"

#include <set>
#include <string>

namespace perfcheck::calibrate {

/// Cases of the run with a session whose machine code, launches or other hashed work differ from the baseline's. A hash
/// that only one side has is no difference.
std::set<std::string> changed_code(model::Baseline const& baseline, model::Run const& run);

}  // namespace perfcheck::calibrate
