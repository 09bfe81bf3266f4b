// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_graph.h"

#include <gtest/gtest.h>

#include <set>

namespace perfcheck::device {
namespace {

using Nodes = std::vector<LaunchNode>;

LaunchNode kernel(std::string const& name, std::vector<LaunchNode::Wait> waits = {}) {
  return {.text = "kernel " + name, .is_kernel = true, .waits = std::move(waits)};
}
LaunchNode other(std::string const& text, std::vector<LaunchNode::Wait> waits = {}) {
  return {.text = text, .is_kernel = false, .waits = std::move(waits)};
}

TEST(OtherNodes, AreListedInTheOrderOfTheirDependencies) {
  EXPECT_EQ(other_nodes_of({}), "none");
  EXPECT_EQ(other_nodes_of({kernel("f")}), "none");
  EXPECT_EQ(other_nodes_of({other("memset"), kernel("f", {{0, ""}}), other("copy", {{1, ""}})}), "memset, copy");
  EXPECT_EQ(other_nodes_of({other("copy"), kernel("f", {{0, ""}}), other("memset", {{1, ""}})}), "copy, memset");
  EXPECT_EQ(other_nodes_of({other("b"), other("a")}), "a, b") << "of nodes side by side, neither is first";
  EXPECT_EQ(other_nodes_of({other("a"), other("a", {{0, ""}}), other("b", {{1, ""}})}), "2 x a, b");
}

TEST(OtherNodes, OfWhichThereAreManyAreCounted) {
  Nodes nodes;
  for (std::size_t i = 0; i < 12; ++i) {
    nodes.push_back(other(std::string(1, static_cast<char>('a' + i))));
  }
  EXPECT_EQ(other_nodes_of(nodes), "a, b, c, d, e, f, g, h and 4 more");
}

TEST(GraphHash, DoesNotDependOnTheOrderOfRecording) {
  // Two branches that meet: a -> b -> d, a -> c -> d.
  Nodes const one = {kernel("a"), kernel("b", {{0, ""}}), kernel("c", {{0, ""}}), kernel("d", {{1, ""}, {2, ""}})};
  Nodes const two = {kernel("a"), kernel("c", {{0, ""}}), kernel("b", {{0, ""}}), kernel("d", {{2, ""}, {1, ""}})};
  EXPECT_EQ(graph_hash_of(one), graph_hash_of(two));
  EXPECT_EQ(graph_hash_of(one).size(), 16U);
}

TEST(GraphHash, TellsNodesAndDependenciesApart) {
  std::set<std::string> seen;
  for (Nodes const& nodes :
       {Nodes{}, Nodes{kernel("a")}, Nodes{kernel("a"), kernel("a")}, Nodes{kernel("a"), kernel("a", {{0, ""}})},
        Nodes{kernel("a"), kernel("a", {{0, "early"}})}, Nodes{kernel("a"), kernel("b", {{0, ""}})},
        Nodes{kernel("b"), kernel("a", {{0, ""}})}, Nodes{kernel("a"), kernel("b")},
        Nodes{other("memset"), kernel("a", {{0, ""}})}, Nodes{kernel("a"), other("memset", {{0, ""}})},
        // Two equal nodes before two others: one precedes both, or each precedes one.
        Nodes{kernel("a"), kernel("a"), kernel("b", {{0, ""}}), kernel("c", {{0, ""}})},
        Nodes{kernel("a"), kernel("a"), kernel("b", {{0, ""}}), kernel("c", {{1, ""}})}}) {
    EXPECT_TRUE(seen.insert(graph_hash_of(nodes)).second) << seen.size();
  }
}

}  // namespace
}  // namespace perfcheck::device
