// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: barriers in shared memory that count arrivals and bytes. PTX, "Parallel Synchronization and Communication
// Instructions: mbarrier".
#pragma once

#include <cstdint>

namespace perfcheck::emulated {

/// The barrier at a shared address of the present thread's block, or of the block with this rank in the cluster.
class MemoryBarrier {
 public:
  explicit MemoryBarrier(std::uint32_t address);
  MemoryBarrier(std::uint32_t address, int rank);

  void init(int arrivals) const;
  /// Arrives, and lets the present phase expect `bytes` more bytes.
  void arrive(int bytes = 0) const;
  /// `bytes` bytes have arrived. May be called when no thread is running.
  void receive(int bytes) const;
  /// Whether the phase with `parity` has ended.
  bool test(std::uint32_t parity) const;
  /// Waits until the phase with `parity` has ended.
  void wait(std::uint32_t parity) const;

 private:
  unsigned char* state_;
};

}  // namespace perfcheck::emulated
