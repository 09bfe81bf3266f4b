// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Resampling with replacement, the same on every platform.
#include "perfcheck/peers/bootstrap.h"

#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace perfcheck::peers {
namespace {

/// Random indices that are the same with every standard library: the standard fixes the generator's bits, but not the
/// results of its distributions.
class Indices {
 public:
  explicit Indices(std::uint32_t seed) : random_(seed) {}

  /// Below n. The product maps 32 bits with a bias below n / 2^32; each number of the generator is used for two
  /// indices.
  std::size_t below(std::uint64_t n) {
    std::uint64_t const bits = half_used_ ? bits_ >> 32 : (bits_ = random_()) & 0xffffffff;
    half_used_ = !half_used_;
    return (bits * n) >> 32;
  }

 private:
  std::mt19937_64 random_;
  std::uint64_t bits_ = 0;
  bool half_used_ = false;
};

struct Moments {
  double mean = 0;
  double variance_of_mean = 0;
};

/// For values whose mean is small compared with their scatter, so that one pass is accurate.
template <typename Next>
Moments moments(std::size_t n, Next next) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double const value = next(i);
    sum += value;
    squares += value * value;
  }
  auto const count = static_cast<double>(n);
  double const mean = sum / count;
  double const variance = std::max(0.0, (squares - sum * mean) / (count - 1));
  return {.mean = mean, .variance_of_mean = variance / count};
}

double welch_t(Moments const& now, Moments const& before) {
  return (now.mean - before.mean) / std::sqrt(now.variance_of_mean + before.variance_of_mean);
}

bool is_sound(std::span<double const> values) {
  return values.size() >= 2 && std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool is_sound(Bootstrap const& bootstrap) {
  return bootstrap.resamples >= 2 && bootstrap.confidence > 0 && bootstrap.confidence < 1;
}

}  // namespace

std::optional<MeanChange> bootstrap_mean_change(std::span<double const> before, std::span<double const> now,
                                                Bootstrap const& bootstrap) {
  if (!is_sound(before) || !is_sound(now) || !is_sound(bootstrap) || !(*stats::mean(before) > 0)) return std::nullopt;
  Indices indices(bootstrap.seed);
  std::vector<double> changes;
  changes.reserve(static_cast<std::size_t>(bootstrap.resamples));
  for (int resample = 0; resample < bootstrap.resamples; ++resample) {
    double old_sum = 0, new_sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i) old_sum += before[indices.below(before.size())];
    for (std::size_t i = 0; i < now.size(); ++i) new_sum += now[indices.below(now.size())];
    double const ratio = (new_sum / static_cast<double>(now.size())) / (old_sum / static_cast<double>(before.size()));
    changes.push_back(ratio - 1);
  }
  auto const low = stats::quantile(changes, (1 - bootstrap.confidence) / 2);
  auto const high = stats::quantile(changes, (1 + bootstrap.confidence) / 2);
  if (!low || !high) return std::nullopt;
  return MeanChange{.low = *low, .high = *high};
}

std::optional<double> bootstrap_t_p(std::span<double const> before, std::span<double const> now,
                                    Bootstrap const& bootstrap) {
  if (!is_sound(before) || !is_sound(now) || !is_sound(bootstrap)) return std::nullopt;
  // t does not depend on the origin, and sums of squares around the common mean are accurate.
  std::vector<double> pool(now.begin(), now.end());
  pool.insert(pool.end(), before.begin(), before.end());
  double const origin = *stats::mean(pool);
  for (double& value : pool) value -= origin;
  double const observed = welch_t(moments(now.size(), [&](std::size_t i) { return pool[i]; }),
                                  moments(before.size(), [&](std::size_t i) { return pool[now.size() + i]; }));
  if (std::isnan(observed)) return std::nullopt;

  Indices indices(bootstrap.seed);
  auto const draw = [&](std::size_t) { return pool[indices.below(pool.size())]; };
  int usable = 0, below = 0;
  for (int resample = 0; resample < bootstrap.resamples; ++resample) {
    Moments const a = moments(now.size(), draw);
    Moments const b = moments(before.size(), draw);
    double const t = welch_t(a, b);
    if (!std::isfinite(t)) continue;  // only one distinct value was drawn for each sample
    usable += 1;
    below += t < observed ? 1 : 0;
  }
  if (usable == 0) return std::nullopt;
  return 2.0 * std::min(below, usable - below) / usable;
}

}  // namespace perfcheck::peers
