// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Made-up series for the tests of histories.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace perfcheck::stats {

using Random = std::mt19937_64;

/// n values of variance 1 whose neighbours have correlation rho.
inline std::vector<double> noise(std::size_t n, Random& random, double rho = 0) {
  std::normal_distribution<double> normal;
  std::vector<double> values;
  double value = normal(random);
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(value);
    value = rho * value + std::sqrt(1 - rho * rho) * normal(random);
  }
  return values;
}

/// Adds `size` to the values from `index` on.
inline void add_step(std::vector<double>& values, std::size_t index, double size) {
  for (std::size_t i = index; i < values.size(); ++i) values[i] += size;
}

}  // namespace perfcheck::stats
