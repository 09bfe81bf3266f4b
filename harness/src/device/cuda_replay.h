// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Work captured into a CUDA graph between two events and two clock probes.
#pragma once

#include "block_order.h"
#include "cuda_handles.h"
#include "perfcheck/device/backend.h"
#include "probes.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>

namespace perfcheck::device {

Event make_event();

/// Captures what `enqueue` puts on `stream`. An exception on the way ends the capture and is passed on.
Graph capture(cudaStream_t stream, std::function<void()> const& enqueue);

/// What a replay costs besides its launches, in nanoseconds.
struct ReplayOverheads {
  double empty_launch_ns = 0;  ///< one launch that does nothing, among many
  double wait_ns = 0;          ///< one more graph node that waits for nothing: what an injected wait is shortened by
  double step_ns = 0;          ///< what a launch on its own takes longer than one among many
  double gates_ns = 0;         ///< from gate to gate, beyond the time between the events
  double host_ns = 0;          ///< from starting a replay to its end by the host's clock, likewise
};

/// What the recordings of a device share.
class ReplayDevice {
 public:
  /// Allocates twice the size of the level 2 cache. Throws DeviceError, CudaError.
  ReplayDevice(cudaStream_t stream, int multiprocessors, std::int64_t cache_bytes);

  cudaStream_t stream() const { return stream_; }
  int multiprocessors() const { return multiprocessors_; }
  Gate const& gate() const { return gate_; }
  BlockOrder const& block_order() const { return block_order_; }
  /// Measured when this is first called: about 20 ms.
  ReplayOverheads const& overheads();

 private:
  cudaStream_t stream_;
  int multiprocessors_;
  std::unique_ptr<void, DeviceMemoryFreer> state_, scratch_;
  Gate gate_;
  BlockOrder block_order_;
  std::optional<ReplayOverheads> overheads_;
};

/// Records `recording`. `overheads` are those of the device, or empty ones to measure them.
std::unique_ptr<Replay> record_cuda(Recording const& recording, ReplayDevice const& device,
                                    ReplayOverheads const& overheads);

/// Mean clock between two probes over the multiprocessors that both reached, in MHz. Empty when the time between them
/// is too short for the global timer's resolution.
std::optional<double> clock_between(ClockSample const* before, ClockSample const* after, int multiprocessors);

}  // namespace perfcheck::device
