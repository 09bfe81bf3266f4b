// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference: products of matrices in FP64.
#pragma once

#include "operands.h"
#include "row_parts.h"

#include "perfcheck/device/backend.h"

#include <memory>

namespace perfcheck::gemm {

class ProductEngine {
 public:
  virtual ~ProductEngine() = default;
  /// product = a * b in FP64, from the stored elements times their scale factors; scale = |a| * |b|, left out when
  /// null. `parts` says which rows of a, and of the results, belong to which of the matrices that are stacked in b.
  /// Rows of the results are contiguous. NaN and infinity propagate as in IEEE 754. Throws device::DeviceError.
  virtual void multiply(Factor const& a, Factor const& b, RowParts const& parts, double* product, float* scale) = 0;
};

/// A and B of one part.
struct FactorPair {
  Factor a, b;
};
inline FactorPair pair_of(Factor const& a, Factor const& b, RowParts const& parts, int part) {
  if (parts.count == 1 && parts.matrices == 1) return {a, b};
  std::int64_t const k = a.elements.columns, matrix = parts.matrix(part);
  bool const by_rows = b.elements.column_stride == 1;  // stacked the way it is stored
  std::int64_t const n = by_rows ? b.elements.columns : b.elements.columns / parts.matrices;
  return {a.part(parts.first(part), 0, parts.rows(part), k),
          b.part(by_rows ? matrix * k : 0, by_rows ? 0 : matrix * n, k, n)};
}

std::unique_ptr<ProductEngine> make_host_product_engine();
/// Keeps a reference to the backend, which must be a CUDA one. Defined in programs that link
/// perfcheck_gemm_operation_cuda.
std::unique_ptr<ProductEngine> make_cuda_product_engine(device::Backend& backend);

}  // namespace perfcheck::gemm
