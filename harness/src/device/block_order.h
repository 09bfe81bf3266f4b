// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which multiprocessor gets which block of a launch.
#pragma once

#include "cuda_handles.h"

#include <memory>

namespace perfcheck::device {

/// Makes the order of blocks on multiprocessors the same before every replay.
///
/// The blocks of a single-wave grid are dealt out from the place where the last grid of several waves ended, whose last
/// blocks went wherever a block had just left. On an H100 (132 multiprocessors) there are 8 such places, and two groups
/// of four multiprocessors that come first change places with every launch: 16 orders. The place outlives single-wave
/// grids and an emptied cache, and the time of a kernel of 256 blocks depends on it: 12.94 to 13.10 us. Without this
/// class it would be random: once for all replays if the harness and the kernel launch only single waves, anew for each
/// replay otherwise. NVIDIA does not document this; it was found from `%smid` of a probe's blocks (docs/design.md).
class BlockOrder {
 public:
  /// Allocates. Throws CudaError.
  BlockOrder();
  /// Enqueues a kernel of a few microseconds whose second wave, a single block, ends on the lowest-numbered
  /// multiprocessor. It may have no effect if it must share the device. Throws CudaError.
  void enqueue_fix(cudaStream_t stream) const;

 private:
  std::unique_ptr<void, DeviceMemoryFreer> state_;
  unsigned wave_ = 0;  ///< blocks that are resident at once
};

}  // namespace perfcheck::device
