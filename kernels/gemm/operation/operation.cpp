// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation.h"

#include "perfcheck/gemm_operation.h"
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

constexpr std::string_view cublas_name(GemmTypes types) {
  switch (types) {
    case GemmTypes::f32: return "cublas_f32";
    case GemmTypes::tf32: return "cublas_tf32";
    case GemmTypes::f16: return "cublas_f16";
    case GemmTypes::bf16: return "cublas_bf16";
  }
  return "";
}

/// Whether a kernel is a library's that others of its types are compared with. The set alone does not say so: a file
/// can claim any.
bool is_reference(KernelInfo const& kernel) {
  std::string_view const set = kernel.set;
  if (kernel.library == nullptr) return false;
  return set == "gemm/library" || (set == "gemm/cpu" && std::string_view(kernel.name) == "openblas");
}

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
    double const m = p.m, n = p.n, k = p.k;
    double const elements = m * k + k * n + m * n * (p.beta != 0 ? 2 : 1);
    return {.flop = 2 * m * n * k, .bytes = elements * element_bytes(p.types)};
  }

  std::string arithmetic() const override {
    switch (problem().types) {
      case GemmTypes::f32: return "f32";
      case GemmTypes::tf32: return "tf32";
      case GemmTypes::f16: return "f16";
      case GemmTypes::bf16: return "bf16";
    }
    return "";
  }

  std::vector<model::Axis> axes() const override {
    GemmProblem const& p = problem();
    bool const is_nn = p.b_layout == BLayout::row_major;
    std::vector<model::Axis> axes = {
        {"types", std::string(to_text(p.types))}, {"layout", is_nn ? "nn" : "nt"}, {"m", p.m}, {"n", p.n}, {"k", p.k}};
    if (p.lda != p.k) axes.emplace_back("lda", p.lda);
    if (p.ldb != (is_nn ? p.n : p.k)) axes.emplace_back("ldb", p.ldb);
    if (p.ldd != p.n) axes.emplace_back("ldd", p.ldd);
    if (p.alpha != 1.0F) axes.emplace_back("alpha", p.alpha);
    if (p.beta != 0.0F) axes.emplace_back("beta", p.beta);
    if (p.hot) axes.emplace_back("cache", "hot");
    return axes;
  }

  bool concerns(KernelInfo const& kernel) const override { return computes(kernel, problem().types); }
  Refusal refusal(KernelInfo const& kernel) const override { return refusal_of(gemm_kernel(kernel), problem()); }

  model::CaseName reference(KernelInfo const& kernel) const override {
    if (is_reference(kernel)) return {.kernel = kernel.id(), .problem = text()};
    for (auto const* other = KernelRegistration::first(); other != nullptr; other = other->next()) {
      KernelInfo const& info = other->info();
      std::string_view const name = info.name;
      bool const chosen = is_reference(info) && (name == "openblas" || name == cublas_name(problem().types));
      if (chosen && computes(info, problem().types) && !refusal(info)) {
        return {.kernel = info.id(), .problem = text()};
      }
    }
    return {};
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
                                                 .cache_bytes = backend.info().cache_bytes,
                                                 .large_flop = kLargeFlopCpu});
}

}  // namespace perfcheck::gemm

namespace perfcheck {

std::unique_ptr<worker::Operation> make_gemm_operation() { return gemm::make_operation(gemm::make_host_device); }

}  // namespace perfcheck
