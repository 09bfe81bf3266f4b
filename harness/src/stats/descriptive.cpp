// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Centre, spread and the precision of a median.
#include "perfcheck/stats/stats.h"

#include "perfcheck/model/median.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfcheck::stats {
namespace {

bool any_nan(std::span<double const> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

}  // namespace

std::optional<double> median(std::span<double const> values) { return model::median(values); }

std::optional<double> cut_mean(std::span<double const> values, double reach) {
  std::optional<double> const centre = median(values);
  if (!centre) return std::nullopt;
  double sum = 0;
  for (double const value : values) sum += std::clamp(value, *centre - reach, *centre + reach);
  return sum / static_cast<double>(values.size());
}

std::optional<double> quantile(std::span<double const> values, double p) {
  if (values.empty() || any_nan(values) || !(p >= 0 && p <= 1)) return std::nullopt;
  double const rank = p * static_cast<double>(values.size() - 1);
  auto const below = static_cast<std::ptrdiff_t>(rank);
  double const share = rank - static_cast<double>(below);
  std::vector<double> ordered(values.begin(), values.end());
  auto const low = ordered.begin() + below;
  std::nth_element(ordered.begin(), low, ordered.end());
  // Between equal values (both perhaps infinite) nothing is interpolated.
  if (share == 0) return *low;
  double const high = *std::min_element(low + 1, ordered.end());
  return high == *low ? *low : *low + share * (high - *low);
}

std::optional<double> robust_sd(std::span<double const> values) {
  std::optional<double> const centre = median(values);
  if (!centre) return std::nullopt;
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (double const value : values) deviations.push_back(std::abs(value - *centre));
  std::optional<double> const deviation = median(deviations);  // NaN when a value and the centre are both infinite
  if (!deviation) return std::nullopt;
  return 1.4826 * *deviation;
}

std::optional<double> mean(std::span<double const> values) {
  if (values.empty() || any_nan(values)) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> sample_sd(std::span<double const> values) {
  std::optional<double> const centre = mean(values);
  if (!centre || values.size() < 2) return std::nullopt;
  double squares = 0;
  for (double const value : values) squares += (value - *centre) * (value - *centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> standard_error_of_median(std::span<double const> values, int batches) {
  if (batches < 2 || values.size() < 2 * static_cast<std::size_t>(batches)) return std::nullopt;
  auto const count = static_cast<std::size_t>(batches);
  std::vector<double> medians;
  for (std::size_t batch = 0; batch < count; ++batch) {
    std::size_t const begin = batch * values.size() / count;
    std::size_t const end = (batch + 1) * values.size() / count;
    std::optional<double> const centre = median(values.subspan(begin, end - begin));
    if (!centre) return std::nullopt;
    medians.push_back(*centre);
  }
  std::optional<double> const sd = sample_sd(medians);
  if (!sd) return std::nullopt;
  return *sd / std::sqrt(static_cast<double>(batches));
}

}  // namespace perfcheck::stats
