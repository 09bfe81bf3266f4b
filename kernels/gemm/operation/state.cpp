// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "state.h"

namespace perfcheck::gemm {

Reference compute_reference(GemmDevice& device, Data data, verify::MatrixView const& a, verify::MatrixView const& b) {
  auto const count = static_cast<std::size_t>(a.rows * b.columns);
  Reference reference;
  reference.product = device.backend.allocate(count * sizeof(double));
  if (!is_exact(data)) reference.scale = device.backend.allocate(count * sizeof(float));
  device.product->multiply(a, b, static_cast<double*>(reference.product.data()),
                           static_cast<float*>(reference.scale.data()));
  return reference;
}

GemmDevice& GemmDevices::of(device::Backend& backend) {
  if (!device_ || &device_->backend != &backend) device_ = make_(backend);
  return *device_;
}

Reference const& ReferenceCache::get(GemmDevice& device, Data data, verify::MatrixView const& a,
                                     verify::MatrixView const& b) {
  if (auto const known = known_.find(data); known != known_.end()) return known->second;
  try {
    return known_[data] = compute_reference(device, data, a, b);
  } catch (device::OutOfMemory const&) {
    known_.clear();
  }
  return known_[data] = compute_reference(device, data, a, b);
}

GemmDevice& ProblemState::enter(device::Backend& backend, std::uint64_t new_seed) {
  GemmDevice& device = devices->of(backend);
  if (backend_ != &backend || seed != new_seed) {
    references.clear();
    bench.reset();
    inputs.reset();
    backend_ = &backend;
    seed = new_seed;
  }
  if (!bench) bench = std::make_unique<Bench>(device);
  return device;
}

verify::Expectation expectation(GemmProblem const& problem, Data data, Reference const& reference,
                                verify::MatrixView const& c) {
  return {.product = static_cast<double const*>(reference.product.data()),
          .scale = static_cast<float const*>(reference.scale.data()),
          .alpha = static_cast<double>(problem.alpha),
          .beta = static_cast<double>(problem.beta),
          .addend = c,
          .bound = bound_for(data, problem)};
}

GemmArgs arguments(GemmProblem const& problem, device::Backend const& backend, verify::MatrixView const& a,
                   verify::MatrixView const& b, void const* c, void* d) {
  return {.m = problem.m,
          .n = problem.n,
          .k = problem.k,
          .a = a.data,
          .lda = problem.lda,
          .b = b.data,
          .ldb = problem.ldb,
          .b_layout = problem.b_layout,
          .c = c,
          .d = d,
          .ldd = problem.ldd,
          .alpha = problem.alpha,
          .beta = problem.beta,
          .stream = backend.stream()};
}

}  // namespace perfcheck::gemm
