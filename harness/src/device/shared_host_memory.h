// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Host memory that two processes share, even of different users: a POSIX shared memory object, which is on no disk.
#pragma once

#include "perfcheck/device/backend.h"

namespace perfcheck::device {

/// Throws DeviceError.
SharedMemory allocate_shared_host_memory(std::size_t bytes);
Memory open_shared_host_memory(std::string const& handle, std::size_t bytes);

}  // namespace perfcheck::device
