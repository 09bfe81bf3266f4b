// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Owners of objects and memory of the CUDA runtime.
#pragma once

#include "perfcheck/device/backend.h"

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

}  // namespace perfcheck::device
