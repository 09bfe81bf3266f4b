// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which cases a calibration slows down, and by how much.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perfcheck::calibrate {

/// Share of a block's cases that is slowed down; the others show whether the gate stays quiet about them.
inline constexpr double kSlowedShare = 1.0 / 3;

/// Draws `share` of the cases (rounded down, at least one of a non-empty list) without replacement and hands them the
/// sizes in turn, so that every size occurs equally often. Equal arguments give equal draws on any machine. `percents`
/// must not be empty, `share` lies between 0 and 1; else std::invalid_argument.
std::map<std::string, double> draw_slowdowns(std::vector<std::string> case_ids, std::vector<double> const& percents,
                                             double share, uint64_t seed);

}  // namespace perfcheck::calibrate
