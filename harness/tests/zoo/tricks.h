// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of kernels/zoo: the problem on which the slow build is slower, and the kind of difference that reveals
// the slow build. kernels/zoo/README.md says the same.
#pragma once

#include <array>

namespace perfcheck::zoo {

struct Trick {
  char const* kernel;
  char const* problem;
  char const* seen_by;  ///< Difference::what; empty when nothing sees it
};

inline constexpr char const* kSquare = "f32,nn,m2048n2048k2048";

inline constexpr std::array kTricks = {
    Trick{"argument", kSquare, "arguments"},
    Trick{"callee_in_another_object", kSquare, "called_code"},
    Trick{"carveout", kSquare, "attributes"},
    // 528 tiles: four for each of 132 multiprocessors; clusters fit on only 128 of these.
    Trick{"cluster", "f32,nn,m2816n3072k1024", "attributes"},
    Trick{"constant_at_run_time", kSquare, "constants"},
    Trick{"constant_value", kSquare, "constants"},
    Trick{"device_table", kSquare, "constants"},
    Trick{"function_pointer", kSquare, "constants"},
    Trick{"memcpy_node", kSquare, "other_nodes"},
    Trick{"memset_node", kSquare, "other_nodes"},
    Trick{"misaligned_workspace", kSquare, "arguments"},
    Trick{"pinned_table", kSquare, "arguments"},
    // Two halves of 660 tiles, at two per multiprocessor: two and a half times what fits at once.
    Trick{"side_by_side", "f32,nn,m7680n2816k512", "graph"},
    Trick{"table_at_run_time", kSquare, ""},
};

}  // namespace perfcheck::zoo
