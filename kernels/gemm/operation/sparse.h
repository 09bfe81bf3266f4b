// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// 2:4 sparsity of A: of every four consecutive elements of a row two are kept, stored side by side, and indices tell
// which. The indices are an input like others, made from the secret, but they have no element format: the first index
// of a pair is always below the second.
#pragma once

#include "operands.h"

#include "perfcheck/device/backend.h"

#include <memory>
#include <string>

namespace perfcheck::gemm {

/// The indices of A, laid out in memory like other inputs (verify::SecretMatrices): rows of k / 8 bytes. No elements
/// for a problem whose A is dense.
verify::SecretMatrices indices_of_a(GemmProblem const& problem);

/// Operations on indices in memory. All but count_changed() enqueue on the backend's stream. Throws
/// device::DeviceError.
class SparseEngine {
 public:
  virtual ~SparseEngine() = default;
  /// Writes the indices of some sets. To be called before Engine::renew() with the same secret, which writes the
  /// values.
  virtual void renew(verify::SecretMatrices const& indices, verify::SetRange sets, std::uint64_t secret) = 0;
  /// Writes the indices of set 0 from a secret in device memory, as Engine::renew_from() does.
  virtual void renew_from(verify::SecretMatrices const& indices, std::uint64_t const* secret) = 0;
  /// Number of bytes that are not as renew() left them.
  virtual std::uint64_t count_changed(verify::SecretMatrices const& indices, verify::SetRange sets,
                                      std::uint64_t secret) = 0;
  /// dense = the matrix that `kept` and `indices` stand for, including zeros.
  virtual void expand(verify::MatrixView const& kept, verify::MatrixView const& indices,
                      verify::MatrixView const& dense) = 0;
};

std::unique_ptr<SparseEngine> make_host_sparse_engine();
/// Keeps a reference to the backend, which must be a CUDA one. Defined in programs that link
/// perfcheck_gemm_operation_cuda.
std::unique_ptr<SparseEngine> make_cuda_sparse_engine(device::Backend& backend);

/// Writes one element of the dense matrix.
PERFCHECK_HOST_DEVICE inline void expand_element(verify::MatrixView const& kept, verify::MatrixView const& indices,
                                                 verify::MatrixView const& dense, std::int64_t row,
                                                 std::int64_t column) {
  auto const byte = static_cast<std::uint8_t const*>(indices.data)[indices.index(row, column / 8)];
  int const place = place_among_kept(byte >> (column / 4 % 2 * 4) & 15, static_cast<int>(column % 4));
  verify::Bits const bits =
      place < 0 ? 0 : verify::load_bits(kept.element, kept.data, kept.index(row, column / 4 * 2 + place));
  verify::store_bits(dense.element, dense.data, dense.index(row, column), bits);
}

}  // namespace perfcheck::gemm
