// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>

namespace perfcheck::device {

/// What a launch on the CPU may leave behind in the thread that it was called on, where the harness then judges it and
/// times its reference: how numbers are rounded, on which processors the thread may run, how urgent it is.
class ThreadSettings {
 public:
  /// Those of the calling thread, as they are now.
  ThreadSettings();

  /// What is not as it was at first, empty when nothing is. Puts everything back that may be put back. By the thread
  /// that made this.
  std::string restore();

 private:
  int rounding_;
  std::uint64_t control_;  ///< other modes of floating-point arithmetic, such as flushing subnormal numbers
  cpu_set_t processors_{};
  int nice_, policy_;
};

}  // namespace perfcheck::device
