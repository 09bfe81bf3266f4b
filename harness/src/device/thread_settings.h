// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>

namespace perfcheck::device {

/// Settings of the calling thread that a launch on the CPU may change: how numbers are rounded, on which processors the
/// thread may run, its priority. The harness judges the launch and times its reference on the same thread.
class ThreadSettings {
 public:
  /// Remembers the settings of the calling thread as they are now.
  ThreadSettings();

  /// Restores every setting that can be restored. Returns what had changed, or an empty text. Must be called on the
  /// thread that made this object.
  std::string restore();

 private:
  int rounding_;
  std::uint64_t control_;  ///< other modes of floating-point arithmetic, such as flushing subnormal numbers
  cpu_set_t processors_{};
  int nice_, policy_;
};

}  // namespace perfcheck::device
