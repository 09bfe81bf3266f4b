// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/definition.h"

#include "perfcheck/kit/proof.h"

namespace perfcheck::kit {
namespace {

/// On a GPU: enough for replays of a millisecond, for every kernel that is bound by memory or takes longer.
constexpr std::size_t kReachBytes = std::size_t{4} << 30U;

}  // namespace

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

Device make_device(device::Backend& backend, std::unique_ptr<verify::Engine> engine) {
  return {.backend = backend,
          .engine = std::move(engine),
          .cache_bytes = backend.info().cache_bytes,
          .reach_bytes = backend.name() == "cpu" ? 0 : kReachBytes};
}

}  // namespace perfcheck::kit
