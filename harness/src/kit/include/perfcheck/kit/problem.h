// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker's problem, as far as the kit can answer for an operation.
#pragma once

#include "perfcheck/kit/timed_inputs.h"

#include "perfcheck/worker/operation.h"

#include <memory>

namespace perfcheck::kit {

class Problem : public worker::Problem {
 public:
  explicit Problem(std::shared_ptr<Definition const> definition) : definition_(std::move(definition)) {}

  /// Itself where the kernel is a reference; otherwise, of those that run the problem, the first by name.
  model::CaseName reference(KernelInfo const& kernel) const final;
  std::unique_ptr<worker::TimedCase> prepare(device::Backend& backend, KernelInfo const& kernel,
                                             std::uint64_t seed) final;
  std::unique_ptr<worker::SealedCase> prepare_sealed(device::Backend& backend, KernelInfo const* kernel) final;
  std::unique_ptr<worker::SealedProof> prove_sealed(device::Backend& backend) final;

 protected:
  Definition const& definition() const { return *definition_; }
  /// What works on the backend's memory. Outlives every case of the problem.
  virtual Device& device(device::Backend& backend) = 0;
  virtual std::shared_ptr<Proof> proof(device::Backend& backend) = 0;
  /// Whether others are timed beside the kernel, which need not run this problem.
  virtual bool is_reference(KernelInfo const& kernel) const { return kernel.reference; }

 private:
  std::shared_ptr<Definition const> definition_;
  device::Backend* backend_ = nullptr;  ///< which the inputs lie on
  std::shared_ptr<TimedInputs> inputs_;
};

}  // namespace perfcheck::kit
