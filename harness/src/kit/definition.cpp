// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/definition.h"

namespace perfcheck::kit {

double bytes_moved(Definition const& definition) {
  auto const bytes = [](Operand const& operand) {
    return static_cast<double>(verify::bytes_of(operand.shape.element, operand.shape.size()));
  };
  double all = bytes(definition.output());
  for (Operand const& operand : definition.inputs()) all += bytes(operand);
  return all;
}

std::size_t aligned_bytes(verify::MatrixView const& matrix) {
  auto const elements = matrix.index(matrix.rows - 1, matrix.columns - 1) + 1;
  return aligned_bytes(static_cast<std::size_t>(verify::bytes_of(matrix.element, elements)));
}

}  // namespace perfcheck::kit
