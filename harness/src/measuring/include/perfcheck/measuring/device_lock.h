// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A lock that allows one perfcheck at a time per GPU of a host: two that measure at once would spoil each other's
// times.
#pragma once

#include "perfcheck/measuring/fit_machine.h"

#include <filesystem>

namespace perfcheck::measuring {

/// Locks a device until the object is destroyed or the process ends, even by a crash (flock).
class DeviceLock {
 public:
  /// Waits while another process holds the lock, as long as the budget allows. When the budget is used up, throws a
  /// CommandError (undecided) that names the holder. If the lock file cannot be opened, locks nothing and says so.
  DeviceLock(std::filesystem::path const& folder, std::string const& device_uuid, RetryBudget& budget,
             Context& context);
  ~DeviceLock();
  DeviceLock(DeviceLock const&) = delete;
  DeviceLock& operator=(DeviceLock const&) = delete;

 private:
  int file_ = -1;
};

/// A folder that all users of this host share: $PERFCHECK_LOCK_DIR, else /run/lock, else the temporary folder.
std::filesystem::path lock_folder();

}  // namespace perfcheck::measuring
