// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "sealed_case.h"

namespace perfcheck::gemm {
namespace {

/// A launch's inputs are made when they are needed: one set is enough.
constexpr int kSets = 1;

class GemmSealedCase final : public worker::SealedCase {
 public:
  GemmSealedCase(std::shared_ptr<ProblemState> state, GemmDevice& device, KernelInfo const* kernel)
      : state_(std::move(state)), device_(device), inputs_(device, state_->problem, kSets) {
    if (kernel == nullptr) return;
    kernel_ = &gemm_kernel(*kernel);
    arguments_ = arguments(state_->problem, device.backend, inputs_.a().first, inputs_.b().first,
                           inputs_.c().first.data, nullptr);
    arguments_.workspace_bytes = workspace_of(*kernel_, state_->problem);
    if (arguments_.workspace_bytes == 0) return;
    workspace_ = device.backend.allocate(aligned_bytes(arguments_.workspace_bytes));
    arguments_.workspace = workspace_.data();
  }

  std::size_t output_bytes() const override { return aligned_bytes(shapes_of(state_->problem).d); }
  verify::Engine& engine() override { return *device_.engine; }
  void renew_from(std::uint64_t const* secret) override { device_.engine->renew_from(inputs_.matrices(), secret); }
  void launch(void* output) override {
    GemmArgs to_output = arguments_;
    to_output.d = output;
    kernel_->launch(to_output);
  }

 private:
  std::shared_ptr<ProblemState> state_;
  GemmDevice& device_;
  TimedInputs inputs_;
  GemmKernel const* kernel_ = nullptr;
  GemmArgs arguments_;
  device::Memory workspace_;
};

class GemmSealedProof final : public worker::SealedProof {
 public:
  GemmSealedProof(std::shared_ptr<ProblemState> state, GemmDevice& device)
      : state_(std::move(state)), device_(device), inputs_(device, state_->problem, kSets) {}

  std::size_t output_bytes() const override { return aligned_bytes(shapes_of(state_->problem).d); }
  bool cold() const override { return !state_->problem.hot; }
  std::uint32_t poison_word() const override { return verify::poison_word(element_of(state_->problem.types)); }
  verify::Engine& engine() override { return *device_.engine; }

  std::string finding(void* output, std::uint64_t secret, std::uint64_t draw) override {
    verify::MatrixView d = shapes_of(state_->problem).d;
    d.data = output;
    device_.proof->enqueue(inputs_.proof_task(d, output_bytes(), kSets, secret, draw));
    auto const result = device_.proof->collect();
    if (result.right == result.judged) return "";
    return inputs_.what_is_wrong(device_, 0, secret, d);  // else the projection's chance: everything is right
  }

 private:
  std::shared_ptr<ProblemState> state_;
  GemmDevice& device_;
  TimedInputs inputs_;
};

}  // namespace

std::unique_ptr<worker::SealedCase> make_sealed_case(std::shared_ptr<ProblemState> state, device::Backend& backend,
                                                     KernelInfo const* kernel) {
  GemmDevice& device = state->devices->of(backend);
  return std::make_unique<GemmSealedCase>(std::move(state), device, kernel);
}

std::unique_ptr<worker::SealedProof> make_sealed_proof(std::shared_ptr<ProblemState> state, device::Backend& backend) {
  GemmDevice& device = state->devices->of(backend);
  return std::make_unique<GemmSealedProof>(std::move(state), device);
}

}  // namespace perfcheck::gemm
