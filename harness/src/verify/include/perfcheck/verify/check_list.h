// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the checks of a verification while it runs.
#pragma once

#include "perfcheck/model/run.h"

#include <string>

namespace perfcheck::verify {

/// Checks in the order in which they were first named. One check may be made several times, on different data: it
/// passes when it passed each time, and reports the first failure.
class CheckList {
 public:
  /// The check was made; `failure` says what is wrong, empty when nothing is.
  void note(std::string const& name, std::string const& failure);
  /// The largest error over its bound so far; values that are not finite are left out.
  void note_error(std::string const& name, double error_over_bound);
  /// Passed when there is at least one check and each passed.
  model::Verification result() const;

 private:
  model::Check& check(std::string const& name);

  std::vector<model::Check> checks_;
};

}  // namespace perfcheck::verify
