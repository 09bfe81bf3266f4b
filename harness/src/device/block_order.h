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
/// A grid of one wave is dealt out from the place where the last grid of more than one wave ended, whose last blocks
/// went wherever a block had just left. On an H100 (132 multiprocessors) there are 8 such places, and with every launch
/// two groups of four that come first change places: 16 orders. The place outlives single-wave grids and an emptied
/// cache, and a kernel of 256 blocks takes 12.94 to 13.10 us by it. Left to itself it is chance: once for all replays
/// where the harness and the kernel launch single waves alone, anew for each one where one of them does not. Not
/// documented by NVIDIA; found by `%smid` of the blocks of a probe (docs/design.md).
class BlockOrder {
 public:
  /// Allocates. Throws CudaError.
  BlockOrder();
  /// Enqueues a kernel of a few microseconds that ends its only second wave on the multiprocessor with the lowest
  /// number. Where it must share the device it may have no effect. Throws CudaError.
  void enqueue_fix(cudaStream_t stream) const;

 private:
  std::unique_ptr<void, DeviceMemoryFreer> state_;
  unsigned wave_ = 0;  ///< blocks that are resident at once
};

}  // namespace perfcheck::device
