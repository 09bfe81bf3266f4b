// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation.h"

#include "perfcheck/gemm_operation.h"

namespace perfcheck {
namespace {

/// Above 4096 cubed: a reference product then takes more than a few milliseconds.
constexpr double kLargeFlopCuda = 2e11;

/// Enough for replays of a millisecond of everything that is bound by memory or takes longer.
constexpr std::size_t kReachBytes = std::size_t{4} << 30U;

std::unique_ptr<gemm::GemmDevice> make_device(device::Backend& backend) {
  if (backend.name() != "cuda") return gemm::make_host_device(backend);
  return std::make_unique<gemm::GemmDevice>(gemm::GemmDevice{.backend = backend,
                                                             .engine = verify::make_cuda_engine(backend),
                                                             .product = gemm::make_cuda_product_engine(backend),
                                                             .proof = gemm::make_cuda_proof_engine(backend),
                                                             .sparse = gemm::make_cuda_sparse_engine(backend),
                                                             .cache_bytes = backend.info().cache_bytes,
                                                             .reach_bytes = kReachBytes,
                                                             .large_flop = kLargeFlopCuda});
}

}  // namespace

std::unique_ptr<worker::Operation> make_gemm_operation_cuda() { return gemm::make_operation(make_device); }

}  // namespace perfcheck
