// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_work.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace perfcheck::device {
namespace {

std::string memory_text(void const* address, PlaceOf const& place_of) {
  auto const place = place_of(reinterpret_cast<std::uint64_t>(address));
  return place ? place->text() : "memory of nobody";
}

std::string memset_text(cudaGraphNode_t node, PlaceOf const& place_of) {
  cudaMemsetParams set{};
  PERFCHECK_CUDA(cudaGraphMemsetNodeGetParams(node, &set));
  std::string const rows = set.height > 1 ? fmt::format(" x {} rows of pitch {}", set.height, set.pitch) : "";
  return fmt::format("memset {}{} x {} B to {:#x} in {}", set.width, rows, set.elementSize, set.value,
                     memory_text(set.dst, place_of));
}

std::string copy_text(cudaGraphNode_t node, PlaceOf const& place_of) {
  cudaMemcpy3DParms copy{};
  if (cudaGraphMemcpyNodeGetParams(node, &copy) != cudaSuccess) {
    (void)cudaGetLastError();  // copies from and to symbols, for some drivers
    return "copy that the driver does not describe";
  }
  auto const end_text = [&](cudaArray_t array, cudaPitchedPtr const& pointer) {
    return array != nullptr ? std::string("an array") : memory_text(pointer.ptr, place_of);
  };
  cudaExtent const& size = copy.extent;
  std::string const rows = size.height * size.depth > 1 ? fmt::format(" x {} x {} of pitches {} and {}", size.height,
                                                                      size.depth, copy.srcPtr.pitch, copy.dstPtr.pitch)
                                                        : "";
  return fmt::format("copy {} B{} from {} to {}", size.width, rows, end_text(copy.srcArray, copy.srcPtr),
                     end_text(copy.dstArray, copy.dstPtr));
}

std::vector<LaunchNode> nodes_of_child(cudaGraphNode_t node, PlaceOf const& place_of) {
  cudaGraph_t child = nullptr;
  PERFCHECK_CUDA(cudaGraphChildGraphNodeGetGraph(node, &child));
  std::size_t count = 0;
  PERFCHECK_CUDA(cudaGraphGetNodes(child, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  PERFCHECK_CUDA(cudaGraphGetNodes(child, nodes.data(), &count));
  return launch_nodes(nodes, edges_of(child), place_of);
}

LaunchNode described(cudaGraphNode_t node, PlaceOf const& place_of) {
  cudaGraphNodeType type{};
  PERFCHECK_CUDA(cudaGraphNodeGetType(node, &type));
  switch (type) {
    case cudaGraphNodeTypeKernel: return {.text = describe_node(node), .is_kernel = true, .waits = {}};
    case cudaGraphNodeTypeMemset: return {.text = memset_text(node, place_of), .is_kernel = false, .waits = {}};
    case cudaGraphNodeTypeMemcpy: return {.text = copy_text(node, place_of), .is_kernel = false, .waits = {}};
    case cudaGraphNodeTypeGraph: {
      auto const inner = nodes_of_child(node, place_of);
      auto const others = other_nodes_of(inner);
      return {.text = fmt::format("child graph {} with {}", graph_hash_of(inner), others),
              .is_kernel = others == other_nodes_of({}),
              .waits = {}};
    }
    default: return {.text = describe_node(node), .is_kernel = false, .waits = {}};
  }
}

std::string how_text(GraphEdge const& edge) {
  if (!edge.is_programmatic() && edge.data.from_port == 0 && edge.data.to_port == 0) return "";
  return fmt::format("type {} port {} to {}", edge.data.type, edge.data.from_port, edge.data.to_port);
}

}  // namespace

std::vector<LaunchNode> launch_nodes(std::vector<cudaGraphNode_t> const& nodes, std::vector<GraphEdge> const& edges,
                                     PlaceOf const& place_of) {
  auto const holds = [&](cudaGraphNode_t node) { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); };
  std::map<cudaGraphNode_t, std::vector<GraphEdge>> before;
  for (GraphEdge const& edge : edges) {
    if (holds(edge.from) && holds(edge.to)) before[edge.to].push_back(edge);
  }
  std::map<cudaGraphNode_t, std::size_t> numbers;
  std::vector<LaunchNode> found;
  // The driver lists nodes in any order. A graph has no cycles, so each pass finds at least one.
  for (bool progress = true; std::exchange(progress, false);) {
    for (auto* const node : nodes) {
      auto const& waits = before[node];
      auto const is_found = [&](GraphEdge const& edge) { return numbers.contains(edge.from); };
      if (numbers.contains(node) || !std::all_of(waits.begin(), waits.end(), is_found)) continue;
      LaunchNode described_node = described(node, place_of);
      for (GraphEdge const& edge : waits) described_node.waits.push_back({numbers.at(edge.from), how_text(edge)});
      numbers[node] = found.size();
      found.push_back(std::move(described_node));
      progress = true;
    }
  }
  return found;
}

}  // namespace perfcheck::device
