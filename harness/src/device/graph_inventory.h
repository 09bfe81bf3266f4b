// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what a recording holds, from the graph that will be timed: n equal launches, one after the other, between the
// two events, and nothing else. Work that is recorded elsewhere, beside the chain or under another name is found here,
// before anything is timed (docs/trust.md).
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace perfcheck::device {

/// The nodes that the next captured node will depend on.
using Frontier = std::vector<cudaGraphNode_t>;

/// The frontier of a stream that is being captured. Throws CudaError.
Frontier capture_frontier(cudaStream_t stream);

/// Frontiers at which the parts of a recording ended.
struct RecordedLaunch {
  Frontier prepared;  ///< after what the harness did right before it, if anything
  Frontier launched;
};
struct RecordedParts {
  Frontier started;                      ///< after the event that starts the clock
  std::vector<RecordedLaunch> launches;  ///< in order
  Frontier waited;                       ///< after the injected wait; as after the last launch where there is none
  Frontier stopped;                      ///< after the event that stops the clock
  Frontier ended;                        ///< after the harness's last node
};

struct Inventory {
  /// One launch as text, equal for launches that do the same on other data: "kernel gemm grid 32x1x1 ...".
  std::string launch;
  /// The nodes of each launch, each behind those that it waits for, and those right behind the last launch.
  std::vector<std::vector<cudaGraphNode_t>> launches;
  std::vector<cudaGraphNode_t> behind_launches;
  /// Whether launches begin before the previous one has ended (programmatic dependent launch).
  bool overlaps = false;
};

/// Throws Interference, which says what does not belong there; CudaError and DeviceError when the graph cannot be read.
Inventory take_inventory(cudaGraph_t graph, RecordedParts const& parts);

}  // namespace perfcheck::device
