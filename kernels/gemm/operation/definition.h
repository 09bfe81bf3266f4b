// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kit has to know about a GEMM problem.
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
  /// The indices of a sparse A. The device is a GemmDevice.
  std::shared_ptr<kit::OtherInput> other_input(kit::Device& device) const override;
  /// With pointers, the address of D differs from launch to launch, and a recording cannot copy into the table of
  /// pointers.
  bool can_be_sealed() const override { return !problem_.pointers; }

 private:
  GemmProblem problem_;
};

/// Whether a kernel is given C where beta is 0, to show that it does not read it.
enum class UnreadC { withheld, given };
std::unique_ptr<kit::Launches> make_launches(GemmKernel const& kernel, GemmProblem const& problem, kit::Device& device,
                                             int most, UnreadC c = UnreadC::withheld);

/// The device must outlive the proof.
std::shared_ptr<kit::Proof> make_proof(GemmDevice& device, GemmProblem const& problem);

}  // namespace perfcheck::gemm
