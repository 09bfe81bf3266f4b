// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "sealed_case.h"

#include "launch_tables.h"
#include "workspaces.h"

#include <vector>

namespace perfcheck::gemm {
namespace {

class GemmSealedCase final : public worker::SealedCase {
 public:
  GemmSealedCase(std::shared_ptr<ProblemState> state, GemmDevice& device, KernelInfo const* kernel)
      : state_(std::move(state)),
        device_(device),
        kernel_(kernel == nullptr ? nullptr : &gemm_kernel(*kernel)),
        inputs_(device, state_->problem, places_for(state_->problem, device.backend)),
        workspaces_(device.backend, kernel_ == nullptr ? 0 : workspace_of(*kernel_, state_->problem), inputs_.sets()) {
    tables_.place(device, state_->problem, inputs_.sets());
  }

  std::size_t output_bytes() const override { return aligned_bytes(shape_of_d(state_->problem)); }
  verify::Engine& engine() override { return *device_.engine; }

  void renew_from(int index, std::uint64_t const* secret) override {
    std::vector<verify::SecretMatrices> place;
    for (auto const& matrices : inputs_.matrices()) {
      verify::SecretMatrices one = matrices;
      one.first = matrices.of(place_of(index));
      one.set_bytes = 0;
      place.push_back(one);
    }
    inputs_.renew_indices_from(device_, place_of(index), secret);
    device_.engine->renew_from(place, secret);
  }

  void launch(int index, void* output) override {
    int const place = place_of(index);
    GemmFullArgs args = arguments(state_->problem, device_.backend, inputs_.of(place), output);
    args.workspace = workspaces_.of(place);
    args.workspace_bytes = workspaces_.bytes();
    tables_.give(args, place);
    launch_kernel(*kernel_, args);
  }

 private:
  int place_of(int index) const { return index % inputs_.sets(); }

  std::shared_ptr<ProblemState> state_;
  GemmDevice& device_;
  GemmKernel const* kernel_;
  TimedInputs inputs_;
  Workspaces workspaces_;
  LaunchTables tables_;
};

/// The judge looks at one output at a time.
constexpr int kSets = 1;

class GemmSealedProof final : public worker::SealedProof {
 public:
  GemmSealedProof(std::shared_ptr<ProblemState> state, GemmDevice& device)
      : state_(std::move(state)), device_(device), inputs_(device, state_->problem, kSets) {}

  std::size_t output_bytes() const override { return aligned_bytes(shape_of_d(state_->problem)); }
  bool cold() const override { return !state_->problem.hot; }
  std::uint32_t poison_word() const override { return verify::poison_word(state_->problem.types.d); }
  verify::Engine& engine() override { return *device_.engine; }

  std::string finding(void* output, std::uint64_t secret, std::uint64_t draw) override {
    verify::MatrixView d = shape_of_d(state_->problem);
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
  if (state->problem.pointers) return nullptr;  // where D is differs by launch, and nothing is copied in a recording
  GemmDevice& device = state->devices->of(backend);
  return std::make_unique<GemmSealedCase>(std::move(state), device, kernel);
}

std::unique_ptr<worker::SealedProof> make_sealed_proof(std::shared_ptr<ProblemState> state, device::Backend& backend) {
  if (state->problem.pointers) return nullptr;
  GemmDevice& device = state->devices->of(backend);
  return std::make_unique<GemmSealedProof>(std::move(state), device);
}

}  // namespace perfcheck::gemm
