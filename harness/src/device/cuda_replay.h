// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Work captured into a CUDA graph between two events and two clock probes.
#pragma once

#include "perfcheck/device/backend.h"
#include "probes.h"

#include <cuda_runtime_api.h>

#include <memory>
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
  void operator()(void* data) const { (void)cudaFreeHost(data); }
};
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDestroyer>;
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, GraphDestroyer>;
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, GraphExecDestroyer>;
using OwnedStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDestroyer>;

Event make_event();

/// Captures what `enqueue` puts on `stream`. An exception on the way ends the capture and is passed on.
Graph capture(cudaStream_t stream, std::function<void()> const& enqueue);

/// Records `recording` on `stream`. `wait_overhead_ns` is what a wait of no length costs as a graph node.
std::unique_ptr<Replay> record_cuda(Recording const& recording, cudaStream_t stream, int multiprocessors,
                                    double wait_overhead_ns);

/// Cost of one extra graph node that waits for nothing, in nanoseconds: what an injected wait must be shortened by.
double measure_wait_overhead(cudaStream_t stream, int multiprocessors);

/// Mean clock between two probes over the multiprocessors that both reached, in MHz. Empty when the time between them
/// is too short for the global timer's resolution.
std::optional<double> clock_between(ClockSample const* before, ClockSample const* after, int multiprocessors);

}  // namespace perfcheck::device
