// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/trend.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace perfcheck::report::ci {
namespace {

constexpr std::size_t kLongest = 30;
constexpr double kLeastReach = 0.02;
constexpr char const* kGap = "\xc2\xb7";

/// U+2581 to U+2588.
std::string block(int level) { return std::string("\xe2\x96") + static_cast<char>(0x81 + level); }

bool usable(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

std::string trend_word(std::vector<double> const& values) {
  std::size_t const first = values.size() > kLongest ? values.size() - kLongest : 0;
  std::vector<double> const shown(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
  std::vector<double> known;
  std::copy_if(shown.begin(), shown.end(), std::back_inserter(known), usable);
  if (known.size() < 2) return "";
  auto const [lowest, highest] = std::minmax_element(known.begin(), known.end());
  double const middle = *lowest + (*highest - *lowest) / 2;
  double const reach = std::max((*highest - *lowest) / 2, kLeastReach * middle);
  std::string word;
  for (double const value : shown) {
    double const place = usable(value) ? (value - middle) / reach : 0;  // -1 to 1
    // The series' middle falls on the middle of a block's span, so that a series that hardly moves does not flicker
    // between two blocks.
    word += usable(value) ? block(std::clamp(static_cast<int>(std::lround(3 + 4 * place)), 0, 7)) : kGap;
  }
  return word;
}

}  // namespace perfcheck::report::ci
