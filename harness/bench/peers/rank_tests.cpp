// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules that rest on a Mann-Whitney U test.
#include "judges.h"

#include "perfcheck/stats/stats.h"
#include "perfcheck/stats/two_samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace perfcheck::peers {
namespace {

/// Number of ways to order m values among n, as far as a double goes.
double orders(int m, int n) {
  double count = 1;
  for (int i = 1; i <= std::min(m, n); ++i) count *= static_cast<double>(std::max(m, n) + i) / i;
  return count;
}

/// The U, folded to the lower half of 0 ... m * n, that says least against "no difference" among all that breaking the
/// ties could give.
double least_significant(stats::MannWhitneyU const& u, double pairs) {
  double const half = std::floor(pairs / 2);
  double const low = u.wins;
  double const high = u.wins + u.ties;
  if (low <= half && half <= high) return half;
  return std::max(std::min(low, pairs - low), std::min(high, pairs - high));
}

/// asv's two-sided p-value.
double asv_p(std::span<double const> before, std::span<double const> now) {
  auto const m = static_cast<int>(before.size());
  auto const n = static_cast<int>(now.size());
  double const pairs = static_cast<double>(m) * n;
  double const u = least_significant(*stats::mann_whitney_u(before, now), pairs);
  if (std::max(m, n) > 20) {
    double const z = (u - pairs / 2) / std::sqrt(pairs * (m + n + 1) / 12);
    return std::erfc(-z / std::numbers::sqrt2);
  }
  std::vector<double> const probability = stats::mann_whitney_distribution(m, n);
  auto const lower_end = probability.begin() + static_cast<std::ptrdiff_t>(u) + 1;
  auto const upper_begin =
      probability.begin() + static_cast<std::ptrdiff_t>(std::max(std::floor(pairs / 2) + 1, pairs - u));
  return std::accumulate(probability.begin(), lower_end, 0.0) + std::accumulate(upper_begin, probability.end(), 0.0);
}

}  // namespace

Answer google_benchmark(Session const& before, Session const& now) {
  if (before.time_ns.size() < 2 || now.time_ns.size() < 2) return Answer::undecided;
  if (!(*stats::mann_whitney_p(before.time_ns, now.time_ns) < 0.05)) return Answer::same;
  double const change = *stats::median(now.time_ns) - *stats::median(before.time_ns);
  if (change == 0) return Answer::undecided;  // different, and nobody knows in which direction
  return change > 0 ? Answer::slower : Answer::faster;
}

Answer asv(Session const& before, Session const& now) {
  double const level = 0.002;
  double const factor = 1.1;
  auto const m = static_cast<int>(before.time_ns.size());
  auto const n = static_cast<int>(now.time_ns.size());
  if (!(1 / orders(m, n) < level)) return Answer::undecided;
  double const old_value = *stats::median(before.time_ns);
  double const new_value = *stats::median(now.time_ns);
  bool const slower = old_value < new_value / factor;
  bool const faster = new_value < old_value / factor;
  if (!slower && !faster) return Answer::same;
  if (!(asv_p(before.time_ns, now.time_ns) < level)) return Answer::same;
  return slower ? Answer::slower : Answer::faster;
}

}  // namespace perfcheck::peers
