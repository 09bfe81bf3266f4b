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

}  // namespace perfcheck::gemm
