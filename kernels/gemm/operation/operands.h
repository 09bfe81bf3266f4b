// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a GEMM problem is made of: its matrices and vectors, by name, and how elements and scale factors make up A and
// B.
#pragma once

#include <perfcheck/gemm.h>

#include "perfcheck/kit/definition.h"

#include <vector>

namespace perfcheck::gemm {

/// Inputs by the numbers of their operands. Matrices of a batch, and those of B for groups, are stacked: by rows, or by
/// columns if they are stored by columns.
enum class Input { a, b, c, a_scales, b_scales, bias, residual, a_indices };
inline constexpr std::size_t kInputs = 8;
constexpr int number_of(Input input) { return static_cast<int>(input); }

using kit::Operand;

/// The inputs that the problem has, in the order of their numbers. C is one of them even if beta is 0; indices of a
/// sparse A are not (sparse.h).
std::vector<Operand> inputs_of(GemmProblem const& problem);
/// Those of inputs_of() that a launch may read.
std::vector<Operand> read_inputs_of(GemmProblem const& problem);
/// D, all matrices of a batch.
Operand output_of(GemmProblem const& problem);
verify::MatrixView shape_of_d(GemmProblem const& problem);

/// Elements that share one scale factor.
struct ScaleBlock {
  std::int64_t rows = 1, columns = 1;
};
ScaleBlock scale_block(GemmTypes const& types, Input of);

/// A or B in memory: elements, times scale factors if it has any.
struct Factor {
  verify::MatrixView elements{};
  verify::MatrixView scales{};  ///< none when its data is null
  ScaleBlock block{};
  std::int64_t row0 = 0, column0 = 0;  ///< where this part begins in the whole

  PERFCHECK_HOST_DEVICE double at(std::int64_t row, std::int64_t column) const {
    double const value = verify::decode(
        elements.element, verify::load_bits(elements.element, elements.data, elements.index(row, column)));
    if (scales.data == nullptr) return value;
    std::int64_t const scale = scales.index((row0 + row) / block.rows, (column0 + column) / block.columns);
    return value * verify::decode(scales.element, verify::load_bits(scales.element, scales.data, scale));
  }
  Factor part(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) const;
};

/// A pair of indices below four, the smaller one in the lower two bits and the larger one above: one of the six such
/// pairs.
PERFCHECK_HOST_DEVICE inline std::uint32_t index_pair(std::uint32_t random16) {
  constexpr std::uint32_t kPairs = 0xed9c84;  // 2 3, 1 3, 1 2, 0 3, 0 2, 0 1
  return kPairs >> (random16 * 6U >> 16U) * 4U & 15U;
}
/// A byte of secret indices: those of eight columns of A, the first four's in the lower half.
PERFCHECK_HOST_DEVICE inline std::uint8_t secret_indices(verify::SecretKey const& key, std::int64_t row,
                                                         std::int64_t byte) {
  std::uint32_t const x =
      verify::secret_words(key, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(byte)).x;
  return static_cast<std::uint8_t>(index_pair(x & 0xffffU) | index_pair(x >> 16U) << 4U);
}
/// Which of the two kept elements is the one at this place of four: 0, 1, or -1 for none.
PERFCHECK_HOST_DEVICE inline int place_among_kept(int pair, int place) {
  return place == (pair & 3) ? 0 : place == pair >> 2 ? 1 : -1;
}

/// A or B as renew() writes it, not read from memory but computed from the secret.
struct SecretFactor {
  verify::SecretMatrices elements{};
  verify::SecretMatrices scales{};  ///< none when its matrix has no elements
  ScaleBlock block{};
  int indices = 0;  ///< number of the input that tells which elements are kept; 0 where all are

  PERFCHECK_HOST_DEVICE bool scaled() const { return scales.first.rows != 0; }
};

/// The keys of one set, for computing many elements.
struct SecretFactorKeys {
  verify::SecretKey elements, scales, indices;
};
PERFCHECK_HOST_DEVICE inline SecretFactorKeys keys_of(SecretFactor const& factor, std::uint64_t secret, int set) {
  return {verify::secret_key(secret, set, factor.elements.operand),
          verify::secret_key(secret, set, factor.scales.operand), verify::secret_key(secret, set, factor.indices)};
}
/// The scale factor of an element.
PERFCHECK_HOST_DEVICE PERFCHECK_DEVICE_NOINLINE inline double scale_at(SecretFactor const& factor,
                                                                       SecretFactorKeys const& keys, std::int64_t row,
                                                                       std::int64_t column) {
  return verify::detail::other_element(factor.scales.format(), keys.scales,
                                       static_cast<std::uint32_t>(row / factor.block.rows),
                                       static_cast<std::uint32_t>(column / factor.block.columns));
}
/// An element of a sparse matrix, by its column in the dense one.
PERFCHECK_HOST_DEVICE PERFCHECK_DEVICE_NOINLINE inline double sparse_element_at(SecretFactor const& factor,
                                                                                SecretFactorKeys const& keys,
                                                                                std::int64_t row, std::int64_t column) {
  int const pair = secret_indices(keys.indices, row, column / 8) >> (column / 4 % 2 * 4) & 15;
  int const place = place_among_kept(pair, static_cast<int>(column % 4));
  if (place < 0) return 0;
  return verify::secret_element(factor.elements.format(), keys.elements, static_cast<std::uint32_t>(row),
                                static_cast<std::uint32_t>(column / 4 * 2 + place));
}
PERFCHECK_HOST_DEVICE inline double element_at(SecretFactor const& factor, SecretFactorKeys const& keys,
                                               std::int64_t row, std::int64_t column) {
  if (factor.indices != 0) return sparse_element_at(factor, keys, row, column);
  double const value = verify::secret_element(factor.elements.format(), keys.elements, static_cast<std::uint32_t>(row),
                                              static_cast<std::uint32_t>(column));
  return factor.scaled() ? value * scale_at(factor, keys, row, column) : value;
}

/// Root of the mean square of secret elements of a format.
double typical_size(Element element);

}  // namespace perfcheck::gemm
