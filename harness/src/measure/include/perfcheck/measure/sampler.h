// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The measurement loop: warm up until steady, then rounds of case and reference in alternating order until the median
// ratio is known precisely enough. It sees the device and the time only through interfaces, so tests drive it with
// scripted readings.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/model/run.h"

#include <string>

namespace perfcheck::measure {

/// The two sides of a round, and the wall clock.
class RoundSource {
 public:
  virtual ~RoundSource() = default;
  virtual device::Reading replay_case() = 0;
  virtual device::Reading replay_reference() = 0;
  /// Seconds since some fixed moment; monotonic.
  virtual double now_s() = 0;
};

struct SamplerOptions {
  int min_rounds = 12;
  int max_rounds = 400;
  double max_seconds = 0.4;      ///< total measured time of the replays; min_rounds are measured even beyond it ...
  double hard_seconds = 4.0;     ///< ... unless this much wall time has passed, and then at least 3 rounds
  double max_disturbed_s = 0.3;  ///< total time of disturbed rounds that are discarded and repeated; later ones count
  double precision = 0.001;      ///< stop at this relative standard error of the median ratio
  double max_warm_up_s = 0.5;
  double steady_share = 0.005;  ///< warm until consecutive windows agree this closely in time and clock, or as closely
                                ///< as the rounds within them
};

struct SampleResult {
  model::Rounds rounds;  ///< times of whole replays; the caller divides by launches
  std::string stop_reason;
  int disturbed_rounds = 0;  ///< rounds that count although they were disturbed, because max_disturbed_s was used up
  bool steady = false;       ///< warm-up ended because it was steady, not because its time was up
  int warm_up_replays = 0;
};

SampleResult sample(RoundSource& source, SamplerOptions const& options);

}  // namespace perfcheck::measure
