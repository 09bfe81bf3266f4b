// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What verification of a GEMM problem keeps between kernels: the device's engines, reference results, buffers.
#pragma once

#include "data.h"
#include "matrices.h"
#include "product.h"
#include "proof.h"
#include "sparse.h"

#include "perfcheck/kit/bench.h"

#include <map>
#include <memory>

namespace perfcheck::gemm {

/// A backend with the engines that work on its memory.
struct GemmDevice : kit::Device {
  std::unique_ptr<ProductEngine> product{};
  std::unique_ptr<ProofEngine> proof{};
  std::unique_ptr<SparseEngine> sparse{};
  double large_flop = 0;  ///< problems above this are verified on fewer kinds of data
};

using GemmDevices = kit::Devices<GemmDevice>;

/// a * b and |a| * |b|.
struct Reference {
  device::Memory product;  ///< double
  device::Memory scale;    ///< float; empty for exact data
};

/// Reference results by data.
class ReferenceCache {
 public:
  /// Computes the reference from A and B unless it is known. When memory runs out, everything known is dropped.
  Reference const& get(GemmDevice& device, GemmProblem const& problem, Data data, Matrices const& matrices);
  void clear() { known_.clear(); }

 private:
  std::map<Data, Reference> known_;
};

/// A as it is multiplied: a sparse A is expanded with zeros, in memory of its own.
struct DenseA {
  device::Memory memory;
  Factor a;
};
DenseA dense_a(GemmDevice& device, GemmProblem const& problem, Matrices const& matrices);

/// Computes a reference without keeping it.
Reference compute_reference(GemmDevice& device, GemmProblem const& problem, Data data, Matrices const& matrices);

struct ProblemState {
  GemmProblem problem;
  std::shared_ptr<GemmDevices> devices;
  std::uint64_t seed = 0;
  ReferenceCache references;
  std::unique_ptr<kit::Bench> bench;

  /// The device's engines. Drops what was kept for another device or seed.
  GemmDevice& enter(device::Backend& backend, std::uint64_t new_seed);

 private:
  device::Backend* backend_ = nullptr;
};

/// What D must be, for a problem whose A and B gave `reference`.
verify::Expectation expectation(GemmProblem const& problem, Data data, Reference const& reference,
                                Matrices const& matrices);

/// The launch arguments for matrices in memory. C is null when it has none.
GemmFullArgs arguments(GemmProblem const& problem, kit::Buffers const& buffers);

inline GemmKernel const& gemm_kernel(KernelInfo const& info) { return *static_cast<GemmKernel const*>(info.typed); }
/// Why a kernel of the problem's types does not run it: a missing feature, or the kernel's own reason.
Refusal refusal_of(GemmKernel const& kernel, GemmProblem const& problem);
inline std::size_t workspace_of(GemmKernel const& kernel, GemmProblem const& problem) {
  return kernel.workspace_bytes == nullptr ? 0 : kernel.workspace_bytes(problem);
}

}  // namespace perfcheck::gemm
