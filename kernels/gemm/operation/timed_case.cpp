// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_case.h"

#include "perfcheck/verify/check_list.h"
#include "perfcheck/verify/mismatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gemm {
namespace {

class GemmTimedCase final : public worker::TimedCase {
 public:
  GemmTimedCase(std::shared_ptr<ProblemState> state, GemmDevice& device, KernelInfo const& kernel)
      : state_(std::move(state)),
        device_(device),
        kernel_(gemm_kernel(kernel)),
        inputs_(state_->inputs),
        d_shape_(shapes_of(state_->problem).d),
        outputs_(device.backend.allocate(static_cast<std::size_t>(inputs_->copies()) * aligned_bytes(d_shape_))) {
    device.engine->fill_words(outputs_.data(), verify::poison_word(d_shape_.element), outputs_.size());
    allocate_workspaces();
    for (int copy = 0; copy < inputs_->copies(); ++copy) {
      auto const& set = inputs_->copy(copy);
      GemmArgs args = arguments(state_->problem, device.backend, set.a, set.b, set.c.data, output(copy).data);
      args.workspace = workspace(copy);
      args.workspace_bytes = workspace_bytes_;
      arguments_.push_back(args);
    }
  }

  void launch(int index) override {
    int const copy = index % copies();
    last_used_ = std::max(last_used_, copy);
    kernel_.launch(arguments_[static_cast<std::size_t>(copy)]);
  }

  int copies() const override { return inputs_->copies(); }

  model::Check check_output() override {
    verify::CheckList checks;
    device_.backend.synchronize();
    if (auto const change = inputs_->change(device_); !change.empty()) {
      // The next kernel must not be timed on what this one left.
      if (state_->inputs == inputs_) state_->inputs.reset();
      checks.note(kName, change);
    } else if (last_used_ < 0) {
      checks.note(kName, "nothing was launched");
    } else {
      check_copy(0, checks);
      if (last_used_ != 0) check_copy(last_used_, checks);
    }
    return checks.result().checks.front();
  }

 private:
  static constexpr char const* kName = "timed_output";

  /// Several, like the inputs: a workspace holds partial sums of a split k, and its place in memory is chance as well.
  void allocate_workspaces() {
    workspace_bytes_ = workspace_of(kernel_, state_->problem);
    if (workspace_bytes_ == 0) return;
    auto const fitting = static_cast<int>(device_.backend.free_bytes() / 8 / aligned_bytes(workspace_bytes_));
    workspace_count_ = std::max(1, std::min({worker::kPlaces, fitting, copies()}));
    workspaces_ =
        device_.backend.allocate(static_cast<std::size_t>(workspace_count_) * aligned_bytes(workspace_bytes_));
  }

  void* workspace(int copy) const {
    if (workspace_count_ == 0) return nullptr;
    return workspaces_.bytes_at(static_cast<std::size_t>(copy % workspace_count_) * aligned_bytes(workspace_bytes_));
  }

  verify::MatrixView output(int copy) const {
    verify::MatrixView d = d_shape_;
    d.data = outputs_.bytes_at(static_cast<std::size_t>(copy) * aligned_bytes(d_shape_));
    return d;
  }

  void check_copy(int copy, verify::CheckList& checks) {
    auto const& set = inputs_->copy(copy);
    auto const& reference = state_->references.get(device_, Data::signed_values, copy, set.a, set.b);
    auto const expected = expectation(state_->problem, Data::signed_values, reference, set.c);
    auto const d = output(copy);
    auto const comparison = device_.engine->compare(d, expected);
    checks.note(kName, comparison.wrong.count == 0
                           ? ""
                           : fmt::format("after timing, buffers {} of {}: {}", copy + 1, copies(),
                                         verify::describe_mismatch(device_.backend, d, expected, comparison)));
    checks.note_error(kName, comparison.worst);
  }

  std::shared_ptr<ProblemState> state_;
  GemmDevice& device_;
  GemmKernel const& kernel_;
  std::shared_ptr<TimedInputs> inputs_;
  verify::MatrixView d_shape_;
  device::Memory outputs_;
  device::Memory workspaces_;
  std::size_t workspace_bytes_ = 0;
  int workspace_count_ = 0;
  std::vector<GemmArgs> arguments_;
  int last_used_ = -1;
};

}  // namespace

std::unique_ptr<worker::TimedCase> make_timed_case(std::shared_ptr<ProblemState> state, device::Backend& backend,
                                                   KernelInfo const& kernel, std::uint64_t seed) {
  GemmDevice& device = state->enter(backend, seed);
  if (!state->inputs) state->inputs = std::make_shared<TimedInputs>(device, state->problem, seed);
  return std::make_unique<GemmTimedCase>(std::move(state), device, kernel);
}

}  // namespace perfcheck::gemm
