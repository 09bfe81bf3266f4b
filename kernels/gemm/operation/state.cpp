// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "state.h"

#include <fmt/format.h>

namespace perfcheck::gemm {

DenseA dense_a(GemmDevice& device, GemmProblem const& problem, Matrices const& matrices) {
  DenseA dense{.memory = {}, .a = matrices.a(problem.types)};
  if (!problem.sparse24) return dense;
  verify::MatrixView& elements = dense.a.elements;
  verify::MatrixView const kept = elements;
  elements.columns = elements.row_stride = problem.k;
  dense.memory = device.backend.allocate(static_cast<std::size_t>(verify::bytes_of(elements.element, elements.size())));
  elements.data = dense.memory.data();
  device.sparse->expand(kept, matrices[Input::a_indices], elements);
  return dense;
}

Reference compute_reference(GemmDevice& device, GemmProblem const& problem, Data data, Matrices const& matrices) {
  auto const count = static_cast<std::size_t>(shape_of_d(problem).size());
  Reference reference;
  reference.product = device.backend.allocate(count * sizeof(double));
  if (!sums_are_exact(data, problem.types)) reference.scale = device.backend.allocate(count * sizeof(float));
  DenseA const dense = dense_a(device, problem, matrices);
  device.product->multiply(dense.a, matrices.b(problem.types), row_parts(problem),
                           static_cast<double*>(reference.product.data()), static_cast<float*>(reference.scale.data()));
  if (problem.sparse24) device.backend.synchronize();  // before the dense A is freed
  return reference;
}

Reference const& ReferenceCache::get(GemmDevice& device, GemmProblem const& problem, Data data,
                                     Matrices const& matrices) {
  if (auto const known = known_.find(data); known != known_.end()) return known->second;
  try {
    return known_[data] = compute_reference(device, problem, data, matrices);
  } catch (device::OutOfMemory const&) {
    known_.clear();
  }
  return known_[data] = compute_reference(device, problem, data, matrices);
}

GemmDevice& ProblemState::enter(device::Backend& backend, std::uint64_t new_seed) {
  GemmDevice& device = devices->of(backend);
  if (backend_ != &backend || seed != new_seed) {
    references.clear();
    bench.reset();
    backend_ = &backend;
    seed = new_seed;
  }
  if (!bench) bench = std::make_unique<kit::Bench>(device);
  return device;
}

verify::Expectation expectation(GemmProblem const& problem, Data data, Reference const& reference,
                                Matrices const& matrices) {
  verify::Epilogue epilogue = epilogue_of(problem);
  if (problem.beta != 0) epilogue.addend = matrices[Input::c];
  if (problem.bias) epilogue.bias = matrices[Input::bias];
  if (problem.residual) epilogue.residual = matrices[Input::residual];
  return {.product = static_cast<double const*>(reference.product.data()),
          .scale = static_cast<float const*>(reference.scale.data()),
          .epilogue = epilogue,
          .bound = bound_for(data, problem)};
}

GemmFullArgs arguments(GemmProblem const& problem, kit::Buffers const& buffers) {
  Matrices const matrices(buffers.inputs);
  bool const by_rows = problem.b_layout == BLayout::row_major;
  GemmFullArgs args;
  static_cast<GemmArgs&>(args) = {.m = problem.m,
                                  .n = problem.n,
                                  .k = problem.k,
                                  .a = matrices[Input::a].data,
                                  .lda = problem.lda,
                                  .b = matrices[Input::b].data,
                                  .ldb = problem.ldb,
                                  .b_layout = problem.b_layout,
                                  .c = matrices[Input::c].data,
                                  .d = buffers.output.data,
                                  .ldd = problem.ldd,
                                  .alpha = problem.alpha,
                                  .beta = problem.beta,
                                  .stream = buffers.stream};
  args.batch = problem.batch;
  args.groups = static_cast<int>(problem.groups.size());
  bool const grouped = args.groups != 0;
  args.a_stride = grouped ? 0 : std::int64_t{problem.m} * problem.lda;
  args.b_stride = std::int64_t{by_rows ? problem.k : problem.n} * problem.ldb;
  args.d_stride = grouped ? 0 : std::int64_t{problem.m} * problem.ldd;
  args.bias = matrices[Input::bias].data;
  args.activation = problem.activation;
  args.residual = matrices[Input::residual].data;
  args.a_indices = static_cast<std::uint8_t const*>(matrices[Input::a_indices].data);
  args.a_scales = matrices[Input::a_scales].data;
  args.b_scales = matrices[Input::b_scales].data;
  args.workspace = buffers.workspace;
  args.workspace_bytes = buffers.workspace_bytes;
  return args;
}

Refusal refusal_of(GemmKernel const& kernel, GemmProblem const& problem) {
  if (auto const lacking = lacking_feature(problem, kernel.features); !lacking.empty()) {
    return fmt::format("has no {} among its features", lacking);
  }
  return kernel.accepts == nullptr ? std::nullopt : kernel.accepts(problem);
}

}  // namespace perfcheck::gemm
