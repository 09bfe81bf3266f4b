// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/device/backend.h"

#include <cstdint>

namespace perfcheck::verify {

/// Copies outputs with one kernel that has the device to itself, right after the clock has stopped: a kernel on another
/// stream that still works on them could not be resident.
class CudaSeizure {
 public:
  /// Throws device::DeviceError.
  explicit CudaSeizure(device::Backend& backend);

  /// Enqueues. Aligned to 16 bytes, and a multiple of them.
  void enqueue(void* to, void const* from, std::size_t bytes);
  /// Waits. When the last copy had the device to itself, by the device's timer in nanoseconds.
  std::uint64_t seized_ns();
  /// Waits. True when every copy so far had the device to itself.
  bool was_alone();

 private:
  device::Backend& backend_;
  device::Memory state_;      ///< device::ExclusiveState
  device::Memory seized_ns_;  ///< std::uint64_t
  unsigned blocks_ = 1;
};

}  // namespace perfcheck::verify
