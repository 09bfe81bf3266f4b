// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/check_list.h"

#include <algorithm>
#include <cmath>

namespace perfcheck::verify {

model::Check& CheckList::check(std::string const& name) {
  auto const known = std::find_if(checks_.begin(), checks_.end(), [&](auto const& c) { return c.name == name; });
  if (known != checks_.end()) return *known;
  return checks_.emplace_back(
      model::Check{.name = name, .passed = true, .error_over_bound = std::nullopt, .detail = ""});
}

void CheckList::note(std::string const& name, std::string const& failure) {
  model::Check& made = check(name);
  if (failure.empty() || !made.passed) return;
  made.passed = false;
  made.detail = failure;
}

void CheckList::note_error(std::string const& name, double error_over_bound) {
  if (!std::isfinite(error_over_bound)) return;
  model::Check& made = check(name);
  made.error_over_bound = std::max(made.error_over_bound.value_or(0), error_over_bound);
}

model::Verification CheckList::result() const {
  bool const all = std::all_of(checks_.begin(), checks_.end(), [](auto const& c) { return c.passed; });
  return {.passed = all && !checks_.empty(), .checks = checks_};
}

}  // namespace perfcheck::verify
