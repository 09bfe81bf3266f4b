// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Rates of events for a person.
#pragma once

#include <string>

namespace perfcheck::report {

/// The confidence level of the limits in texts.
inline constexpr double kConfidence = 0.95;

/// "12.9 %"
std::string percent_of(double share);

/// Upper confidence limit of the rate at which `events` were seen in `trials`: "5.2 %", or with two digits where it is
/// small. "-" without trials.
std::string upper_limit(int events, int trials);

}  // namespace perfcheck::report
