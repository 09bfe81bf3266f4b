// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a launch is told of where its groups begin.
#pragma once

#include "perfcheck/verify/guarded_buffer.h"

#include <perfcheck/gemm.h>

#include <string>
#include <vector>

namespace perfcheck::gemm {

struct GemmDevice;

/// Offsets of a problem's groups in memory of the device, between guard bands. They follow from the problem: unlike
/// other inputs they are no secret and stay for all launches, so that whoever launches kernels side by side keeps some
/// for each. Nothing that judges results reads them.
class GroupOffsets {
 public:
  /// Writes them, and poison around them. Nothing for a problem without groups. Throws device::DeviceError.
  void place(GemmDevice& device, GemmProblem const& problem);
  /// Tells a launch where they are.
  void give(GemmFullArgs& args) const;
  /// What was written outside of them since they were placed, as text for a person; empty when nothing was.
  std::string damage_around(verify::Engine& engine) const;
  /// What became of themselves, likewise.
  std::string change(device::Backend& backend) const;

 private:
  std::vector<std::int32_t> placed_;
  verify::GuardedBuffer buffer_{"the group offsets"};
};

}  // namespace perfcheck::gemm
