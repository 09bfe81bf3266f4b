// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference: products of matrices in FP64.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/verify/element.h"

#include <memory>

namespace perfcheck::gemm {

class ProductEngine {
 public:
  virtual ~ProductEngine() = default;
  /// product = a * b in FP64 from the elements as they are stored; scale = |a| * |b|, left out when null. Both are
  /// a.rows x b.columns with contiguous rows. NaN and infinity spread as IEEE 754 has it. Throws device::DeviceError.
  virtual void multiply(verify::MatrixView const& a, verify::MatrixView const& b, double* product, float* scale) = 0;
};

std::unique_ptr<ProductEngine> make_host_product_engine();
/// Keeps a reference to the backend, which must be a CUDA one. Defined in programs that link
/// perfcheck_gemm_operation_cuda.
std::unique_ptr<ProductEngine> make_cuda_product_engine(device::Backend& backend);

}  // namespace perfcheck::gemm
