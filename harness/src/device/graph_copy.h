// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies of a recorded graph: one of which the recorded code holds no handle, and ones with work inserted between
// launches.
#pragma once

#include "cuda_replay.h"
#include "graph_inventory.h"

#include <vector>

namespace perfcheck::device {

/// Throws CudaError, also where a graph holds nodes that cannot be copied.
Graph copy_of(cudaGraph_t graph);
/// The nodes in a copy of a graph that correspond to the given ones.
Frontier in_copy(Frontier const& nodes, cudaGraph_t copy);
RecordedParts in_copy(RecordedParts const& parts, cudaGraph_t copy);

/// Work to insert after the nodes `behind` and before the nodes `in_front_of`, in place of the dependencies between
/// them.
struct Insert {
  Frontier behind;
  std::vector<cudaGraphNode_t> in_front_of;
  Graph what;
};

/// A copy of the graph with the inserts. Throws CudaError.
Graph with_inserts(cudaGraph_t graph, std::vector<Insert> const& inserts);

}  // namespace perfcheck::device
