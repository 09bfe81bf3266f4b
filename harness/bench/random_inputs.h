// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Inputs for kernels that are launched without the harness.
#pragma once

#include "plain_device.h"

#include <perfcheck/gemm.h>

#include <cstddef>

namespace perfcheck {

/// Whether the kernel runs on this device and takes the problem, which must be one without features.
bool takes(GemmKernel const& kernel, GemmProblem const& problem);

/// Several sets of A and B of one problem. Floating-point numbers have a random sign, a random mantissa and magnitudes
/// from 0.5 to 1; integers are random bits. A kernel's power, and so its clock, depends on its data: zeros or small
/// integers take far less than such numbers, which are close to the most that a kernel takes. Scale factors, where the
/// types have them, are from 0.5 to 1.
class RandomInputs {
 public:
  /// Fills them; does not wait for it. Throws std::invalid_argument for a format that it knows no data of.
  RandomInputs(GemmProblem const& problem, int sets);

  GemmProblem const& problem() const { return problem_; }
  int sets() const { return sets_; }
  std::size_t d_bytes() const { return d_; }
  /// Of A, B and D of one set.
  static std::size_t set_bytes(GemmProblem const& problem);
  /// A launch on one of the sets, without workspace and without C, on the default stream. A problem's beta is ignored.
  GemmFullArgs args(int set, void* d) const;

 private:
  GemmProblem problem_;
  int sets_;
  std::size_t a_, b_, d_;            // bytes of one matrix
  std::size_t a_scales_, b_scales_;  // bytes of one matrix's scale factors
  Buffer inputs_, scales_;
};

}  // namespace perfcheck
