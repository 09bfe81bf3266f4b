// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests of two independent samples. They treat every value as an independent observation: right for sessions, wrong for
// the rounds of one process (docs/how-the-gate-decides.md).
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// The Mann-Whitney U statistic of two samples, and its ties.
struct MannWhitneyU {
  double wins = 0;  ///< pairs in which the value of the first sample is larger
  double ties = 0;  ///< pairs of equal values
  /// Sum of t^3 - t over groups of t equal values of both samples together.
  double tie_term = 0;
};
/// Counted over all pairs. An empty sample or a NaN gives nullopt.
std::optional<MannWhitneyU> mann_whitney_u(std::span<double const> first, std::span<double const> second);

/// P(U = u) for u = 0 ... m * n when both samples, of m and n values without ties, come from one distribution: the
/// recursion of Mann & Whitney (1947, Ann. Math. Statist. 18:50, equation 2). Empty if m or n is not positive.
std::vector<double> mann_whitney_distribution(int m, int n);

/// Two-sided p-value of the Mann-Whitney U test. Without ties and with at most 8 values in one of the samples: twice
/// the exact tail. Otherwise: the normal approximation with correction for ties and for continuity (Hollander & Wolfe
/// 1973, section 4.1). These are the choices of scipy.stats.mannwhitneyu with its defaults. An empty sample or a NaN
/// gives nullopt.
std::optional<double> mann_whitney_p(std::span<double const> first, std::span<double const> second);

/// Student's two-sample t with a common variance (Student 1908, Biometrika 6:1; Fisher 1925, Metron 5:90).
struct TStatistic {
  double t = 0;   ///< positive when the first sample has the larger mean
  double df = 0;  ///< m + n - 2
};
/// Needs two finite values in each sample. Samples without any scatter give an infinite t when their means differ and
/// nullopt when they are equal.
std::optional<TStatistic> pooled_t(std::span<double const> first, std::span<double const> second);

}  // namespace perfcheck::stats
