// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Mann-Whitney U and Student's t for two samples.
#include "perfcheck/stats/two_samples.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace perfcheck::stats {
namespace {

bool usable(std::span<double const> values) {
  return !values.empty() && std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

/// Sum of t^3 - t over runs of t equal values.
double tie_term(std::span<double const> first, std::span<double const> second) {
  std::vector<double> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  std::sort(all.begin(), all.end());
  double sum = 0;
  for (auto begin = all.begin(); begin != all.end();) {
    auto const end = std::upper_bound(begin, all.end(), *begin);
    auto const count = static_cast<double>(end - begin);
    sum += count * count * count - count;
    begin = end;
  }
  return sum;
}

/// P(U >= u), u a whole number.
double exact_upper_tail(double u, int m, int n) {
  std::vector<double> const probability = mann_whitney_distribution(m, n);
  double sum = 0;
  // From the rare end, so that small terms are not lost.
  for (std::size_t i = probability.size(); i > static_cast<std::size_t>(u); --i) sum += probability[i - 1];
  return sum;
}

double normal_upper_tail(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

}  // namespace

std::optional<MannWhitneyU> mann_whitney_u(std::span<double const> first, std::span<double const> second) {
  if (!usable(first) || !usable(second)) return std::nullopt;
  MannWhitneyU u{.tie_term = tie_term(first, second)};
  for (double const a : first) {
    for (double const b : second) {
      u.wins += a > b ? 1 : 0;
      u.ties += a == b ? 1 : 0;
    }
  }
  return u;
}

std::vector<double> mann_whitney_distribution(int m, int n) {
  if (m < 1 || n < 1) return {};
  auto const size = static_cast<std::size_t>(n) + 1;
  // Row i holds P(U = u) for i values against 0 ... n; only the row before is needed. With no value on one side U is 0.
  std::vector<std::vector<double>> row(size, std::vector<double>{1.0});
  for (std::size_t i = 1; i <= static_cast<std::size_t>(m); ++i) {
    for (std::size_t j = 1; j < size; ++j) {
      // The largest of the i + j values is one of the i (then it beats all j) or one of the j.
      double const from_first = static_cast<double>(i) / static_cast<double>(i + j);
      std::vector<double> next(i * j + 1, 0.0);
      for (std::size_t u = 0; u < row[j].size(); ++u) next[u + j] += from_first * row[j][u];
      for (std::size_t u = 0; u < row[j - 1].size(); ++u) next[u] += (1 - from_first) * row[j - 1][u];
      row[j] = std::move(next);
    }
  }
  return row.back();
}

std::optional<double> mann_whitney_p(std::span<double const> first, std::span<double const> second) {
  std::optional<MannWhitneyU> const u = mann_whitney_u(first, second);
  if (!u) return std::nullopt;
  auto const m = static_cast<double>(first.size());
  auto const n = static_cast<double>(second.size());
  double const of_first = u->wins + u->ties / 2;
  double const larger = std::max(of_first, m * n - of_first);

  if (std::min(m, n) <= 8 && u->tie_term == 0) {
    return std::min(1.0, 2 * exact_upper_tail(larger, static_cast<int>(m), static_cast<int>(n)));
  }
  double const variance = m * n / 12 * (m + n + 1 - u->tie_term / ((m + n) * (m + n - 1)));
  if (!(variance > 0)) return 1;  // all values are equal
  return std::min(1.0, 2 * normal_upper_tail((larger - m * n / 2 - 0.5) / std::sqrt(variance)));
}

std::optional<TStatistic> pooled_t(std::span<double const> first, std::span<double const> second) {
  std::optional<double> const sd_first = sample_sd(first);
  std::optional<double> const sd_second = sample_sd(second);
  if (!sd_first || !sd_second || !std::isfinite(*sd_first) || !std::isfinite(*sd_second)) return std::nullopt;
  auto const m = static_cast<double>(first.size());
  auto const n = static_cast<double>(second.size());
  double const df = m + n - 2;
  double const difference = *mean(first) - *mean(second);
  double const variance = ((m - 1) * *sd_first * *sd_first + (n - 1) * *sd_second * *sd_second) / df;
  double const t = difference / std::sqrt(variance * (1 / m + 1 / n));
  if (std::isnan(t)) return std::nullopt;
  return TStatistic{.t = t, .df = df};
}

}  // namespace perfcheck::stats
