// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_inventory.h"

#include "graph_node.h"
#include "perfcheck/device/backend.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace perfcheck::device {
namespace {

/// A graph's nodes with their neighbours.
class Nodes {
 public:
  explicit Nodes(cudaGraph_t graph) {
    std::size_t count = 0;
    PERFCHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &count));
    all_.resize(count);
    PERFCHECK_CUDA(cudaGraphGetNodes(graph, all_.data(), &count));
    for (GraphEdge const& edge : edges_of(graph)) {
      before_[edge.to].push_back(edge);
    }
  }

  std::vector<cudaGraphNode_t> const& all() const { return all_; }
  std::vector<GraphEdge> const& before(cudaGraphNode_t node) const {
    static std::vector<GraphEdge> const none;
    auto const found = before_.find(node);
    return found == before_.end() ? none : found->second;
  }

 private:
  std::vector<cudaGraphNode_t> all_;
  std::map<cudaGraphNode_t, std::vector<GraphEdge>> before_;
};

bool holds(Frontier const& frontier, cudaGraphNode_t node) {
  return std::find(frontier.begin(), frontier.end(), node) != frontier.end();
}

bool same_nodes(Frontier a, Frontier b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

/// Walks through the parts of a recording from its start to its end.
class Walk {
 public:
  explicit Walk(cudaGraph_t graph) : nodes_(graph) {}

  /// The nodes between two frontiers, in topological order. Each must lie behind all of `from`; none may have been in
  /// an earlier part.
  std::vector<cudaGraphNode_t> part(Frontier const& from, Frontier const& to, std::string const& name) {
    std::vector<cudaGraphNode_t> found;
    for (auto* const node : to) {
      if (!holds(from, node)) visit(node, from, name, found);
    }
    return found;
  }

  /// Skips everything before the clock starts.
  void skip_to(Frontier const& frontier) {
    for (auto* const node : frontier) skip(node);
  }

  std::size_t left() const { return nodes_.all().size() - seen_.size(); }
  cudaGraphNode_t first_left() const {
    return *std::find_if(nodes_.all().begin(), nodes_.all().end(), [&](auto* node) { return !seen_.contains(node); });
  }
  bool overlaps() const { return overlaps_; }
  Nodes const& nodes() const { return nodes_; }

 private:
  void skip(cudaGraphNode_t node) {
    if (!seen_.insert(node).second) return;
    for (GraphEdge const& edge : nodes_.before(node)) skip(edge.from);
  }

  void visit(cudaGraphNode_t node, Frontier const& from, std::string const& name, std::vector<cudaGraphNode_t>& found) {
    if (!seen_.insert(node).second) {
      throw Interference(
          fmt::format("{} goes back to {}, which was recorded before: its work is not in the chain that "
                      "is timed",
                      name, describe_node(node)));
    }
    Frontier outside;
    bool is_first = true;
    for (GraphEdge const& edge : nodes_.before(node)) {
      overlaps_ = overlaps_ || edge.is_programmatic();
      if (holds(from, edge.from)) {
        outside.push_back(edge.from);
      } else if (holds(found, edge.from)) {
        is_first = false;
      } else if (!seen_.contains(edge.from)) {
        visit(edge.from, from, name, found);
        is_first = false;
      }  // else it lies in an earlier part: a second stream's own order, which adds nothing
    }
    if (is_first && !same_nodes(outside, from)) {
      throw Interference(
          fmt::format("{} does not wait for what was recorded before it: {} could run beside it or before "
                      "the clock starts",
                      name, describe_node(node)));
    }
    found.push_back(node);
  }

  Nodes nodes_;
  std::set<cudaGraphNode_t> seen_;
  bool overlaps_ = false;
};

/// One launch as text: its nodes, each with a hash of those that it waits for. The text does not depend on the order in
/// which they were recorded.
std::string text_of(std::vector<cudaGraphNode_t> const& launch, Nodes const& nodes) {
  if (launch.size() == 1) return describe_node(launch.front());
  std::map<cudaGraphNode_t, std::size_t> hashes;
  std::vector<std::string> texts;
  for (auto* const node : launch) {
    std::vector<std::size_t> waits_for;
    for (GraphEdge const& edge : nodes.before(node)) {
      if (auto const known = hashes.find(edge.from); known != hashes.end()) waits_for.push_back(known->second);
    }
    std::sort(waits_for.begin(), waits_for.end());
    std::string const text = fmt::format("{} behind [{:x}]", describe_node(node), fmt::join(waits_for, " "));
    hashes[node] = std::hash<std::string>()(text);
    texts.push_back(text);
  }
  std::sort(texts.begin(), texts.end());
  return fmt::format("{}", fmt::join(texts, "; "));
}

void check_types(std::vector<cudaGraphNode_t> const& launch, std::string const& name) {
  for (auto* const node : launch) {
    if (auto const wrong = what_is_wrong_with(node); !wrong.empty()) {
      throw Interference(fmt::format("{} records {}", name, wrong));
    }
  }
}

}  // namespace

Frontier capture_frontier(cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  auto const get = cudaStreamGetCaptureInfo;
#else
  auto const get = cudaStreamGetCaptureInfo_v3;
#endif
  cudaStreamCaptureStatus status{};
  cudaGraphNode_t const* nodes = nullptr;
  cudaGraphEdgeData const* edges = nullptr;
  std::size_t count = 0;
  PERFCHECK_CUDA(get(stream, &status, nullptr, nullptr, &nodes, &edges, &count));
  if (status != cudaStreamCaptureStatusActive) {
    throw Interference("the launch ended the recording of its own stream");
  }
  return {nodes, nodes + count};
}

Inventory take_inventory(cudaGraph_t graph, RecordedParts const& parts) {
  Inventory inventory;
  Walk walk(graph);
  walk.skip_to(parts.started);
  Frontier const* from = &parts.started;
  for (std::size_t i = 0; i < parts.launches.size(); ++i) {
    std::string const name = fmt::format("launch {} of {}", i + 1, parts.launches.size());
    Frontier const& prepared = parts.launches[i].prepared;
    walk.part(*from, prepared, "what prepares a launch");
    auto const launch = walk.part(prepared, parts.launches[i].launched, name);
    if (launch.empty()) throw Interference(name + " recorded nothing on the stream that it was given");
    check_types(launch, name);
    std::string const text = text_of(launch, walk.nodes());
    if (i == 0) {
      inventory.launch = text;
    } else if (text != inventory.launch) {
      throw Interference(
          fmt::format("{} is not what the first one is: it records {}, the first {}", name, text, inventory.launch));
    }
    inventory.launches.push_back(launch);
    from = &parts.launches[i].launched;
  }
  auto const wait = walk.part(*from, parts.waited, "the injected wait");
  auto const stop = walk.part(parts.waited, parts.stopped, "the event that stops the clock");
  inventory.behind_launches = wait.empty() ? stop : wait;
  walk.part(parts.stopped, parts.ended, "what follows the clock");
  if (walk.left() != 0) {
    throw Interference(
        fmt::format("the recording holds {} node{} outside of the chain between the two events, the first "
                    "of them {}",
                    walk.left(), walk.left() == 1 ? "" : "s", describe_node(walk.first_left())));
  }
  inventory.overlaps = walk.overlaps();
  return inventory;
}

}  // namespace perfcheck::device
