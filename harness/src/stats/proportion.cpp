// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Clopper and Pearson's limits are quantiles of beta distributions.
#include "perfcheck/stats/proportion.h"

#include <boost/math/distributions/beta.hpp>

#include <cmath>

namespace perfcheck::stats {
namespace {

bool is_sound(int events, int trials, double confidence) {
  return trials > 0 && events >= 0 && events <= trials && confidence > 0 && confidence < 1;
}

double lower(int events, int trials, double tail) {
  if (events == 0) return 0;
  return boost::math::quantile(boost::math::beta_distribution<>(events, trials - events + 1.0), tail);
}

double upper(int events, int trials, double tail) {
  if (events == trials) return 1;
  // The general formula, without the rounding of an iterated quantile.
  if (events == 0) return -std::expm1(std::log(tail) / trials);
  return boost::math::quantile(
      boost::math::complement(boost::math::beta_distribution<>(events + 1.0, trials - events), tail));
}

}  // namespace

std::optional<Proportion> proportion_interval(int events, int trials, double confidence) {
  if (!is_sound(events, trials, confidence)) return std::nullopt;
  double const tail = (1 - confidence) / 2;
  return Proportion{.low = lower(events, trials, tail), .high = upper(events, trials, tail)};
}

std::optional<double> proportion_upper_limit(int events, int trials, double confidence) {
  if (!is_sound(events, trials, confidence)) return std::nullopt;
  return upper(events, trials, 1 - confidence);
}

}  // namespace perfcheck::stats
