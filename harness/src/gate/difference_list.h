// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/gate/differences.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace perfcheck::gate {

/// Separates the two values in the text of a transition.
inline constexpr char const* kArrow = " -> ";

/// Collects differences: most as transitions, "registers 128 -> 168", the rest as clauses, "machine code changed".
class DifferenceList {
 public:
  /// Adds a difference, unless both texts read the same: a difference that the reader cannot see is left out.
  void compare(std::string what, std::string const& label, std::string before, std::string after,
               std::string const& where = "", int launch = 0) {
    if (before != after) {
      std::string text = fmt::format("{} {}{}{}{}", label, before, kArrow, after, where);
      state({.what = std::move(what),
             .before = std::move(before),
             .after = std::move(after),
             .text = std::move(text),
             .launch = launch});
    }
  }
  void state(Difference difference) { found_.push_back(std::move(difference)); }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  std::vector<Difference> found_;
};

}  // namespace perfcheck::gate
