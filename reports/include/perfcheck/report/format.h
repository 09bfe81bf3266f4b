// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures as a person reads them; "-" where there is none.
#pragma once

#include "perfcheck/gate/gate.h"

#include <optional>
#include <string>

namespace perfcheck::report {

/// "3.214 us", "1.250 s": four digits and the unit that fits.
std::string format_time(std::optional<double> ns);
/// Four significant digits without an exponent.
std::string format_number(std::optional<double> value);
/// "98.5 %" of a share.
std::string format_share(std::optional<double> share);
/// "12.3x"
std::string format_factor(std::optional<double> factor);
/// "+3.12 % (+2.80 to +3.45)"
std::string format_change(std::optional<gate::Witness> const& change);
/// "7.5 s", "75 s", "2:05 min", "1:02 h"
std::string format_duration(double seconds);

}  // namespace perfcheck::report
