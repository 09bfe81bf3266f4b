// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A baseline made by a check itself: sessions of cases that have none, accepted if they agree with each other.
#pragma once

#include "perfcheck/measuring/measurement.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/store/operations.h"

#include <string>
#include <vector>

namespace perfcheck::measuring {

class Recording {
 public:
  Recording(Workbench const& bench, Measurement& measurement, Context& context)
      : bench_(bench), measurement_(measurement), context_(context) {}

  /// Measures `count` sessions of `cases` and accepts them into the stored baselines of their operations, or into new
  /// ones. A session that is far off the others is told, marked as what a disturbed machine measured, and made up for
  /// by another one, half as often as there are sessions. Returns what the baselines are now; none, after it was said
  /// why, where nothing can be recorded: a case is not right, or the sessions do not agree.
  std::vector<model::Baseline> record(std::vector<protocol::PlannedCase> const& cases, std::string const& label,
                                      int count);

 private:
  std::vector<model::Baseline> accept(model::Run const& recording);
  /// Measures in place of what was refused. False where that was too often, or would not help.
  bool make_up_for(store::Refused const& refused, std::vector<protocol::PlannedCase> const& cases,
                   std::string const& label);

  Workbench const& bench_;
  Measurement& measurement_;
  Context& context_;
  int again_ = 0;  ///< sessions that may still be measured in place of others
};

}  // namespace perfcheck::measuring
