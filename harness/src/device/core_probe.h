// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Probes a processor core around a replay: its clock, and whether another thread uses it too. On shared machines the
// load on a core's other hardware thread comes and goes within tenths of a second. It takes between a tenth and a half
// of a kernel's speed, a different share of each kernel's, so neither the clock nor a reference kernel can correct for
// it.
#pragma once

#include <cstddef>
#include <vector>

namespace perfcheck::device {

struct CoreSample {
  /// From a chain of additions, each of which waits one cycle for the one before; another thread does not lengthen it.
  double clock_mhz = 0;
  /// Cycles per addition for additions that do not wait for each other; another thread makes them more.
  double cycles_per_addition = 0;
};

/// Takes about 40 us.
CoreSample sample_core();

/// Tells samples of a shared core from those of a core that runs this thread alone.
class ContentionJudge {
 public:
  /// Learns from the sample, then judges it. The level of a quiet core is taken from the lowest of the latest samples,
  /// so the first few samples are never disturbed.
  bool disturbed(CoreSample const& sample);

 private:
  std::vector<double> latest_;  ///< cycles per addition, in a ring
  std::size_t next_ = 0;
};

}  // namespace perfcheck::device
