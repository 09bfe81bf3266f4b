// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What one session says about one case: medians over its rounds.
#pragma once

#include "perfcheck/model/run.h"

namespace perfcheck::model {

/// One session's medians. Statistics treat each session as one replicate.
struct SessionSummary {
  double time_ns = 0;
  double reference_time_ns = 0;  ///< 0 for an imported case, whose program times no reference
  /// Median over rounds of time over reference time; absent for a case that is its own control.
  std::optional<double> ratio;
  /// Median over rounds of time times clock; absent without clocks.
  std::optional<double> cycles;
  std::optional<double> clock_mhz;
  /// Robust spread of the rounds' times: 1.4826 * MAD / median. Absent for a single round, as in some imported cases:
  /// one number has no spread.
  std::optional<double> noise;
  /// Cost of slow rounds that the medians do not show: mean over median of the rounds' ratios (without a reference, of
  /// their cycles; without clocks either, of their times), less their robust spread, computed as for `noise` and
  /// limited to 5 %. 1 if no round stands out.
  double tail = 1;
  int rounds = 0;
};

/// Summary of a measured case. Empty, with `why` filled in, when the numbers cannot be used: no rounds, columns of
/// different length, a value that is not finite and positive.
std::optional<SessionSummary> summarize(CaseResult const& result, std::string* why = nullptr);

}  // namespace perfcheck::model
