// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_graph.h"

#include "perfcheck/model/digest.h"
#include "perfcheck/model/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perfcheck::device {

std::string other_nodes_of(std::vector<LaunchNode> const& nodes) {
  // The length of the longest path to each node, which depends on the dependencies alone.
  std::vector<std::size_t> depths;
  std::vector<std::pair<std::size_t, std::string>> others;
  for (LaunchNode const& node : nodes) {
    std::size_t depth = 0;
    for (LaunchNode::Wait const& wait : node.waits) depth = std::max(depth, depths[wait.for_node] + 1);
    depths.push_back(depth);
    if (!node.is_kernel) others.emplace_back(depth, node.text);
  }
  std::sort(others.begin(), others.end());
  // The graph's hash covers all of them; a person needs no longer list.
  constexpr std::size_t kMostShown = 8;
  std::string text;
  std::size_t shown = 0, at = 0;
  for (; at < others.size() && shown < kMostShown; ++shown) {
    std::size_t const begin = at;
    while (at < others.size() && others[at].second == others[begin].second) ++at;
    std::string const times = at - begin > 1 ? fmt::format("{} x ", at - begin) : "";
    text += (text.empty() ? "" : ", ") + times + others[begin].second;
  }
  if (at < others.size()) text += fmt::format(" and {} more", others.size() - at);
  return text.empty() ? model::kNoOtherNodes : text;
}

std::string graph_hash_of(std::vector<LaunchNode> const& nodes) {
  std::vector<std::size_t> followers(nodes.size());
  for (LaunchNode const& node : nodes) {
    for (LaunchNode::Wait const& wait : node.waits) ++followers[wait.for_node];
  }
  // Hashes each node by what it does, by everything in front of it, and by how many nodes wait for it.
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::vector<std::string> waits;
    for (LaunchNode::Wait const& wait : nodes[i].waits) waits.push_back(hashes[wait.for_node] + " " + wait.how);
    std::sort(waits.begin(), waits.end());
    model::Digest digest;
    digest.add(nodes[i].text);
    digest.add(fmt::format("{}", followers[i]));
    for (std::string const& wait : waits) digest.add(wait);
    hashes.push_back(digest.text());
  }
  std::sort(hashes.begin(), hashes.end());
  model::Digest all;
  for (std::string const& hash : hashes) all.add(hash);
  return all.text();
}

}  // namespace perfcheck::device
