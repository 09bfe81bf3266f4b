// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kit has to know of a GEMM problem.
#pragma once

#include "state.h"

#include "perfcheck/kit/proof.h"

#include <memory>

namespace perfcheck::gemm {

class GemmDefinition final : public kit::Definition {
 public:
  explicit GemmDefinition(GemmProblem const& problem) : problem_(problem) {}

  std::vector<kit::Operand> inputs() const override { return read_inputs_of(problem_); }
  kit::Operand output() const override { return output_of(problem_); }
  bool hot() const override { return problem_.hot; }
  std::size_t workspace_bytes(KernelInfo const& kernel) const override {
    return workspace_of(gemm_kernel(kernel), problem_);
  }
  std::unique_ptr<kit::Launches> launches(KernelInfo const& kernel, kit::Device& device, int most) const override;

 private:
  GemmProblem problem_;
};

/// The device outlives it.
std::shared_ptr<kit::Proof> make_proof(GemmDevice& device, GemmProblem const& problem);

}  // namespace perfcheck::gemm
