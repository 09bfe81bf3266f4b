// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A recorded launch as nodes that wait for each other, described independently of the order in which they were
// recorded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perfcheck::device {

struct LaunchNode {
  std::string text;  ///< what it does, without addresses: "memset 4096 x 1 B to 0x0 in device memory"
  bool is_kernel = false;
  struct Wait {
    std::size_t for_node;  ///< index of a node in front of this one
    std::string how;       ///< what it waits for in that node; empty: its end
  };
  std::vector<Wait> waits;
};

/// The nodes that are not kernels, in words, in the order of their dependencies: "none", "memset ..., 2 x copy ...".
std::string other_nodes_of(std::vector<LaunchNode> const& nodes);
/// 16 hexadecimal digits.
std::string graph_hash_of(std::vector<LaunchNode> const& nodes);

}  // namespace perfcheck::device
