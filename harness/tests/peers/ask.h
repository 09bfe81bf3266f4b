// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks rules by their published names.
#pragma once

#include "perfcheck/peers/peers.h"

#include <gtest/gtest.h>

#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::peers {

inline void PrintTo(Answer answer, std::ostream* out) { *out << to_text(answer); }
inline void PrintTo(Rule const& rule, std::ostream* out) { *out << rule.name; }

namespace testing {

using Values = std::vector<double>;

inline Rule const& rule(std::string_view name) {
  for (Rule const& candidate : rules()) {
    if (candidate.name == name) return candidate;
  }
  throw std::invalid_argument("no rule " + std::string(name));
}

inline Answer ask(std::string_view name, Session const& before, Session const& now) {
  return rule(name).judge(std::vector{before}, now);
}

/// Two sessions without clocks.
inline Answer ask_times(std::string_view name, Values const& before, Values const& now) {
  return ask(name, {.time_ns = before}, {.time_ns = now});
}

/// first, first + step, ...
inline Values ladder(double first, double step, int count) {
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(first + step * i);
  return values;
}

inline Values plus(Values values, double shift) {
  for (double& value : values) value += shift;
  return values;
}

inline Values times(Values values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// An example for one rule. Most come in pairs that differ just enough to change the answer.
struct Example {
  char const* what;
  char const* rule;
  Values before, now;
  Answer answer;
};

inline void PrintTo(Example const& example, std::ostream* out) { *out << example.rule << ": " << example.what; }

}  // namespace testing
}  // namespace perfcheck::peers
