// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/timed_case.h"

#include "workspaces.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::kit {
namespace {

using worker::HandOver;

class KitTimedCase final : public worker::TimedCase {
 public:
  KitTimedCase(std::shared_ptr<Definition const> definition, Device& device, std::shared_ptr<TimedInputs> inputs,
               std::shared_ptr<Proof> proof, KernelInfo const& kernel)
      : definition_(std::move(definition)),
        device_(device),
        inputs_(std::move(inputs)),
        proof_(std::move(proof)),
        output_shape_(definition_->output().shape),
        outputs_(device.backend.allocate(bytes_of_outputs(inputs_->sets()))),
        workspaces_(device.backend, definition_->workspace_bytes(kernel), inputs_->sets()),
        launches_(definition_->launches(kernel, device, inputs_->sets())) {
    for (int set = 0; set < inputs_->sets(); ++set) {
      launches_->add({.inputs = inputs_->of(set),
                      .output = output(outputs_, set),
                      .workspace = workspaces_.of(set),
                      .workspace_bytes = workspaces_.bytes(),
                      .stream = device.backend.stream()});
    }
  }

  int sets() const override { return inputs_->sets(); }
  bool cold() const override { return !definition_->hot(); }
  void launch(int set) override { launches_->launch(static_cast<std::size_t>(set)); }

  void renew(verify::SetRange sets, std::uint64_t secret) override {
    reserve(sets.first + sets.count);
    inputs_->renew(device_, sets, secret, poisoned(sets));
  }
  void renew_step(int set, std::uint64_t secret) override {
    inputs_->renew_step(device_, set, secret, poisoned({set, 1}));
  }
  void renew_late(std::uint64_t secret) override { inputs_->renew_late(device_, secret, poisoned({0, 1})); }

  void compare(int sets, std::uint64_t secret, std::uint64_t draw) override {
    compared_sets_ = sets;
    secret_ = secret;
    reserve(sets);
    // Anything written after this point, by a thread that is still running or a kernel on another stream, is not
    // compared.
    if (!proof_->takes_outputs()) device_.engine->seize(seized_.data(), outputs_.data(), bytes_of_outputs(sets));
    proof_->enqueue(written(compared_outputs(), sets, draw));
  }

  std::string finding() override {
    auto const result = proof_->collect();
    seized_ns_ = proof_->takes_outputs() ? result.seized_ns : device_.engine->seized_ns();
    renewed_ns_ = device_.engine->renewed_ns();  // of the replay; what_is_wrong_in() below renews inputs again
    if (!device_.engine->was_alone()) {
      throw device::Interference("something else was on the device while timed inputs were written or outputs taken",
                                 true);
    }
    if (result.right == result.judged) return "";
    for (int set = std::max(result.wrong_set, 0); set < compared_sets_; ++set) {
      if (auto wrong = what_is_wrong_in(set); !wrong.empty()) return wrong;
    }
    if (result.wrong_set >= 0 && proof_->accuses_by_chance()) return "";  // every single element is right
    return fmt::format(
        "{} of {} results were counted right, and a closer look finds none wrong: something changed the outputs or the "
        "count",
        result.right, result.judged);
  }

  HandOver hand_over() override { return {.renewed_ns = renewed_ns_, .seized_ns = seized_ns_}; }

  std::string changed_inputs(int sets, std::uint64_t secret) override {
    auto const changed = launches_->change();
    return changed.empty() ? inputs_->change(device_, sets, secret) : "timed launches changed an input: " + changed;
  }

 private:
  /// Allocates memory for `sets` sets, because nothing must be allocated once launches were timed.
  void reserve(int sets) {
    proof_->reserve(written(outputs_, sets, 0));
    if (proof_->takes_outputs() || seized_.size() >= bytes_of_outputs(sets)) return;
    seized_ = device::Memory();  // first, so that old and new memory need not fit together
    seized_ = device_.backend.allocate(bytes_of_outputs(sets));
  }

  Outputs written(device::Memory const& outputs, int sets, std::uint64_t draw) const {
    return {.inputs = inputs_->matrices(),
            .first = output(outputs, 0),
            .set_bytes = static_cast<std::int64_t>(bytes_of_outputs(1)),
            .sets = sets,
            .secret = secret_,
            .draw = draw};
  }

  /// The memory that launches on these sets write, to be poisoned.
  std::vector<verify::PoisonedMemory> poisoned(verify::SetRange sets) const {
    std::uint32_t const word = verify::poison_word(output_shape_.element);
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

  std::size_t bytes_of_outputs(int sets) const { return static_cast<std::size_t>(sets) * aligned_bytes(output_shape_); }

  verify::MatrixView output(device::Memory const& outputs, int set) const {
    verify::MatrixView matrix = output_shape_;
    matrix.data = outputs.bytes_at(bytes_of_outputs(set));
    return matrix;
  }

  device::Memory const& compared_outputs() const { return proof_->takes_outputs() ? outputs_ : seized_; }

  /// Empty when everything is right.
  std::string what_is_wrong_in(int set) {
    auto const wrong = inputs_->what_is_wrong(device_, *proof_, set, secret_, output(compared_outputs(), set));
    return wrong.empty() ? "" : fmt::format("buffers {} of {}: {}", set + 1, compared_sets_, wrong);
  }

  std::shared_ptr<Definition const> definition_;
  Device& device_;
  std::shared_ptr<TimedInputs> inputs_;
  std::shared_ptr<Proof> proof_;
  verify::MatrixView output_shape_;
  device::Memory outputs_;
  Workspaces workspaces_;
  device::Memory seized_;
  std::unique_ptr<Launches> launches_;
  int compared_sets_ = 0;
  std::uint64_t secret_ = 0;
  std::uint64_t renewed_ns_ = 0, seized_ns_ = 0;
};

}  // namespace

std::unique_ptr<worker::TimedCase> make_timed_case(std::shared_ptr<Definition const> definition, Device& device,
                                                   std::shared_ptr<TimedInputs> inputs, std::shared_ptr<Proof> proof,
                                                   KernelInfo const& kernel) {
  return std::make_unique<KitTimedCase>(std::move(definition), device, std::move(inputs), std::move(proof), kernel);
}

}  // namespace perfcheck::kit
