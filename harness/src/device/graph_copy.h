// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies of a recorded graph: one that whoever was recorded holds no handle of, and ones with something between
// launches.
#pragma once

#include "cuda_replay.h"
#include "graph_inventory.h"

#include <vector>

namespace perfcheck::device {

/// Throws CudaError, also where a graph holds nodes that cannot be copied.
Graph copy_of(cudaGraph_t graph);
/// Nodes of a graph in a copy of it.
Frontier in_copy(Frontier const& nodes, cudaGraph_t copy);
RecordedParts in_copy(RecordedParts const& parts, cudaGraph_t copy);

/// What comes behind `behind` and before `in_front_of`, nodes of the graph, in place of the dependencies between them.
struct Insert {
  Frontier behind;
  std::vector<cudaGraphNode_t> in_front_of;
  Graph what;
};

/// A copy of the graph with the inserts. Throws CudaError.
Graph with_inserts(cudaGraph_t graph, std::vector<Insert> const& inserts);

}  // namespace perfcheck::device
