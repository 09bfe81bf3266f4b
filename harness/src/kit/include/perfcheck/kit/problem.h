// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of worker::Problem that the kit implements for an operation.
#pragma once

#include "perfcheck/kit/timed_inputs.h"

#include "perfcheck/worker/operation.h"

#include <memory>

namespace perfcheck::kit {

class Problem : public worker::Problem {
 public:
  explicit Problem(std::shared_ptr<Definition const> definition) : definition_(std::move(definition)) {}

  /// The kernel itself if it is a reference; otherwise, of the references that run the problem, the first by name.
  model::CaseName reference(KernelInfo const& kernel) const final;
  std::unique_ptr<worker::TimedCase> prepare(device::Backend& backend, KernelInfo const& kernel) final;
  std::unique_ptr<worker::SealedCase> prepare_sealed(device::Backend& backend, KernelInfo const* kernel) final;
  std::unique_ptr<worker::SealedProof> prove_sealed(device::Backend& backend) final;

 protected:
  Definition const& definition() const { return *definition_; }
  /// The kit's device for a backend. Outlives every case of the problem.
  virtual Device& device(device::Backend& backend) = 0;
  virtual std::shared_ptr<Proof> proof(device::Backend& backend) = 0;
  /// Whether other kernels are timed against this one. It need not run this problem.
  virtual bool is_reference(KernelInfo const& kernel) const { return kernel.reference; }

 private:
  std::shared_ptr<Definition const> definition_;
  device::Backend* backend_ = nullptr;  ///< on which inputs_ lie
  std::shared_ptr<TimedInputs> inputs_;
};

}  // namespace perfcheck::kit
