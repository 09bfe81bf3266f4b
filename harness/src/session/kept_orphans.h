// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which children of this process were left to it by others.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace perfcheck::session {

/// A child of ours, from its start until it is reaped.
class OwnChild {
 public:
  explicit OwnChild(pid_t pid);
  ~OwnChild();
  OwnChild(OwnChild const&) = delete;
  OwnChild& operator=(OwnChild const&) = delete;

  /// Kills what was left to this process since this child started, and what is left to it by that. Without an
  /// OrphanKeeper there is nothing.
  void end_orphans() const;

 private:
  pid_t pid_;
  std::uint64_t started_ = 0;  ///< in the kernel's ticks since it booted
};

}  // namespace perfcheck::session
