// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a GEMM problem is made of: its matrices and vectors, by name, and how elements and factors make up A and B.
#pragma once

#include <perfcheck/gemm.h>

#include "perfcheck/verify/secret_data.h"

#include <vector>

namespace perfcheck::gemm {

/// Inputs, numbered as in secret data. Matrices of a batch, and those of B for groups, are stacked: by rows, or by
/// columns if they are stored so.
enum class Input { a, b, c, a_scales, b_scales, bias, residual };
inline constexpr std::size_t kInputs = 7;

struct Operand {
  Input input{};
  char const* name = "";             ///< in messages
  verify::MatrixView shape{};        ///< without memory
  bool scales = false;               ///< factors, which are positive
  int exponent = 0;                  ///< of timed factors, so that results keep within the range of D
  std::int64_t stacked_rows = 0;     ///< of one matrix, where several are stacked by rows
  std::int64_t stacked_columns = 0;  ///< likewise by columns
};

/// The inputs that the problem has, in the order of their numbers. C is one of them even if beta is 0.
std::vector<Operand> inputs_of(GemmProblem const& problem);
/// Of these, those that a launch may read.
std::vector<Operand> read_inputs_of(GemmProblem const& problem);
/// D, all matrices of a batch.
verify::MatrixView shape_of_d(GemmProblem const& problem);

/// Elements that share one factor.
struct ScaleBlock {
  std::int64_t rows = 1, columns = 1;
};
ScaleBlock scale_block(GemmTypes const& types, Input of);

/// A or B in memory: elements, times factors if it has any.
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

/// The same as renew() writes it, not read but made again.
struct SecretFactor {
  verify::SecretMatrices elements{};
  verify::SecretMatrices scales{};  ///< none when its matrix has no elements
  ScaleBlock block{};

  PERFCHECK_HOST_DEVICE bool scaled() const { return scales.first.rows != 0; }
};

/// One set's keys, for looking at many elements.
struct SecretFactorKeys {
  verify::SecretKey elements, scales;
};
PERFCHECK_HOST_DEVICE inline SecretFactorKeys keys_of(SecretFactor const& factor, std::uint64_t secret, int set) {
  return {verify::secret_key(secret, set, factor.elements.operand),
          verify::secret_key(secret, set, factor.scales.operand)};
}
/// The factor of an element.
PERFCHECK_HOST_DEVICE PERFCHECK_DEVICE_NOINLINE inline double scale_at(SecretFactor const& factor,
                                                                       SecretFactorKeys const& keys, std::int64_t row,
                                                                       std::int64_t column) {
  return verify::detail::other_element(factor.scales.format(), keys.scales,
                                       static_cast<std::uint32_t>(row / factor.block.rows),
                                       static_cast<std::uint32_t>(column / factor.block.columns));
}
PERFCHECK_HOST_DEVICE inline double element_at(SecretFactor const& factor, SecretFactorKeys const& keys,
                                               std::int64_t row, std::int64_t column) {
  double const value = verify::secret_element(factor.elements.format(), keys.elements, static_cast<std::uint32_t>(row),
                                              static_cast<std::uint32_t>(column));
  return factor.scaled() ? value * scale_at(factor, keys, row, column) : value;
}

/// Root of the mean square of secret elements of a format.
double typical_size(Element element);

}  // namespace perfcheck::gemm
