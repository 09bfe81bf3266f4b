// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What is measured, from the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::energy {

struct Options {
  double seconds = 5;      ///< of a block
  int pairs = 3;           ///< of blocks, for each kernel
  double time_budget = 0;  ///< begin no kernel that would end later than that many seconds; 0: no limit
  std::string out;         ///< file to write; empty: none
  std::string kernels;     ///< ids, or beginnings of ids, separated by commas
  std::vector<std::string> problems;
  bool help = false;
};

/// Throws std::invalid_argument, with what is wrong.
Options parse_options(std::vector<std::string> const& arguments);

/// The ids that `wanted` names, in their order: each of its parts, separated by commas, is a whole id, or else the
/// beginning of some. Throws std::invalid_argument where a part names none.
std::vector<std::string> chosen(std::vector<std::string> const& ids, std::string_view wanted);

/// Seconds that the blocks of one kernel take, its reference's included: each is led in, and ends at a step of the
/// counter.
double seconds_of_kernel(Options const& options);

/// How long a kernel runs before its block begins, in seconds: until clocks have followed it.
inline constexpr double kLeadSeconds = 1;

}  // namespace perfcheck::energy
