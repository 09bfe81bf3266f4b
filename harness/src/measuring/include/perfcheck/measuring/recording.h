// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Baselines that a check records itself: sessions of cases without a baseline, accepted if they agree with each other.
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
  /// ones. A session that is far off the others is reported, marked as disturbed, and replaced by another one; at most
  /// `count` / 2 times. Returns the new baselines. If nothing can be recorded, because a case failed or the sessions do
  /// not agree, says why and returns none.
  std::vector<model::Baseline> record(std::vector<protocol::PlannedCase> const& cases, std::string const& label,
                                      int count);

 private:
  std::vector<model::Baseline> accept(model::Run const& recording);
  /// Measures replacements for the sessions that were refused. Returns false, without measuring, if that would be too
  /// many or would not help.
  bool make_up_for(store::Refused const& refused, std::vector<protocol::PlannedCase> const& cases,
                   std::string const& label);

  Workbench const& bench_;
  Measurement& measurement_;
  Context& context_;
  int again_ = 0;  ///< number of sessions that may still be replaced
};

}  // namespace perfcheck::measuring
