// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A series as a word of block characters.
#pragma once

#include <string>
#include <vector>

namespace perfcheck::report::ci {

/// The last thirty values from left to right. The height is relative to their own range, which is taken to be at least
/// 2 % to either side of its middle, so that noise looks flat. A missing value is a point. Empty for fewer than two
/// values.
std::string trend_word(std::vector<double> const& values);

}  // namespace perfcheck::report::ci
