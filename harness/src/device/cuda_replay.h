// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Work captured into a CUDA graph between two events and two clock probes.
#pragma once

#include "perfcheck/device/backend.h"
#include "probes.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <type_traits>

namespace perfcheck::device {

/// Destroyers report nothing: a context that was lost makes them fail, and then the process ends anyway.
struct EventDestroyer {
  using pointer = cudaEvent_t;
  void operator()(cudaEvent_t event) const { (void)cudaEventDestroy(event); }
};
struct GraphDestroyer {
  using pointer = cudaGraph_t;
  void operator()(cudaGraph_t graph) const { (void)cudaGraphDestroy(graph); }
};
struct GraphExecDestroyer {
  using pointer = cudaGraphExec_t;
  void operator()(cudaGraphExec_t graph) const { (void)cudaGraphExecDestroy(graph); }
};
struct StreamDestroyer {
  using pointer = cudaStream_t;
  void operator()(cudaStream_t stream) const { (void)cudaStreamDestroy(stream); }
};
struct HostMemoryFreer {
  void operator()(void* data) const {
    if (!device_is_abandoned()) (void)cudaFreeHost(data);
  }
};
struct DeviceMemoryFreer {
  void operator()(void* data) const {
    if (!device_is_abandoned()) (void)cudaFree(data);
  }
};
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDestroyer>;
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, GraphDestroyer>;
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, GraphExecDestroyer>;
using OwnedStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDestroyer>;

Event make_event();

/// Captures what `enqueue` puts on `stream`. An exception on the way ends the capture and is passed on.
Graph capture(cudaStream_t stream, std::function<void()> const& enqueue);

/// What a replay costs besides its launches, in nanoseconds.
struct ReplayOverheads {
  double empty_launch_ns = 0;  ///< one launch that does nothing, among many
  double wait_ns = 0;          ///< one more graph node that waits for nothing: what an injected wait is shortened by
  double step_ns = 0;          ///< of a launch that is replayed on its own, beyond one among many
  double gates_ns = 0;         ///< from gate to gate, beyond the time between the events
  double host_ns = 0;          ///< from starting a replay to its end, likewise
};

/// What the recordings of a device share.
class ReplayDevice {
 public:
  /// Allocates twice the size of the level 2 cache. Throws DeviceError, CudaError.
  ReplayDevice(cudaStream_t stream, int multiprocessors, std::int64_t cache_bytes);

  cudaStream_t stream() const { return stream_; }
  int multiprocessors() const { return multiprocessors_; }
  Gate const& gate() const { return gate_; }
  /// Measured when this is first called: about 20 ms.
  ReplayOverheads const& overheads();

 private:
  cudaStream_t stream_;
  int multiprocessors_;
  std::unique_ptr<void, DeviceMemoryFreer> state_, scratch_;
  Gate gate_;
  std::optional<ReplayOverheads> overheads_;
};

/// Records `recording`. `overheads` are those of the device, or empty ones to measure them.
std::unique_ptr<Replay> record_cuda(Recording const& recording, ReplayDevice const& device,
                                    ReplayOverheads const& overheads);

/// Mean clock between two probes over the multiprocessors that both reached, in MHz. Empty when the time between them
/// is too short for the global timer's resolution.
std::optional<double> clock_between(ClockSample const* before, ClockSample const* after, int multiprocessors);

}  // namespace perfcheck::device
