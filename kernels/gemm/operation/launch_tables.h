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

/// Tables in memory of the device, between guard bands. They follow from the problem and from where its buffers are:
/// unlike inputs they are no secret, and stay as they are for all launches. So whoever launches kernels side by side
/// keeps some for each kernel. Nothing that judges results reads them.
class LaunchTables {
 public:
  /// Makes those of launches on `sets` sets of buffers. None for a problem that needs none. Throws device::DeviceError.
  void place(kit::Device& device, GemmProblem const& problem, int sets);
  /// Tells a launch on one of the sets where its tables are. Those of pointers are written now, and replace the
  /// pointers of `args`.
  void give(GemmFullArgs& args, int set);
  /// What was written outside of them since they were placed, as text for a person; empty when nothing was.
  std::string damage_around() const;
  /// What became of themselves, likewise.
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
