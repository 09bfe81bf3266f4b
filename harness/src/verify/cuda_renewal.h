// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/verify/secret_data.h"

#include <perfcheck/device/exclusive.cuh>

#include <cstdint>
#include <memory>
#include <span>

namespace perfcheck::verify {

/// Writes secret data and poison with one kernel that has the device to itself: a kernel that watches the inputs from
/// another stream, to compute before the clock starts, could not be resident.
class CudaRenewal {
 public:
  /// Throws device::DeviceError.
  explicit CudaRenewal(device::Backend& backend);

  /// Enqueues. At most kMostMatrices and kMostMemory entries.
  void enqueue(std::span<SecretMatrices const> matrices, SetRange sets, std::uint64_t secret,
               std::span<PoisonedMemory const> poisoned);
  /// The same for one set, by as little code as its formats allow (enqueue_step_renewal()).
  void enqueue_step(std::span<SecretMatrices const> matrices, int set, std::uint64_t secret,
                    std::span<PoisonedMemory const> poisoned);
  /// The same in few blocks, which let the next launch begin at once (compute capability 9.0 and newer) and write only
  /// after a quarter of a millisecond.
  void enqueue_late(std::span<SecretMatrices const> matrices, SetRange sets, std::uint64_t secret,
                    std::span<PoisonedMemory const> poisoned);
  /// Enqueues: writes set 0 from a secret in device memory, by a kernel that does not need the device to itself.
  void enqueue_from(std::span<SecretMatrices const> matrices, std::uint64_t const* secret);
  /// Waits. Returns how many elements differ from what enqueue() would write.
  std::uint64_t count_changed(std::span<SecretMatrices const> matrices, SetRange sets, std::uint64_t secret);
  /// When the last renewal that was waited for had written everything, by the device's timer in nanoseconds.
  std::uint64_t renewed_ns() const { return *renewed_ns_; }
  /// Waits. True when every renewal so far had the device to itself.
  bool was_alone();

  static constexpr int kMostMatrices = 8, kMostMemory = 3;

 private:
  device::Backend& backend_;
  device::Memory state_;    ///< device::ExclusiveState
  device::Memory changed_;  ///< std::uint64_t
  struct HostMemoryFreer {
    void operator()(std::uint64_t* data) const;
  };
  std::unique_ptr<std::uint64_t, HostMemoryFreer> renewed_ns_;  ///< the device writes it
  unsigned blocks_ = 1;
};

}  // namespace perfcheck::verify
