// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "operation.h"

#include "perfcheck/gemm_operation.h"

namespace perfcheck {
namespace {

/// Above 4096 cubed: a reference product then takes more than a few milliseconds.
constexpr double kLargeFlopCuda = 2e11;

std::unique_ptr<gemm::GemmDevice> make_device(device::Backend& backend) {
  if (backend.name() != "cuda") return gemm::make_host_device(backend);
  return std::make_unique<gemm::GemmDevice>(gemm::GemmDevice{
      kit::make_device(backend, verify::make_cuda_engine(backend)), gemm::make_cuda_product_engine(backend),
      gemm::make_cuda_proof_engine(backend), gemm::make_cuda_sparse_engine(backend), kLargeFlopCuda});
}

}  // namespace

std::unique_ptr<worker::Operation> make_gemm_operation_cuda() { return gemm::make_operation(make_device); }

}  // namespace perfcheck
