// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_case.h"

#include "launch_tables.h"
#include "workspaces.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gemm {
namespace {

using worker::HandOver;

/// A kernel may be given them as they are, and the hash of what it is given is of every byte.
void clear_padding([[maybe_unused]] GemmFullArgs& args) {
#if __has_builtin(__builtin_clear_padding)  // nvcc's host compilers have it; clang gets no kernels to hash
  __builtin_clear_padding(&args);
#endif
}

class GemmTimedCase final : public worker::TimedCase {
 public:
  GemmTimedCase(std::shared_ptr<ProblemState> state, GemmDevice& device, KernelInfo const& kernel)
      : state_(std::move(state)),
        device_(device),
        kernel_(gemm_kernel(kernel)),
        inputs_(state_->inputs),
        d_shape_(shape_of_d(state_->problem)),
        outputs_(device.backend.allocate(static_cast<std::size_t>(inputs_->sets()) * aligned_bytes(d_shape_))),
        workspaces_(device.backend, workspace_of(kernel_, state_->problem), inputs_->sets()) {
    tables_.place(device, state_->problem, inputs_->sets());
    for (int set = 0; set < inputs_->sets(); ++set) {
      GemmFullArgs args = arguments(state_->problem, device.backend, inputs_->of(set), output(outputs_, set).data);
      args.workspace = workspaces_.of(set);
      args.workspace_bytes = workspaces_.bytes();
      tables_.give(args, set);
      arguments_.push_back(args);
    }
    for (GemmFullArgs& args : arguments_) clear_padding(args);
  }

  int sets() const override { return inputs_->sets(); }
  bool cold() const override { return !state_->problem.hot; }
  void launch(int set) override { launch_kernel(kernel_, arguments_[static_cast<std::size_t>(set)]); }

  void renew(verify::SetRange sets, std::uint64_t secret) override {
    device_.proof->reserve(proof_task(sets.first + sets.count, 0));
    inputs_->renew_indices(device_, sets, secret);
    device_.engine->renew(inputs_->matrices(), sets, secret, poisoned(sets));
  }
  void renew_late(std::uint64_t secret) override {
    inputs_->renew_indices(device_, {0, 1}, secret);
    device_.engine->renew_late(inputs_->matrices(), {0, 1}, secret, poisoned({0, 1}));
  }

  void compare(int sets, std::uint64_t secret, std::uint64_t draw) override {
    if (device_.backend.name() == "cpu") seize(sets);
    compared_sets_ = sets;
    secret_ = secret;
    device_.proof->enqueue(proof_task(sets, draw));
  }

  std::string finding() override {
    auto const result = device_.proof->collect();
    seized_ns_ = result.seized_ns;
    renewed_ns_ = device_.engine->renewed_ns();  // of the replay: a closer look writes inputs anew
    if (!device_.engine->was_alone()) {
      throw device::Interference("something else was resident on the device while timed inputs were written", true);
    }
    if (result.right == result.judged) return "";
    for (int set = std::max(result.wrong_set, 0); set < compared_sets_; ++set) {
      if (auto wrong = what_is_wrong_in(set); !wrong.empty()) return wrong;
    }
    if (result.wrong_set >= 0) return "";  // the projection's chance: element by element, everything is right
    return fmt::format("{} of {} results were counted right and none wrong: something changed the count", result.right,
                       result.judged);
  }

  HandOver hand_over() override { return {.renewed_ns = renewed_ns_, .seized_ns = seized_ns_}; }

  std::string changed_inputs(int sets, std::uint64_t secret) override {
    auto const changed = tables_.change(device_.backend);
    return changed.empty() ? inputs_->change(device_, sets, secret) : "timed launches changed an input: " + changed;
  }

 private:
  ProofTask proof_task(int sets, std::uint64_t draw) const {
    return inputs_->proof_task(output(compared_outputs(), 0), aligned_bytes(d_shape_), sets, secret_, draw);
  }

  /// What a launch on one of these sets writes.
  std::vector<verify::PoisonedMemory> poisoned(verify::SetRange sets) const {
    std::uint32_t const word = verify::poison_word(d_shape_.element);
    std::vector<verify::PoisonedMemory> memory = {
        {outputs_.bytes_at(bytes_of_outputs(sets.first)), bytes_of_outputs(sets.count), word}};
    if (workspaces_.count() == 0) return memory;
    bool const all = sets.count >= workspaces_.count();
    int const first = all ? 0 : sets.first % workspaces_.count();
    int const count = all ? workspaces_.count() : std::min(sets.count, workspaces_.count() - first);
    memory.push_back({workspaces_.of(first), static_cast<std::size_t>(count) * workspaces_.stride(), word});
    if (!all && count < sets.count) {
      memory.push_back({workspaces_.of(0), static_cast<std::size_t>(sets.count - count) * workspaces_.stride(), word});
    }
    return memory;
  }

  std::size_t bytes_of_outputs(int sets) const { return static_cast<std::size_t>(sets) * aligned_bytes(d_shape_); }

  verify::MatrixView output(device::Memory const& outputs, int set) const {
    verify::MatrixView d = d_shape_;
    d.data = outputs.bytes_at(bytes_of_outputs(set));
    return d;
  }

  device::Memory const& compared_outputs() const { return seized_.size() != 0 ? seized_ : outputs_; }

  /// On a CPU a launch may have returned while threads of its own still work. What they write from now on is not
  /// compared; the last launches, of which most would be missing, are copied first.
  void seize(int sets) {
    if (seized_.size() < bytes_of_outputs(sets)) seized_ = device_.backend.allocate(bytes_of_outputs(sets));
    for (int set = sets - 1; set >= 0; --set) {
      device_.engine->copy(seized_.bytes_at(bytes_of_outputs(set)), outputs_.bytes_at(bytes_of_outputs(set)),
                           aligned_bytes(d_shape_));
    }
  }

  /// Empty when everything is right.
  std::string what_is_wrong_in(int set) {
    auto const wrong = inputs_->what_is_wrong(device_, set, secret_, output(compared_outputs(), set));
    return wrong.empty() ? "" : fmt::format("buffers {} of {}: {}", set + 1, compared_sets_, wrong);
  }

  std::shared_ptr<ProblemState> state_;
  GemmDevice& device_;
  GemmKernel const& kernel_;
  std::shared_ptr<TimedInputs> inputs_;
  verify::MatrixView d_shape_;
  device::Memory outputs_;
  Workspaces workspaces_;
  LaunchTables tables_;
  device::Memory seized_;
  std::vector<GemmFullArgs> arguments_;
  int compared_sets_ = 0;
  std::uint64_t secret_ = 0;
  std::uint64_t renewed_ns_ = 0, seized_ns_ = 0;
};

}  // namespace

std::unique_ptr<worker::TimedCase> make_timed_case(std::shared_ptr<ProblemState> state, device::Backend& backend,
                                                   KernelInfo const& kernel, std::uint64_t seed) {
  GemmDevice& device = state->enter(backend, seed);
  if (!state->inputs) {
    int const sets = sets_for(state->problem, {.cache = device.cache_bytes,
                                               .hot = backend.hot_bytes(),
                                               .free = backend.free_bytes(),
                                               .reach = device.reach_bytes});
    state->inputs = std::make_shared<TimedInputs>(device, state->problem, sets);
  }
  return std::make_unique<GemmTimedCase>(std::move(state), device, kernel);
}

}  // namespace perfcheck::gemm
