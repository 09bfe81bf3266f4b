// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a processor core does around a replay: its clock, and whether another thread uses it too. On shared machines the
// other hardware thread of a core comes and goes within tenths of a second and takes between a tenth and the half of a
// kernel's speed, of each kernel another share: neither the clock nor a reference kernel takes that out.
#pragma once

#include <cstddef>
#include <vector>

namespace perfcheck::device {

struct CoreSample {
  /// From a chain of additions, each of which waits one cycle for the one before; another thread does not lengthen it.
  double clock_mhz = 0;
  /// Cycles per addition when additions wait for nothing, which another thread does lengthen.
  double cycles_per_addition = 0;
};

/// Takes about 40 us.
CoreSample sample_core();

/// Tells samples of a shared core from those of a core that runs this thread alone.
class ContentionJudge {
 public:
  /// Learns from the sample, then judges it. What a quiet core gives is taken from the lower samples among the latest,
  /// so the first few are never disturbed.
  bool disturbed(CoreSample const& sample);

 private:
  std::vector<double> latest_;  ///< cycles per addition, in a ring
  std::size_t next_ = 0;
};

}  // namespace perfcheck::device
