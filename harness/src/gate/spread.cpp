// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "spread.h"

#include "perfcheck/stats/stats.h"

#include <cmath>

namespace perfcheck::gate {

double Spread::reach(double alpha) const { return stats::student_t_quantile(1 - alpha, df) * se; }

double Spread::p_above(double excess) const { return stats::student_t_cdf(-excess / se, df); }

Spread together(std::vector<Component> const& components) {
  double variance = 0, squares = 0;
  for (Component const& one : components) {
    if (one.variance > 0) {
      variance += one.variance;
      squares += one.variance * one.variance / one.df;
    }
  }
  return {.se = std::sqrt(variance), .df = variance * variance / squares};
}

}  // namespace perfcheck::gate
