// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What k events in n trials say about the rate of the event.
#pragma once

#include <optional>

namespace perfcheck::stats {

/// Limits of a rate, as shares of one.
struct Proportion {
  double low = 0;
  double high = 1;
};

/// Two-sided interval for the rate behind `events` of `trials`. Whatever the rate is, the interval contains it with a
/// probability of at least `confidence` (Clopper & Pearson 1934, Biometrika 26:404). No trials, events outside of
/// 0 ... trials, or a confidence outside of (0, 1) give nullopt.
std::optional<Proportion> proportion_interval(int events, int trials, double confidence);

/// One-sided upper limit for the same. Without events it is 1 - (1 - confidence)^(1 / trials): about 3 / trials at
/// 95 %, the "rule of three" (Hanley & Lippman-Hand 1983, JAMA 249:1743).
std::optional<double> proportion_upper_limit(int events, int trials, double confidence);

}  // namespace perfcheck::stats
