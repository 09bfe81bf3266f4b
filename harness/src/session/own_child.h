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

  /// Kills what was left to this process and is no older than this child, and what is left to it by that. Nothing
  /// without an OrphanKeeper, or where nobody knows how old this child is.
  void end_orphans() const;

 private:
  pid_t pid_;
  std::optional<std::uint64_t> started_;  ///< in the kernel's ticks since it booted; empty where /proc does not tell
};

}  // namespace perfcheck::session
