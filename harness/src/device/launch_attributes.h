// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a captured graph says about the kernels in it: works for library kernels as for our own.
#pragma once

#include "perfcheck/model/run.h"

#include <cuda_runtime_api.h>

#include <vector>

namespace perfcheck::device {

/// A launch in a recording.
struct LaunchInGraph {
  cudaGraph_t graph;
  std::vector<cudaGraphNode_t> nodes;
  /// The nodes of another launch that does the same on other data, or none.
  std::vector<cudaGraphNode_t> again;
  cudaGraphNode_t plain;  ///< a kernel of the same graph that was launched without attributes
  cudaStream_t stream;    ///< on which all of it was captured
};

/// One entry per kernel of the launch, in order. Waits for the stream. Throws DeviceError or CudaError.
std::vector<model::LaunchAttributes> launch_attributes(LaunchInGraph const& launch);

}  // namespace perfcheck::device
