// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A calibration as text for a person.
#pragma once

#include "perfcheck/calibrate/calibration.h"

#include <string>

namespace perfcheck::report {

/// Rates with their limits, goals that are not reached and why, the noise, and other tools' rules on the same data.
/// `every_case` adds a line for each case.
std::string calibration_text(calibrate::Calibration const& calibration, bool every_case);

}  // namespace perfcheck::report
