// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_copy.h"

#include "graph_node.h"

#include <perfcheck/cuda_check.h>

#include <algorithm>
#include <map>
#include <set>

namespace perfcheck::device {
namespace {

bool holds(std::vector<cudaGraphNode_t> const& nodes, cudaGraphNode_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

void remove_edge(cudaGraph_t graph, GraphEdge const& edge) {
#if CUDART_VERSION >= 13000
  PERFCHECK_CUDA(cudaGraphRemoveDependencies(graph, &edge.from, &edge.to, &edge.data, 1));
#else
  PERFCHECK_CUDA(cudaGraphRemoveDependencies_v2(graph, &edge.from, &edge.to, &edge.data, 1));
#endif
}

void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  PERFCHECK_CUDA(cudaGraphAddDependencies(graph, &from, &to, nullptr, 1));
#else
  PERFCHECK_CUDA(cudaGraphAddDependencies(graph, &from, &to, 1));
#endif
}

cudaGraphNode_t in_copy(cudaGraphNode_t original, cudaGraph_t copy) {
  cudaGraphNode_t node = nullptr;
  PERFCHECK_CUDA(cudaGraphNodeFindInClone(&node, original, copy));
  return node;
}

}  // namespace

Graph copy_of(cudaGraph_t graph) {
  cudaGraph_t copy = nullptr;
  PERFCHECK_CUDA(cudaGraphClone(&copy, graph));
  return Graph(copy);
}

Frontier in_copy(Frontier const& nodes, cudaGraph_t copy) {
  Frontier found;
  for (auto* const node : nodes) found.push_back(in_copy(node, copy));
  return found;
}

RecordedParts in_copy(RecordedParts const& parts, cudaGraph_t copy) {
  RecordedParts found{.started = in_copy(parts.started, copy),
                      .launches = {},
                      .waited = in_copy(parts.waited, copy),
                      .stopped = in_copy(parts.stopped, copy),
                      .ended = in_copy(parts.ended, copy)};
  for (RecordedLaunch const& launch : parts.launches) {
    found.launches.push_back({in_copy(launch.prepared, copy), in_copy(launch.launched, copy)});
  }
  return found;
}

Graph with_inserts(cudaGraph_t graph, std::vector<Insert> const& inserts) {
  Graph copy = copy_of(graph);
  std::map<cudaGraphNode_t, std::vector<GraphEdge>> leaving;
  for (GraphEdge const& edge : edges_of(graph)) leaving[edge.from].push_back(edge);
  for (Insert const& insert : inserts) {
    Frontier const behind = in_copy(insert.behind, copy.get());
    cudaGraphNode_t inserted = nullptr;
    PERFCHECK_CUDA(cudaGraphAddChildGraphNode(&inserted, copy.get(), behind.data(), behind.size(), insert.what.get()));
    std::set<cudaGraphNode_t> followers;
    for (auto* const node : insert.behind) {
      for (GraphEdge const& edge : leaving[node]) {
        if (!holds(insert.in_front_of, edge.to)) continue;
        auto* const follower = in_copy(edge.to, copy.get());
        remove_edge(copy.get(), {in_copy(edge.from, copy.get()), follower, edge.data});
        if (followers.insert(follower).second) add_edge(copy.get(), inserted, follower);
      }
    }
  }
  return copy;
}

}  // namespace perfcheck::device
