// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulated checks as text for a person.
#pragma once

#include "perfcheck/calibrate/simulation.h"

#include <string>

namespace perfcheck::report {

/// How many checks called something regressed or improved, with the upper limit of that rate, and what else did not
/// pass. `every_finding` adds a line for each decision that is no pass.
std::string simulation_text(calibrate::Simulation const& simulation, bool every_finding);

}  // namespace perfcheck::report
