// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "definition.h"

#include "perfcheck/verify/mismatch.h"

namespace perfcheck::gemm {
namespace {

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
    return comparison.wrong.count == 0 ? "" : verify::describe_mismatch(device_.backend, d, expected, comparison);
  }

 private:
  ProofTask task_of(kit::Outputs const& outputs) const {
    ProofTask task{.types = problem_.types,
                   .batch = problem_.batch,
                   .d = outputs.first,
                   .d_set_bytes = outputs.set_bytes,
                   .sets = outputs.sets,
                   .secret = outputs.secret,
                   .draw = outputs.draw,
                   .epilogue = epilogue_of(problem_),
                   .bound = bound_for(Data::signed_values, problem_)};
    for (auto const& input : outputs.inputs) task.inputs[static_cast<std::size_t>(input.operand)] = input;
    return task;
  }

  GemmDevice& device_;
  GemmProblem problem_;
};

}  // namespace

std::unique_ptr<kit::Launches> GemmDefinition::launches(KernelInfo const& kernel, kit::Device& /*device*/,
                                                        int /*most*/) const {
  return kit::make_launches([problem = problem_](kit::Buffers const& buffers) { return arguments(problem, buffers); },
                            [&kernel = gemm_kernel(kernel)](GemmFullArgs const& args) { launch_kernel(kernel, args); });
}

std::shared_ptr<kit::Proof> make_proof(GemmDevice& device, GemmProblem const& problem) {
  return std::make_shared<GemmProof>(device, problem);
}

}  // namespace perfcheck::gemm
