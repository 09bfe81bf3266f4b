// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation.h"

#include "operands.h"
#include "perfcheck/gemm_operation.h"
#include "row_parts.h"
#include "sealed_case.h"
#include "timed_case.h"
#include "verification.h"

#include <fmt/format.h>

#include <string>

namespace perfcheck::gemm {
namespace {

constexpr std::string_view kOperation = "gemm";
/// On the CPU: a plain kernel takes a tenth of a second and more.
constexpr double kLargeFlopCpu = 1e8;

/// Whether others are timed beside the kernel. It has to call a library: no kernel of ours is its own control.
bool is_reference(KernelInfo const& kernel) { return kernel.reference && kernel.library != nullptr; }

bool computes(KernelInfo const& kernel, GemmTypes types) {
  return kernel.operation == kOperation && kernel.typed != nullptr && gemm_kernel(kernel).types == types;
}

class Problem final : public worker::Problem {
 public:
  Problem(GemmProblem const& problem, std::shared_ptr<GemmDevices> devices) : state_(std::make_shared<ProblemState>()) {
    state_->problem = problem;
    state_->devices = std::move(devices);
  }

  std::string text() const override { return to_text(problem()); }

  model::Work work() const override {
    GemmProblem const& p = problem();
    auto bytes = static_cast<double>(verify::bytes_of(p.types.d, shape_of_d(p).size()));
    RowParts const parts = row_parts(p);
    for (Operand const& operand : read_inputs_of(p)) {
      auto const all = static_cast<double>(verify::bytes_of(operand.shape.element, operand.shape.size()));
      bytes += operand.input == Input::b ? all * parts.count / parts.matrices : all;  // the B of no rows is not read
    }
    if (p.pointers)
      bytes += static_cast<double>(sizeof(void*)) * p.batch * (3 + (p.beta != 0 ? 1 : 0) + (p.residual ? 1 : 0));
    if (parts.grouped) bytes += static_cast<double>(sizeof(std::int32_t) * (p.groups.size() + 1));
    bytes += static_cast<double>(indices_of_a(p).first.size());
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

  model::CaseName reference(KernelInfo const& kernel) const override {
    if (is_reference(kernel)) return {.kernel = kernel.id(), .problem = text()};
    KernelInfo const* chosen = nullptr;  // of several the first by name: the linker's order means nothing
    for (auto const* other = KernelRegistration::first(); other != nullptr; other = other->next()) {
      KernelInfo const& info = other->info();
      if (!is_reference(info) || !computes(info, problem().types) || refusal(info)) continue;
      if (chosen == nullptr || info.id() < chosen->id()) chosen = &info;
    }
    return chosen == nullptr ? model::CaseName{} : model::CaseName{.kernel = chosen->id(), .problem = text()};
  }

  model::Verification verify(device::Backend& backend, KernelInfo const& kernel, uint64_t seed) override {
    return verify_kernel(*state_, backend, kernel, seed);
  }

  std::unique_ptr<worker::TimedCase> prepare(device::Backend& backend, KernelInfo const& kernel,
                                             uint64_t seed) override {
    return make_timed_case(state_, backend, kernel, seed);
  }
  std::unique_ptr<worker::SealedCase> prepare_sealed(device::Backend& backend, KernelInfo const* kernel) override {
    return make_sealed_case(state_, backend, kernel);
  }
  std::unique_ptr<worker::SealedProof> prove_sealed(device::Backend& backend) override {
    return make_sealed_proof(state_, backend);
  }

 private:
  GemmProblem const& problem() const { return state_->problem; }

  std::shared_ptr<ProblemState> state_;
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
  return std::make_unique<GemmDevice>(GemmDevice{.backend = backend,
                                                 .engine = verify::make_host_engine(),
                                                 .product = make_host_product_engine(),
                                                 .proof = make_host_proof_engine(),
                                                 .sparse = make_host_sparse_engine(),
                                                 .cache_bytes = backend.info().cache_bytes,
                                                 .large_flop = kLargeFlopCpu});
}

}  // namespace perfcheck::gemm

namespace perfcheck {

std::unique_ptr<worker::Operation> make_gemm_operation() { return gemm::make_operation(gemm::make_host_device); }

}  // namespace perfcheck
