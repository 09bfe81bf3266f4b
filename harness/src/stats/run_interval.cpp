// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/stats/run_interval.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfcheck::stats {
namespace {

constexpr double kUpper = 0.975;  // 95 %, both sides
constexpr int kBatches = 8;
constexpr int kFewestBatches = 4;  // fewer leave no idea of their scatter

std::optional<std::vector<double>> logarithms(std::span<double const> values) {
  std::vector<double> result;
  result.reserve(values.size());
  for (double const value : values) {
    if (!(std::isfinite(value) && value > 0)) return std::nullopt;
    result.push_back(std::log(value));
  }
  return result;
}

std::optional<double> of_sessions(std::span<double const> logs) {
  std::optional<double> const sd = sample_sd(logs);
  if (!sd) return std::nullopt;
  auto const n = static_cast<double>(logs.size());
  return student_t_quantile(kUpper, n - 1) * *sd / std::sqrt(n);
}

std::optional<double> of_rounds(std::span<double const> logs) {
  int const batches = static_cast<int>(std::min<std::size_t>(logs.size() / 2, kBatches));
  if (batches < kFewestBatches) return std::nullopt;
  std::optional<double> const error = standard_error_of_median(logs, batches);
  if (!error) return std::nullopt;
  return student_t_quantile(kUpper, batches - 1) * *error;
}

}  // namespace

std::optional<double> run_half_width(std::span<double const> session_medians, std::span<double const> rounds) {
  std::optional<std::vector<double>> const sessions = logarithms(session_medians);
  if (!sessions || sessions->empty()) return std::nullopt;
  if (sessions->size() >= 2) return of_sessions(*sessions);
  std::optional<std::vector<double>> const logs = logarithms(rounds);
  if (!logs) return std::nullopt;
  return of_rounds(*logs);
}

}  // namespace perfcheck::stats
