// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "sparse.h"

namespace perfcheck::gemm {
namespace {

/// Calls visit(byte, value that it must have) for all bytes of some sets.
template <class Visit>
void for_each_byte(verify::SecretMatrices const& indices, verify::SetRange sets, std::uint64_t secret,
                   Visit const& visit) {
  for (int set = sets.first; set < sets.first + sets.count; ++set) {
    verify::MatrixView const matrix = indices.of(set);
    verify::SecretKey const key = verify::secret_key(secret, set, indices.operand);
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
      auto* const bytes = static_cast<std::uint8_t*>(matrix.data) + matrix.index(row, 0);
      for (std::int64_t byte = 0; byte < matrix.columns; ++byte) visit(bytes[byte], secret_indices(key, row, byte));
    }
  }
}

class HostSparseEngine final : public SparseEngine {
 public:
  void renew(verify::SecretMatrices const& indices, verify::SetRange sets, std::uint64_t secret) override {
    for_each_byte(indices, sets, secret, [](std::uint8_t& byte, std::uint8_t wanted) { byte = wanted; });
  }
  void renew_from(verify::SecretMatrices const& indices, std::uint64_t const* secret) override {
    renew(indices, {0, 1}, *secret);
  }
  std::uint64_t count_changed(verify::SecretMatrices const& indices, verify::SetRange sets,
                              std::uint64_t secret) override {
    std::uint64_t changed = 0;
    for_each_byte(indices, sets, secret,
                  [&](std::uint8_t byte, std::uint8_t wanted) { changed += byte != wanted ? 1U : 0U; });
    return changed;
  }
  void expand(verify::MatrixView const& kept, verify::MatrixView const& indices,
              verify::MatrixView const& dense) override {
    for (std::int64_t row = 0; row < dense.rows; ++row) {
      for (std::int64_t column = 0; column < dense.columns; ++column) {
        expand_element(kept, indices, dense, row, column);
      }
    }
  }
};

}  // namespace

verify::SecretMatrices indices_of_a(GemmProblem const& problem) {
  verify::SecretMatrices indices{.first = {}, .operand = static_cast<int>(Input::a_indices)};
  if (!problem.sparse24) return indices;
  std::int64_t const bytes = problem.k / 8;
  indices.first = {.data = nullptr,
                   .element = Element::u8,
                   .rows = problem.m,
                   .columns = bytes,
                   .row_stride = bytes,
                   .column_stride = 1};
  return indices;
}

std::unique_ptr<SparseEngine> make_host_sparse_engine() { return std::make_unique<HostSparseEngine>(); }

}  // namespace perfcheck::gemm
