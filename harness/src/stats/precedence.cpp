// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/stats/precedence.h"

namespace perfcheck::stats {

double precedence_p(int count, int size, int other_size) {
  double p = 1;
  for (int k = 0; k < count; ++k) {
    p *= k < size ? static_cast<double>(size - k) / (size + other_size - k) : 0;
  }
  return p;
}

std::optional<int> precedence_count(int size, int other_size, double alpha) {
  for (int count = 1; count <= size; ++count) {
    if (precedence_p(count, size, other_size) <= alpha) return count;
  }
  return std::nullopt;
}

}  // namespace perfcheck::stats
