// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Rates of events for a person.
#pragma once

#include <string>

namespace perfcheck::report {

/// How sure the limits are that texts state.
inline constexpr double kConfidence = 0.95;

/// "12.9 %"
std::string percent_of(double share);

/// The largest rate that leaves `events` of `trials` likely enough: "5.2 %", or with two digits where it is small. "-"
/// without trials.
std::string upper_limit(int events, int trials);

}  // namespace perfcheck::report
