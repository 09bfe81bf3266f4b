// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Spikes, scatter and autocorrelation of a series.
#include "perfcheck/stats/series_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfcheck::stats {
namespace {

// Degrees of freedom, per value, of a variance from the smaller 70 % of the differences of neighbours: 0.38 to 0.45 in
// simulations of 6 to 200 independent normal values.
constexpr double kDfOfTrimmed = 0.4;

// In sd from the median around a value. A normal value is beyond the first once in 700, and beyond the second never.
// The sd of a short series may be estimated at half of what it is, and even then the scatter must not be removed.
constexpr double kLarge = 3;
constexpr double kSpike = 6;

// The first estimate of the correlation is rough (sd 0.4 after 50 runs), so it is limited to this. Beyond, the long-run
// variance grows without bound, and plain steps of 8 sd were missed in 5 % of series.
constexpr double kFirstLook = 0.6;

double middle(std::vector<double>& values) {
  auto const at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::vector<double> differences(std::span<double const> values, std::size_t lag) {
  std::vector<double> result;
  for (std::size_t i = lag; i < values.size(); ++i) result.push_back(std::abs(values[i] - values[i - lag]));
  return result;
}

/// Differences of neighbours. As many of them as parameters were fitted are 0 for that reason alone, and left out.
std::vector<double> differences_of_neighbours(std::span<double const> values, std::size_t effects) {
  std::vector<double> result = differences(values, 1);
  auto const fitted = static_cast<std::ptrdiff_t>(std::min(effects, result.size() - 1));
  std::nth_element(result.begin(), result.begin() + fitted, result.end());
  result.erase(result.begin(), result.begin() + fitted);
  return result;
}

/// Mean square of the smaller 70 % of the differences, in units of what it is for a normal distribution of variance 1.
/// The larger ones may be level changes.
double trimmed_square(std::vector<double> differences) {
  constexpr double kShare = 0.7;
  constexpr double kOfNormal = 0.30956;  // E(z^2 | |z| < 1.03643), where 1.03643 is the 0.7 quantile of |z|
  auto const kept = static_cast<std::ptrdiff_t>(std::ceil(kShare * static_cast<double>(differences.size())));
  std::nth_element(differences.begin(), differences.begin() + (kept - 1), differences.end());
  double sum = 0;
  for (auto difference = differences.begin(); difference != differences.begin() + kept; ++difference)
    sum += *difference * *difference;
  return sum / static_cast<double>(kept) / kOfNormal;
}

/// Expected sums over the residuals of one segment, in units of the variance, when neighbours have correlation rho: v
/// is the variance of the segment's mean and c its covariance with the last (or first) run, both from covariances
/// rho^|i - j|.
struct Expected {
  double squares = 0;
  double products = 0;
};

Expected expected(double length, double rho) {
  double const decay = (1 - std::pow(rho, length)) / (1 - rho);
  double const v = ((1 + rho) / (1 - rho) - 2 * rho * decay / (length * (1 - rho))) / length;
  double const c = decay / length;
  return {.squares = length * (1 - v), .products = (length - 1) * rho - (length + 1) * v + 2 * c};
}

Expected expected(std::span<double const> lengths, double rho) {
  Expected sum;
  for (double const length : lengths) {
    Expected const one = expected(length, rho);
    sum.squares += one.squares;
    sum.products += one.products;
  }
  return sum;
}

/// The correlation at which the expected ratio of products to squares equals the measured one. The ratio rises with it.
double solve_correlation(std::span<double const> lengths, double ratio) {
  double low = 0, high = kMaxCorrelation;
  for (int step = 0; step < 14; ++step) {  // to 1e-4, far below its own error
    double const rho = (low + high) / 2;
    Expected const at = expected(lengths, rho);
    (at.products < ratio * at.squares ? low : high) = rho;
  }
  double const edge = 1e-4;
  return low < edge ? 0 : high > kMaxCorrelation - edge ? kMaxCorrelation : (low + high) / 2;
}

}  // namespace

double sd_from_differences(std::vector<double> differences) {
  if (differences.empty()) return 0;
  double const median = middle(differences);
  if (median > 0) return 1.4826 * median / std::sqrt(2.0);
  double sum = 0;
  for (double const difference : differences) sum += difference;
  return 1.2533 * sum / static_cast<double>(differences.size()) / std::sqrt(2.0);  // sqrt(pi / 2)
}

double SeriesNoise::long_run_sd() const { return sd * std::sqrt((1 + correlation) / (1 - correlation)); }

std::vector<double> without_spikes(std::span<double const> values, double min_sd, std::size_t min_segment,
                                   std::size_t effects) {
  double const sd = std::max(sd_from_differences(differences_of_neighbours(values, effects)), min_sd);
  std::size_t const width = 2 * min_segment - 1;
  std::vector<double> result, window;
  result.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t const before = std::min(i, min_segment - 1);
    std::size_t const begin = std::min(i - before, values.size() - width);
    window.assign(values.begin() + static_cast<std::ptrdiff_t>(begin),
                  values.begin() + static_cast<std::ptrdiff_t>(begin + width));
    double const centre = middle(window);
    bool const spike = std::abs(values[i] - centre) > kSpike * sd;
    result.push_back(spike ? centre : std::clamp(values[i], centre - kLarge * sd, centre + kLarge * sd));
  }
  return result;
}

SeriesNoise noise_from_differences(std::span<double const> values, double min_sd, std::optional<double> correlation,
                                   std::size_t effects) {
  double const near_square = trimmed_square(differences_of_neighbours(values, effects));
  double const estimate = near_square > 0 ? trimmed_square(differences(values, 2)) / near_square - 1 : 0;
  double const rho =
      correlation ? std::clamp(*correlation, 0.0, kMaxCorrelation) : std::clamp(estimate, 0.0, kFirstLook);
  return {.sd = std::max(std::sqrt(near_square / 2 / (1 - rho)), min_sd),
          .correlation = rho,
          .df = kDfOfTrimmed * static_cast<double>(values.size())};
}

SeriesNoise noise_around(std::span<double const> values, Changes const& changes, double min_sd,
                         std::optional<double> correlation, std::size_t effects) {
  PrefixSums const sums(values);
  double squares = 0, products = 0;
  std::vector<double> lengths;
  std::size_t begin = 0;
  for (std::size_t segment = 0; segment <= changes.size(); ++segment) {
    std::size_t const end = segment < changes.size() ? changes[segment] : values.size();
    double const mean = sums.mean(begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      double const residual = values[i] - mean;
      squares += residual * residual;
      if (i > begin) products += residual * (values[i - 1] - mean);
    }
    lengths.push_back(static_cast<double>(end - begin));
    begin = end;
  }
  double rho = 0;
  if (correlation) {
    rho = std::clamp(*correlation, 0.0, kMaxCorrelation);
  } else if (squares > 0) {
    rho = solve_correlation(lengths, products / squares * (1 + 2 / static_cast<double>(values.size())));
  }
  double const left = std::max(expected(lengths, rho).squares - static_cast<double>(effects), 1.0);
  double const df = correlation ? left * (1 - rho * rho) / (1 + rho * rho) : left * (1 - rho) / (3 + rho);
  return {.sd = std::max(std::sqrt(squares / left), min_sd), .correlation = rho, .df = std::max(df, 1.0)};
}

std::optional<SeriesNoise> noise_of(std::span<double const> values, std::size_t min_segment, double min_sd,
                                    std::optional<double> correlation, std::size_t effects) {
  bool const finite = std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (!finite || values.size() < 3 || values.size() < 2 * min_segment) return std::nullopt;
  double const first_look = noise_from_differences(values, min_sd, correlation, effects).long_run_sd();
  double const penalty = std::max(2 * std::log(static_cast<double>(values.size())), 2.5 * 2.5);
  // A series that repeats exactly has no noise; any change of level is then a candidate.
  double const smallest = std::numeric_limits<double>::min();
  std::optional<Changes> const candidates =
      segment(values, std::max(penalty * first_look * first_look, smallest), min_segment);
  if (!candidates) return std::nullopt;
  return noise_around(values, *candidates, min_sd, correlation, effects);
}

}  // namespace perfcheck::stats
