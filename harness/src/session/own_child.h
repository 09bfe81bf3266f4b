// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells the children that this process started from those that were left to it (OrphanKeeper).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace perfcheck::session {

/// A child of ours, from its start until it is reaped.
class OwnChild {
 public:
  explicit OwnChild(pid_t pid);
  ~OwnChild();
  OwnChild(OwnChild const&) = delete;
  OwnChild& operator=(OwnChild const&) = delete;

  /// Kills the processes that were left to this one and are no older than this child, and those that they leave behind.
  /// Does nothing without an OrphanKeeper, or if this child's start is unknown.
  void end_orphans() const;

 private:
  pid_t pid_;
  std::optional<std::uint64_t> started_;  ///< in clock ticks since the system booted; empty if /proc does not tell
};

}  // namespace perfcheck::session
