// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One perfcheck at a time per GPU of a host: two that measure at once would spoil each other's times.
#pragma once

#include "perfcheck/measuring/fit_machine.h"

#include <filesystem>

namespace perfcheck::measuring {

/// Holds a device until it is destroyed or the process ends, however it ends (flock).
class DeviceLock {
 public:
  /// Waits while another process holds the device, as long as the budget allows. Throws CommandError (undecided) that
  /// names the holder when it is used up. A folder that cannot be written locks nothing, with a message.
  DeviceLock(std::filesystem::path const& folder, std::string const& device_uuid, RetryBudget& budget,
             Context& context);
  ~DeviceLock();
  DeviceLock(DeviceLock const&) = delete;
  DeviceLock& operator=(DeviceLock const&) = delete;

 private:
  int file_ = -1;
};

/// Where processes of all users of this host can meet: $PERFCHECK_LOCK_DIR, else /run/lock, else the temporary folder.
std::filesystem::path lock_folder();

}  // namespace perfcheck::measuring
