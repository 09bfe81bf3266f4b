// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulated number of independent positions, and p-values and critical values from it.
#include "perfcheck/stats/max_statistic.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace perfcheck::stats {
namespace {

/// log10 of q = P(|T_df| > t), for the columns of kPositions.
constexpr std::array kLogTail = {-2.0, -2.5, -3.0, -4.0, -5.0};

struct Row {
  double n = 0;
  std::array<double, kLogTail.size()> positions = {};
};

/// m(n, q), printed by perfcheck_max_statistic_table.
constexpr std::array kPositions = {
    Row{6, {1.04, 1.39, 1.83, 4.34, 13.6}},   Row{8, {2.91, 4.03, 5.39, 14, 52.8}},
    Row{10, {3.49, 5.76, 8.05, 17.8, 51.6}},  Row{15, {6.31, 9.47, 12.2, 21, 47}},
    Row{20, {7.64, 12.2, 16.1, 26, 54.4}},    Row{30, {9.73, 15.4, 20.2, 30.9, 51.8}},
    Row{50, {12.2, 18.5, 24.3, 34.7, 49}},    Row{100, {19.9, 22.3, 29.5, 38.4, 48.4}},
    Row{200, {34.4, 30.9, 35.9, 45.8, 52.4}}, Row{500, {62.2, 61, 51.9, 62.7, 64}},
    Row{1000, {84.6, 98.6, 78.8, 79.6, 96}},  Row{2000, {97.1, 156, 127, 84.5, 65}},
    Row{4000, {99.9, 231, 216, 119, 125}},
};

double between(double at, double x0, double x1, double y0, double y1) { return y0 + (at - x0) / (x1 - x0) * (y1 - y0); }

/// log m of one row.
double log_positions(Row const& row, double log_tail) {
  double const at = std::clamp(log_tail, kLogTail.back(), kLogTail.front());
  std::size_t column = 1;
  while (column + 1 < kLogTail.size() && at < kLogTail[column]) ++column;
  return between(at, kLogTail[column - 1], kLogTail[column], std::log(row.positions[column - 1]),
                 std::log(row.positions[column]));
}

/// log of m(n, q) * q. Beyond the last row, its trend is extrapolated.
double log_p(double n, double log_tail) {
  std::size_t row = 1;
  while (row + 1 < kPositions.size() && n > kPositions[row].n) ++row;
  double const log_m = between(std::log(n), std::log(kPositions[row - 1].n), std::log(kPositions[row].n),
                               log_positions(kPositions[row - 1], log_tail), log_positions(kPositions[row], log_tail));
  return log_m + log_tail * std::log(10.0);
}

bool usable(std::size_t n, double df) { return n >= 6 && df > 0; }

}  // namespace

double max_statistic_p(double t, std::size_t n, double df) {
  if (std::isnan(t) || !usable(n, df)) return std::numeric_limits<double>::quiet_NaN();
  double const tail = 2 * student_t_cdf(-std::abs(t), df);
  if (!(tail > 0)) return 0;
  return std::min(std::exp(log_p(static_cast<double>(n), std::log10(tail))), 1.0);
}

double max_statistic_critical(double level, std::size_t n, double df) {
  if (!(level > 0 && level < 1) || !usable(n, df)) return std::numeric_limits<double>::quiet_NaN();
  double low = -300, high = 0;  // log10 of the tail; log_p rises with it
  for (int step = 0; step < 60; ++step) {
    double const middle = (low + high) / 2;
    (log_p(static_cast<double>(n), middle) > std::log(level) ? high : low) = middle;
  }
  return -student_t_quantile(std::pow(10, low) / 2, df);
}

}  // namespace perfcheck::stats
