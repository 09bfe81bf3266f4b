// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "line_proof.h"

#include "perfcheck/verify/mismatch.h"

namespace perfcheck::kit {
namespace {

class LineProof final : public Proof {
 public:
  LineProof(Device& device, std::shared_ptr<LineMath> math, verify::Bound const& bound)
      : device_(device), math_(std::move(math)), bound_(bound) {}

  void enqueue(Outputs const& outputs) override { math_->judge(outputs, bound_); }
  ProofResult collect() override { return math_->collect(); }

  std::string what_is_wrong(Inputs const& inputs, verify::MatrixView const& output) override {
    LineReference const reference(device_.backend, *math_, inputs, output);
    auto const expected = reference.expectation(bound_);
    auto const comparison = device_.engine->compare(output, expected);
    return comparison.wrong.count == 0 ? "" : verify::describe_mismatch(device_.backend, output, expected, comparison);
  }

 private:
  Device& device_;
  std::shared_ptr<LineMath> math_;
  verify::Bound bound_;
};

}  // namespace

LineReference::LineReference(device::Backend& backend, LineMath& math, Inputs const& inputs,
                             verify::MatrixView const& output)
    : values_(backend.allocate(static_cast<std::size_t>(output.size()) * sizeof(double))),
      scales_(backend.allocate(static_cast<std::size_t>(output.size()) * sizeof(float))) {
  math.compute(inputs, static_cast<double*>(values_.data()), static_cast<float*>(scales_.data()));
}

verify::Expectation LineReference::expectation(verify::Bound const& bound) const {
  return {.product = static_cast<double const*>(values_.data()),
          .scale = static_cast<float const*>(scales_.data()),
          .bound = bound};
}

std::shared_ptr<Proof> make_line_proof(Device& device, std::shared_ptr<LineMath> math, verify::Bound const& bound) {
  return std::make_shared<LineProof>(device, std::move(math), bound);
}

}  // namespace perfcheck::kit
