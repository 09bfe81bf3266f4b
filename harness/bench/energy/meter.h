// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of launches between two steps of the board's energy counter.
#pragma once

#include "blocks.h"
#include "launches.h"

#include <perfcheck/session/interrupt.h>

#include <nvml_state.h>

#include <chrono>

namespace perfcheck::energy {

class Meter {
 public:
  /// Blocks of at least so many seconds.
  Meter(device::Nvml const& nvml, session::Interrupt const& interrupt, double seconds)
      : nvml_(nvml), interrupt_(interrupt), seconds_(seconds) {}

  /// Launches for kLeadSeconds, so that clocks and temperatures follow, and then for a block. Throws BlockError,
  /// session::Interrupted, and what the counter and the device throw.
  Figures measure(Launches& launches) const;

 private:
  struct Reading {
    double at = 0;  // seconds
    std::uint64_t millijoules = 0;
  };

  void lead_in(Launches& launches) const;
  Reading next_step(Launches& launches, Steps& steps) const;
  double clock_mhz() const;
  double now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  device::Nvml const& nvml_;
  session::Interrupt const& interrupt_;
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace perfcheck::energy
