// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Single nodes of a captured graph: what they are, as text, and whether a timed launch may consist of them.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace perfcheck::device {

/// "kernel naive grid 16x16x1 block 32x32x1 shared 0", "a memset of 4096 bytes": equal for nodes that do the same on
/// other data. Includes the nodes of child graphs. Throws CudaError and DeviceError.
std::string describe_node(cudaGraphNode_t node);

/// Why a timed launch may not hold this node, or empty: it leaves the device, the chain or the recording, or changes
/// what is recorded.
std::string what_is_wrong_with(cudaGraphNode_t node);

/// The kernels among `nodes` and in their child graphs, in order.
std::vector<cudaGraphNode_t> kernel_nodes(std::vector<cudaGraphNode_t> const& nodes);

/// A dependency between two nodes.
struct GraphEdge {
  cudaGraphNode_t from, to;
  cudaGraphEdgeData data;
  bool is_programmatic() const { return data.type != cudaGraphDependencyTypeDefault; }
};
/// The edges of a graph, without those of child graphs. Throws CudaError.
std::vector<GraphEdge> edges_of(cudaGraph_t graph);

CUDA_KERNEL_NODE_PARAMS kernel_parameters(cudaGraphNode_t node);
/// The function of a kernel node, whether it was recorded as a function or as a kernel.
CUfunction kernel_function(CUDA_KERNEL_NODE_PARAMS const& parameters);
/// Its mangled name.
std::string kernel_name(CUfunction function);

/// Throws DeviceError, which names the call, unless it succeeded.
void check_driver(CUresult result, char const* call);

}  // namespace perfcheck::device
