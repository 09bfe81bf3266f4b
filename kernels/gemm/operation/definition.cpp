// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "definition.h"

#include "launch_tables.h"
#include "row_parts.h"
#include "sparse.h"

#include "perfcheck/verify/mismatch.h"

#include <fmt/format.h>

#include <deque>

namespace perfcheck::gemm {
namespace {

class GemmLaunches final : public kit::Launches {
 public:
  GemmLaunches(GemmKernel const& kernel, GemmProblem const& problem, kit::Device& device, int most, UnreadC c)
      : kernel_(kernel), problem_(problem), most_(static_cast<std::size_t>(most)), c_(c) {
    tables_.place(device, problem, most);
  }

  void add(kit::Buffers const& buffers) override {
    GemmFullArgs& args = args_.emplace_back(arguments(problem_, buffers));
    if (problem_.beta == 0 && c_ == UnreadC::withheld) args.c = nullptr;
    tables_.give(args, static_cast<int>((args_.size() - 1) % most_));
    kit::clear_padding(args);
  }
  void launch(std::size_t index) override { launch_kernel(kernel_, args_[index]); }
  std::string damage_around() const override { return tables_.damage_around(); }
  std::string change() const override { return tables_.change(); }

 private:
  GemmKernel const& kernel_;
  GemmProblem problem_;
  std::size_t most_;
  UnreadC c_;
  LaunchTables tables_;
  std::deque<GemmFullArgs> args_;  // a deque never moves them: a copy need not keep the cleared padding
};

class IndicesOfA final : public kit::OtherInput {
 public:
  IndicesOfA(SparseEngine& engine, GemmProblem const& problem) : engine_(engine), shape_(indices_of_a(problem).first) {}

  kit::Operand operand() const override {
    return {.number = number_of(Input::a_indices), .name = "the indices of A", .shape = shape_};
  }
  void renew(verify::SecretMatrices const& input, verify::SetRange sets, std::uint64_t secret) override {
    engine_.renew(input, sets, secret);
  }
  void renew_from(verify::SecretMatrices const& input, std::uint64_t const* secret) override {
    engine_.renew_from(input, secret);
  }
  std::string change(verify::SecretMatrices const& input, verify::SetRange sets, std::uint64_t secret) override {
    auto const changed = engine_.count_changed(input, sets, secret);
    return changed == 0 ? "" : fmt::format("{} byte{} of the indices of A changed", changed, changed == 1 ? "" : "s");
  }

 private:
  SparseEngine& engine_;
  verify::MatrixView shape_;
};

class GemmProof final : public kit::Proof {
 public:
  GemmProof(GemmDevice& device, GemmProblem const& problem) : device_(device), problem_(problem) {}

  bool takes_outputs() const override { return device_.proof->takes_outputs(); }
  bool accuses_by_chance() const override { return true; }  // its projection does
  void reserve(kit::Outputs const& outputs) override { device_.proof->reserve(task_of(outputs)); }
  void enqueue(kit::Outputs const& outputs) override { device_.proof->enqueue(task_of(outputs)); }
  kit::ProofResult collect() override { return device_.proof->collect(); }

  std::string what_is_wrong(kit::Inputs const& inputs, verify::MatrixView const& d) override {
    Matrices const matrices(inputs);
    auto const reference = compute_reference(device_, problem_, Data::signed_values, matrices);
    auto const expected = expectation(problem_, Data::signed_values, reference, matrices);
    auto const comparison = device_.engine->compare(d, expected);
    if (comparison.wrong.count == 0) return "";
    return verify::describe_mismatch(device_.backend, d, expected, comparison) +
           describe_row(row_parts(problem_), comparison.wrong.first_row);
  }

 private:
  ProofTask task_of(kit::Outputs const& outputs) const {
    ProofTask task{.types = problem_.types,
                   .parts = row_parts(problem_),
                   .d = outputs.first,
                   .d_set_bytes = outputs.set_bytes,
                   .sets = outputs.sets,
                   .secret = outputs.secret,
                   .draw = outputs.draw,
                   .epilogue = epilogue_of(problem_),
                   .bound = bound_for(Data::signed_values, problem_)};
    for (auto const& input : outputs.inputs) task.inputs[static_cast<std::size_t>(input.operand)] = input;
    task.inputs[static_cast<std::size_t>(Input::a_indices)] = indices_of_a(problem_);
    return task;
  }

  GemmDevice& device_;
  GemmProblem problem_;
};

}  // namespace

std::unique_ptr<kit::Launches> make_launches(GemmKernel const& kernel, GemmProblem const& problem, kit::Device& device,
                                             int most, UnreadC c) {
  return std::make_unique<GemmLaunches>(kernel, problem, device, most, c);
}

std::unique_ptr<kit::Launches> GemmDefinition::launches(KernelInfo const& kernel, kit::Device& device, int most) const {
  return make_launches(gemm_kernel(kernel), problem_, device, most);
}

std::shared_ptr<kit::OtherInput> GemmDefinition::other_input(kit::Device& device) const {
  if (!problem_.sparse24) return nullptr;
  return std::make_shared<IndicesOfA>(*static_cast<GemmDevice&>(device).sparse, problem_);
}

std::shared_ptr<kit::Proof> make_proof(GemmDevice& device, GemmProblem const& problem) {
  return std::make_shared<GemmProof>(device, problem);
}

}  // namespace perfcheck::gemm
