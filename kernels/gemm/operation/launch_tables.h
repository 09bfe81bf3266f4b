// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a launch reads besides its inputs: where groups begin, and pointers to the matrices of a batch.
#pragma once

#include "perfcheck/kit/proof.h"
#include "perfcheck/verify/guarded_buffer.h"

#include <perfcheck/gemm.h>

#include <string>
#include <vector>

namespace perfcheck::gemm {

/// Tables in device memory, between guard bands. They follow from the problem and the addresses of its buffers. Unlike
/// inputs, they are not secret and stay the same for all launches, so whoever launches kernels side by side keeps
/// separate tables for each kernel. Nothing that judges results reads them.
class LaunchTables {
 public:
  /// Makes the tables for launches on `sets` sets of buffers; none for a problem that needs none. Throws
  /// device::DeviceError.
  void place(kit::Device& device, GemmProblem const& problem, int sets);
  /// Gives a launch on one of the sets the addresses of its tables. Tables of pointers are written now, and replace the
  /// pointers in `args`.
  void give(GemmFullArgs& args, int set);
  /// Describes what was written outside the tables since they were placed; empty when nothing was.
  std::string damage_around() const;
  /// Describes what changed in the tables themselves; empty when nothing did.
  std::string change() const;

 private:
  void give_pointers(GemmFullArgs& args, int set);
  void place_words(kit::Device& device, std::string const& name);

  kit::Device* device_ = nullptr;
  GemmTypes types_;
  std::vector<int> order_;            ///< of pointers: which matrix of the memory each points to
  std::size_t array_words_ = 0;       ///< from one array of pointers to the next
  std::vector<std::uint32_t> words_;  ///< what the tables hold; none without tables
  verify::GuardedBuffer buffer_;
};

}  // namespace perfcheck::gemm
