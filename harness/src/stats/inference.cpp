// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Student's t, moderated variances, Holm's procedure.
#include "perfcheck/stats/stats.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace perfcheck::stats {
namespace {

/// Solves trigamma(x) = y for y > 0 by Newton's method on 1/trigamma, which is convex and nearly linear, so that it
/// converges monotonically from 0.5 + 1/y (Smyth 2004, appendix).
double inverse_trigamma(double y) {
  if (y > 1e7) return 1 / std::sqrt(y);  // trigamma(x) ~ 1/x^2 near 0
  if (y < 1e-6) return 1 / y;            // trigamma(x) ~ 1/x for large x
  double x = 0.5 + 1 / y;
  for (int step = 0; step < 50; ++step) {
    double const value = boost::math::trigamma(x);
    double const change = value * (1 - value / y) / boost::math::polygamma(2, x);
    x += change;
    if (-change / x < 1e-10) break;
  }
  return x;
}

}  // namespace

double student_t_cdf(double t, double df) {
  if (std::isnan(t) || !(df > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(t)) return t > 0 ? 1 : 0;
  return boost::math::cdf(boost::math::students_t(df), t);
}

double student_t_quantile(double p, double df) {
  if (!(p > 0 && p < 1) || !(df > 0)) return std::numeric_limits<double>::quiet_NaN();
  return boost::math::quantile(boost::math::students_t(df), p);
}

std::optional<VariancePrior> fit_variance_prior(std::span<double const> variances, std::span<double const> dfs) {
  if (variances.size() != dfs.size() || variances.size() < 3) return std::nullopt;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    if (!(std::isfinite(variances[i]) && variances[i] >= 0 && std::isfinite(dfs[i]) && dfs[i] > 0)) return std::nullopt;
  }
  std::optional<double> const typical = median(variances);
  if (!typical || !(*typical > 0)) return std::nullopt;

  // A variance of exactly 0 has no logarithm; far below the typical one it says no more than "small".
  double const smallest = 1e-5 * *typical;
  std::vector<double> e;
  double trigamma_sum = 0;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    double const half = dfs[i] / 2;
    e.push_back(std::log(std::max(variances[i], smallest)) - boost::math::digamma(half) + std::log(half));
    trigamma_sum += boost::math::trigamma(half);
  }
  double const centre = *mean(e);
  double const spread = *sample_sd(e);
  double const excess = spread * spread - trigamma_sum / static_cast<double>(e.size());
  if (!(excess > 0)) return VariancePrior{.df = std::numeric_limits<double>::infinity(), .variance = std::exp(centre)};
  double const half = inverse_trigamma(excess);
  return VariancePrior{.df = 2 * half, .variance = std::exp(centre + boost::math::digamma(half) - std::log(half))};
}

double moderated_variance(VariancePrior const& prior, double variance, double df) {
  if (std::isinf(prior.df)) return prior.variance;
  return (prior.df * prior.variance + df * variance) / (prior.df + df);
}

std::vector<bool> holm(std::span<double const> p_values, double alpha) {
  return holm(p_values, std::vector<double>(p_values.size(), 1.0), alpha);
}

std::vector<bool> holm(std::span<double const> p_values, std::span<double const> weights, double alpha) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // A p-value that is not a number is no evidence: it counts in the family and is never rejected.
  auto const weighted = [&](std::size_t i) {
    return std::isnan(p_values[i]) ? std::numeric_limits<double>::infinity() : p_values[i] / weights[i];
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weighted(a) < weighted(b); });

  double left = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<bool> rejected(p_values.size(), false);
  for (std::size_t const i : order) {
    if (!(weighted(i) <= alpha / left)) break;
    rejected[i] = true;
    left -= weights[i];
  }
  return rejected;
}

double binomial_upper_tail(int events, int trials, double rate) {
  if (events <= 0 || trials <= 0 || events > trials || !(rate >= 0 && rate <= 1)) {
    return events > trials && trials > 0 ? 0 : 1;
  }
  return boost::math::cdf(boost::math::complement(boost::math::binomial(trials, rate), events - 1));
}

}  // namespace perfcheck::stats
