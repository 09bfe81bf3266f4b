// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation.h"

#include "definition.h"
#include "perfcheck/gemm_operation.h"
#include "row_parts.h"
#include "verification.h"

#include "perfcheck/kit/problem.h"

#include <fmt/format.h>

#include <string>

namespace perfcheck::gemm {
namespace {

constexpr std::string_view kOperation = "gemm";
/// On the CPU, where a plain kernel takes a tenth of a second or more for it.
constexpr double kLargeFlopCpu = 1e8;

bool computes(KernelInfo const& kernel, GemmTypes types) {
  return kernel.operation == kOperation && kernel.typed != nullptr && gemm_kernel(kernel).types == types;
}

class Problem final : public kit::Problem {
 public:
  Problem(GemmProblem const& problem, std::shared_ptr<GemmDevices> devices)
      : kit::Problem(std::make_shared<GemmDefinition>(problem)), state_(std::make_unique<ProblemState>()) {
    state_->problem = problem;
    state_->devices = std::move(devices);
  }

  std::string text() const override { return to_text(problem()); }

  model::Work work() const override {
    GemmProblem const& p = problem();
    RowParts const parts = row_parts(p);
    double bytes = kit::bytes_moved(definition()) + static_cast<double>(indices_of_a(p).first.size());
    if (parts.grouped) {
      verify::MatrixView const b = inputs_of(p)[1].shape;
      auto const of_b = static_cast<double>(verify::bytes_of(b.element, b.size()));
      bytes -= of_b * (parts.matrices - parts.count) / parts.matrices;  // the B of no rows is not read
      bytes += static_cast<double>(sizeof(std::int32_t) * (p.groups.size() + 1));
    }
    int const arrays = 3 + (p.beta != 0 ? 1 : 0) + (p.residual ? 1 : 0);
    if (p.pointers) bytes += static_cast<double>(sizeof(void*)) * p.batch * arrays;
    return {.flop = 2.0 * p.batch * p.m * p.n * products_of_sum(p), .bytes = bytes};
  }

  std::string arithmetic() const override { return format_of(problem().types.compute).arithmetic; }

  std::vector<model::Axis> axes() const override {
    GemmProblem const& p = problem();
    bool const is_nn = p.b_layout == BLayout::row_major;
    std::vector<model::Axis> axes = {
        {"types", std::string(to_text(p.types))}, {"layout", is_nn ? "nn" : "nt"}, {"m", p.m}, {"n", p.n}, {"k", p.k}};
    if (p.lda != (p.sparse24 ? p.k / 2 : p.k)) axes.emplace_back("lda", p.lda);
    if (p.ldb != (is_nn ? p.n : p.k)) axes.emplace_back("ldb", p.ldb);
    if (p.ldd != p.n) axes.emplace_back("ldd", p.ldd);
    if (p.alpha != 1.0F) axes.emplace_back("alpha", p.alpha);
    if (p.beta != 0.0F) axes.emplace_back("beta", p.beta);
    if (p.batch != 1) axes.emplace_back("batch", p.batch);
    if (p.pointers) axes.emplace_back("batch_mode", "pointers");
    if (!p.groups.empty()) {
      axes.emplace_back("groups", static_cast<int>(p.groups.size()));
      axes.emplace_back("group_rows", text_of_groups(p.groups));
    }
    if (p.sparse24) axes.emplace_back("sparsity", "2:4");
    if (p.bias) axes.emplace_back("bias", "bias");
    if (p.activation != Activation::none) axes.emplace_back("activation", std::string(row_of(p.activation).text));
    if (p.residual) axes.emplace_back("residual", "residual");
    if (p.hot) axes.emplace_back("cache", "hot");
    return axes;
  }

  bool concerns(KernelInfo const& kernel) const override { return computes(kernel, problem().types); }
  Refusal refusal(KernelInfo const& kernel) const override { return refusal_of(gemm_kernel(kernel), problem()); }

  model::Verification verify(device::Backend& backend, KernelInfo const& kernel, uint64_t seed) override {
    return verify_kernel(*state_, backend, kernel, seed);
  }

 protected:
  kit::Device& device(device::Backend& backend) override { return state_->devices->of(backend); }
  std::shared_ptr<kit::Proof> proof(device::Backend& backend) override {
    return make_proof(state_->devices->of(backend), problem());
  }
  /// A reference has to call a library: no kernel of this project is its own control.
  bool is_reference(KernelInfo const& kernel) const override { return kernel.reference && kernel.library != nullptr; }

 private:
  GemmProblem const& problem() const { return state_->problem; }

  std::unique_ptr<ProblemState> state_;
};

class Operation final : public worker::Operation {
 public:
  explicit Operation(GemmDevices::Make make) : devices_(std::make_shared<GemmDevices>(std::move(make))) {}
  std::string name() const override { return std::string(kOperation); }
  std::unique_ptr<worker::Problem> parse(std::string_view text) const override {
    return std::make_unique<Problem>(parse_gemm_problem(text), devices_);
  }

 private:
  std::shared_ptr<GemmDevices> devices_;
};

}  // namespace

std::unique_ptr<worker::Operation> make_operation(GemmDevices::Make make) {
  return std::make_unique<Operation>(std::move(make));
}

std::unique_ptr<GemmDevice> make_host_device(device::Backend& backend) {
  if (backend.name() != "cpu") {
    throw device::DeviceError(fmt::format("this program has no GEMM verification for the backend {}: build its worker "
                                          "with perfcheck_add_worker(... BACKEND {})",
                                          backend.name(), backend.name()),
                              false);
  }
  return std::make_unique<GemmDevice>(GemmDevice{kit::make_device(backend, verify::make_host_engine()),
                                                 make_host_product_engine(), make_host_proof_engine(),
                                                 make_host_sparse_engine(), kLargeFlopCpu});
}

}  // namespace perfcheck::gemm

namespace perfcheck {

std::unique_ptr<worker::Operation> make_gemm_operation() { return gemm::make_operation(gemm::make_host_device); }

}  // namespace perfcheck
