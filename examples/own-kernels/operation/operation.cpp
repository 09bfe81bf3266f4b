// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation/operation.h"

#include "operation/row_sum.h"
#include "operation/timed_case.h"
#include "operation/verification.h"

namespace row_sum {
namespace {

using perfcheck::KernelInfo;
using perfcheck::KernelRegistration;
using perfcheck::verify::MakeEngine;

constexpr std::string_view kOperation = "row_sum";

bool is_row_sum(KernelInfo const& kernel) { return kernel.operation == kOperation && kernel.typed != nullptr; }
RowSumKernel const& typed(KernelInfo const& kernel) { return *static_cast<RowSumKernel const*>(kernel.typed); }

class Problem final : public perfcheck::worker::Problem {
 public:
  Problem(RowSumProblem const& problem, MakeEngine const& make_engine) : problem_(problem), make_engine_(make_engine) {}

  std::string text() const override { return to_text(problem_); }

  perfcheck::model::Work work() const override {
    auto const rows = static_cast<double>(problem_.rows), elements = rows * static_cast<double>(problem_.columns);
    return {.flop = elements, .bytes = (elements + rows) * sizeof(float)};
  }

  std::string arithmetic() const override { return "f32"; }

  bool concerns(KernelInfo const& kernel) const override { return is_row_sum(kernel); }

  perfcheck::Refusal refusal(KernelInfo const& kernel) const override {
    return typed(kernel).accepts == nullptr ? std::nullopt : typed(kernel).accepts(problem_);
  }

  perfcheck::model::CaseName reference(KernelInfo const&) const override {
    for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
      KernelInfo const& kernel = node->info();
      if (is_row_sum(kernel) && typed(kernel).reference && !refusal(kernel)) {
        return {.kernel = kernel.id(), .problem = text()};
      }
    }
    return {};
  }

  perfcheck::model::Verification verify(perfcheck::device::Backend& backend, KernelInfo const& kernel,
                                        std::uint64_t seed) override {
    return verify_kernel(typed(kernel), problem_, backend, engine(backend), seed);
  }

  std::unique_ptr<perfcheck::worker::TimedCase> prepare(perfcheck::device::Backend& backend, KernelInfo const& kernel,
                                                        std::uint64_t) override {
    if (!inputs_) inputs_ = std::make_shared<TimedInputs>(problem_, backend, engine(backend));
    return make_timed_case(typed(kernel), inputs_, backend, engine(backend));
  }

 private:
  perfcheck::verify::Engine& engine(perfcheck::device::Backend& backend) {
    if (!engine_) engine_ = make_engine_(backend);
    return *engine_;
  }

  RowSumProblem problem_;
  MakeEngine const& make_engine_;
  std::unique_ptr<perfcheck::verify::Engine> engine_;
  std::shared_ptr<TimedInputs> inputs_;
};

class Operation final : public perfcheck::worker::Operation {
 public:
  explicit Operation(MakeEngine make_engine) : make_engine_(std::move(make_engine)) {}
  std::string name() const override { return std::string(kOperation); }
  std::unique_ptr<perfcheck::worker::Problem> parse(std::string_view text) const override {
    return std::make_unique<Problem>(parse_problem(text), make_engine_);
  }

 private:
  MakeEngine make_engine_;
};

}  // namespace

std::unique_ptr<perfcheck::worker::Operation> make_operation(perfcheck::verify::MakeEngine make_engine) {
  return std::make_unique<Operation>(std::move(make_engine));
}

}  // namespace row_sum
