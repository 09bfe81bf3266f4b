// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/sealed_case.h"

#include "workspaces.h"

namespace perfcheck::kit {
namespace {

verify::MatrixView at(verify::MatrixView matrix, void* data) {
  matrix.data = data;
  return matrix;
}

class KitSealedCase final : public worker::SealedCase {
 public:
  KitSealedCase(std::shared_ptr<Definition const> definition, Device& device, KernelInfo const* kernel)
      : definition_(std::move(definition)),
        device_(device),
        output_shape_(definition_->output().shape),
        inputs_(device, *definition_, places_for(*definition_, device.backend)),
        workspaces_(device.backend, kernel == nullptr ? 0 : definition_->workspace_bytes(*kernel), inputs_.sets()) {
    if (kernel != nullptr) launches_ = definition_->launches(*kernel, device, inputs_.sets());
  }

  std::size_t output_bytes() const override { return aligned_bytes(output_shape_); }
  verify::Engine& engine() override { return *device_.engine; }

  void renew_from(int index, std::uint64_t const* secret) override {
    inputs_.renew_from(device_, place_of(index), secret);
  }

  void launch(int index, void* output) override {
    int const place = place_of(index);
    launches_->add({.inputs = inputs_.of(place),
                    .output = at(output_shape_, output),
                    .workspace = workspaces_.of(place),
                    .workspace_bytes = workspaces_.bytes(),
                    .stream = device_.backend.stream()});
    launches_->launch(added_++);
  }

 private:
  int place_of(int index) const { return index % inputs_.sets(); }

  std::shared_ptr<Definition const> definition_;
  Device& device_;
  verify::MatrixView output_shape_;
  TimedInputs inputs_;
  Workspaces workspaces_;
  std::unique_ptr<Launches> launches_;
  std::size_t added_ = 0;
};

/// The judge checks one output at a time.
constexpr int kSets = 1;

class KitSealedProof final : public worker::SealedProof {
 public:
  KitSealedProof(std::shared_ptr<Definition const> definition, Device& device, std::shared_ptr<Proof> proof)
      : definition_(std::move(definition)),
        device_(device),
        proof_(std::move(proof)),
        output_shape_(definition_->output().shape),
        inputs_(device, *definition_, kSets) {}

  std::size_t output_bytes() const override { return aligned_bytes(output_shape_); }
  bool cold() const override { return !definition_->hot(); }
  std::uint32_t poison_word() const override { return verify::poison_word(output_shape_.element); }
  verify::Engine& engine() override { return *device_.engine; }

  std::string finding(void* output, std::uint64_t secret, std::uint64_t draw) override {
    verify::MatrixView const matrix = at(output_shape_, output);
    Outputs const outputs{.inputs = inputs_.matrices(),
                          .first = matrix,
                          .set_bytes = static_cast<std::int64_t>(output_bytes()),
                          .sets = kSets,
                          .secret = secret,
                          .draw = draw};
    proof_->reserve(outputs);
    proof_->enqueue(outputs);
    auto const result = proof_->collect();
    if (result.right == result.judged) return "";
    std::string wrong = inputs_.what_is_wrong(device_, *proof_, 0, secret, matrix);
    if (!wrong.empty() || (result.wrong_set >= 0 && proof_->accuses_by_chance())) return wrong;
    return "something changed the output, or what was counted, while it was looked at";
  }

 private:
  std::shared_ptr<Definition const> definition_;
  Device& device_;
  std::shared_ptr<Proof> proof_;
  verify::MatrixView output_shape_;
  TimedInputs inputs_;
};

}  // namespace

std::unique_ptr<worker::SealedCase> make_sealed_case(std::shared_ptr<Definition const> definition, Device& device,
                                                     KernelInfo const* kernel) {
  return std::make_unique<KitSealedCase>(std::move(definition), device, kernel);
}

std::unique_ptr<worker::SealedProof> make_sealed_proof(std::shared_ptr<Definition const> definition, Device& device,
                                                       std::shared_ptr<Proof> proof) {
  return std::make_unique<KitSealedProof>(std::move(definition), device, std::move(proof));
}

}  // namespace perfcheck::kit
