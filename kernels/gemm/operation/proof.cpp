// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "proof.h"

namespace perfcheck::gemm {

SumTolerance sum_tolerance(ProofTask const& task) {
  constexpr double kSpread = 6;
  int const groups = proof_groups(task.d.columns);
  double const columns = std::ceil(static_cast<double>(task.d.columns) / groups);
  double const elements = columns * static_cast<double>(task.k());
  // Elements have a fourth moment below three times the square of their variance: the norm of many is known well
  // enough. Factors are below 2, and few blocks of B may share one.
  SecretFactor const b = task.b();
  double const size = typical_size(b.elements.first.element) * (b.scaled() ? std::ldexp(2.0, b.scales.exponent) : 1);
  double const norm_of_b = size * std::sqrt(elements * (1 + 8 / std::sqrt(elements)));
  ElementFormat const d = format_of(task.d.element);
  bool const rounds = d.bits <= 16;
  return {.per_row_norm = kSpread * std::fabs(task.epilogue.alpha) * task.bound.per_scale * norm_of_b,
          .per_added_norm = kSpread * task.bound.per_scale,
          .per_d_norm = rounds && !d.integer ? kSpread * std::exp2(-d.precision) : 0,
          .tiny = columns * task.bound.tiny + (rounds && d.integer ? kSpread * 0.5 * std::sqrt(columns) : 0)};
}

std::uint64_t judgements_of_set(ProofTask const& task, int set) {
  std::int64_t judgements = task.d.rows * proof_groups(task.d.columns);
  for (int index = 0; index < proof_blocks(task.sets, task.is_linear()); ++index) {
    ProofBlock const block = proof_block(task.draw, set, index, task.parts, task.d.columns);
    judgements += block.rows * block.columns;
  }
  return static_cast<std::uint64_t>(judgements);
}

std::uint64_t judgements_of(ProofTask const& task) {
  std::uint64_t judgements = 0;
  for (int set = 0; set < task.sets; ++set) judgements += judgements_of_set(task, set);
  return judgements;
}

}  // namespace perfcheck::gemm
