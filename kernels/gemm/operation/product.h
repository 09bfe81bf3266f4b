// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference: products of matrices in FP64.
#pragma once

#include "operands.h"

#include "perfcheck/device/backend.h"

#include <memory>

namespace perfcheck::gemm {

class ProductEngine {
 public:
  virtual ~ProductEngine() = default;
  /// product = a * b in FP64 from the elements as they are stored, times their factors; scale = |a| * |b|, left out
  /// when null. `batch` matrices are stacked in a and b, and in the results, each m x n with contiguous rows. NaN and
  /// infinity spread as IEEE 754 has it. Throws device::DeviceError.
  virtual void multiply(Factor const& a, Factor const& b, int batch, double* product, float* scale) = 0;
};

/// A and B of one matrix of a batch.
struct FactorPair {
  Factor a, b;
};
inline FactorPair pair_of(Factor const& a, Factor const& b, int batch, int index) {
  if (batch == 1) return {a, b};
  std::int64_t const m = a.elements.rows / batch, k = a.elements.columns;
  bool const by_rows = b.elements.column_stride == 1;  // stacked the way it is stored
  std::int64_t const n = by_rows ? b.elements.columns : b.elements.columns / batch;
  return {a.part(index * m, 0, m, k), b.part(by_rows ? index * k : 0, by_rows ? 0 : index * n, k, n)};
}

std::unique_ptr<ProductEngine> make_host_product_engine();
/// Keeps a reference to the backend, which must be a CUDA one. Defined in programs that link
/// perfcheck_gemm_operation_cuda.
std::unique_ptr<ProductEngine> make_cuda_product_engine(device::Backend& backend);

}  // namespace perfcheck::gemm
