// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The inputs of timed launches: enough copies to defeat the cache, shared by all kernels of a problem.
#pragma once

#include "data.h"

#include "perfcheck/device/backend.h"
#include "perfcheck/worker/operation.h"

#include <string>
#include <vector>

namespace perfcheck::gemm {

struct GemmDevice;

/// How many sets of A, B, C and D launches rotate over: one when the problem is hot, else enough for three times the
/// last-level cache and for several places in memory, as far as a quarter of the free memory allows.
int copies_for(GemmProblem const& problem, std::int64_t cache_bytes, std::size_t free_bytes);

class TimedInputs {
 public:
  /// Allocates and fills. Throws device::DeviceError.
  TimedInputs(GemmDevice& device, GemmProblem const& problem, std::uint64_t seed);

  struct Matrices {
    verify::MatrixView a, b, c;  ///< c has no memory when the problem does not read it
  };
  int copies() const { return static_cast<int>(sets_.size()); }
  Matrices const& copy(int index) const { return sets_[static_cast<std::size_t>(index)]; }
  /// Empty when no bit changed since the inputs were made, else what changed.
  std::string change(GemmDevice& device) const;

 private:
  GemmProblem problem_;
  std::uint64_t seed_ = 0;
  device::Memory memory_;
  std::vector<Matrices> sets_;
  std::uint64_t fingerprint_ = 0;
};

/// Rounded up to the alignment of kernel arguments.
constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Bytes of a matrix from first to last element, rounded up likewise.
std::size_t aligned_bytes(verify::MatrixView const& matrix);

}  // namespace perfcheck::gemm
