// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "sealed_case.h"

#include "perfcheck/verify/mismatch.h"

namespace perfcheck::gemm {
namespace {

/// A, B and, where the problem reads it, C: one of each.
class OneSet {
 public:
  OneSet(GemmDevice& device, GemmProblem const& problem) {
    auto const shapes = shapes_of(problem);
    auto const bytes = aligned_bytes(shapes.a) + aligned_bytes(shapes.b) + aligned_bytes(shapes.d);
    memory_ = device.backend.allocate(bytes);
    device.engine->fill_words(memory_.data(), verify::poison_word(element_of(problem.types)), bytes);
    std::size_t offset = 0;
    for (auto const& shape : {shapes.a, shapes.b, shapes.d}) {
      auto const operand = static_cast<int>(matrices_.size());
      if (operand == 2 && problem.beta == 0) break;
      matrices_.push_back({.first = shape, .set_bytes = 0, .operand = operand});
      matrices_.back().first.data = memory_.bytes_at(offset);
      offset += aligned_bytes(shape);
    }
  }
  std::span<verify::SecretMatrices const> matrices() const { return matrices_; }
  verify::SecretMatrices const& a() const { return matrices_[0]; }
  verify::SecretMatrices const& b() const { return matrices_[1]; }
  /// Null data where the problem does not read it.
  verify::SecretMatrices c() const {
    return matrices_.size() > 2 ? matrices_[2] : verify::SecretMatrices{.operand = 2};
  }

 private:
  device::Memory memory_;
  std::vector<verify::SecretMatrices> matrices_;
};

class GemmSealedCase final : public worker::SealedCase {
 public:
  GemmSealedCase(std::shared_ptr<ProblemState> state, GemmDevice& device, KernelInfo const* kernel)
      : state_(std::move(state)), device_(device), inputs_(device, state_->problem) {
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
  OneSet inputs_;
  GemmKernel const* kernel_ = nullptr;
  GemmArgs arguments_;
  device::Memory workspace_;
};

class GemmSealedProof final : public worker::SealedProof {
 public:
  GemmSealedProof(std::shared_ptr<ProblemState> state, GemmDevice& device)
      : state_(std::move(state)), device_(device), inputs_(device, state_->problem) {}

  std::size_t output_bytes() const override { return aligned_bytes(shapes_of(state_->problem).d); }
  bool cold() const override { return !state_->problem.hot; }
  std::uint32_t poison_word() const override { return verify::poison_word(element_of(state_->problem.types)); }
  verify::Engine& engine() override { return *device_.engine; }

  std::string finding(void* output, std::uint64_t secret, std::uint64_t draw) override {
    verify::MatrixView d = shapes_of(state_->problem).d;
    d.data = output;
    device_.proof->enqueue({.a = inputs_.a(),
                            .b = inputs_.b(),
                            .c = inputs_.c(),
                            .d = d,
                            .d_set_bytes = static_cast<std::int64_t>(output_bytes()),
                            .sets = 1,
                            .secret = secret,
                            .draw = draw,
                            .alpha = static_cast<double>(state_->problem.alpha),
                            .beta = static_cast<double>(state_->problem.beta),
                            .bound = bound_for(Data::signed_values, state_->problem)});
    auto const result = device_.proof->collect();
    if (result.right == result.judged) return "";
    return what_is_wrong_in(d, secret);
  }

 private:
  /// Element by element, so that the projection's chance accuses nobody.
  std::string what_is_wrong_in(verify::MatrixView const& d, std::uint64_t secret) {
    device_.engine->renew(inputs_.matrices(), {0, 1}, secret, {});
    auto const reference = compute_reference(device_, Data::signed_values, inputs_.a().first, inputs_.b().first);
    auto const expected = expectation(state_->problem, Data::signed_values, reference, inputs_.c().first);
    auto const comparison = device_.engine->compare(d, expected);
    return comparison.wrong.count == 0 ? "" : verify::describe_mismatch(device_.backend, d, expected, comparison);
  }

  std::shared_ptr<ProblemState> state_;
  GemmDevice& device_;
  OneSet inputs_;
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
