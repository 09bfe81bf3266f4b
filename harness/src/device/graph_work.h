// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a captured launch, described without addresses.
#pragma once

#include "graph_node.h"
#include "launch_graph.h"
#include "memory_place.h"

#include <cuda_runtime_api.h>

#include <vector>

namespace perfcheck::device {

/// The given nodes of a graph in topological order, with the dependencies among them. Describes child graphs, too.
/// Throws CudaError and DeviceError.
std::vector<LaunchNode> launch_nodes(std::vector<cudaGraphNode_t> const& nodes, std::vector<GraphEdge> const& edges,
                                     PlaceOf const& place_of);

}  // namespace perfcheck::device
