// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The two bootstraps that criterion.rs compares two samples with. Its own default is 100,000 resamples; a replay of
// thousands of comparisons takes fewer, from a fixed seed, so that the same numbers always give the same answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace perfcheck::peers {

struct Bootstrap {
  int resamples = 2000;
  double confidence = 0.95;
  std::uint32_t seed = 1;
};

/// Limits of mean(now) / mean(before) - 1.
struct MeanChange {
  double low = 0;
  double high = 0;
};

/// Percentile interval (Efron & Tibshirani 1993, chapter 13) of the relative change of the mean: both samples are drawn
/// anew, each from itself. Needs two finite values in each sample, a mean of `before` above zero, at least two
/// resamples and a confidence within (0, 1).
std::optional<MeanChange> bootstrap_mean_change(std::span<double const> before, std::span<double const> now,
                                                Bootstrap const& bootstrap = {});

/// Two-sided p-value of Welch's t for "one distribution made both": both samples are drawn anew from all values
/// together (Efron & Tibshirani 1993, algorithm 16.1), and the observed t is ranked among theirs. Needs what the
/// interval needs, and samples that are not all one value.
std::optional<double> bootstrap_t_p(std::span<double const> before, std::span<double const> now,
                                    Bootstrap const& bootstrap = {});

}  // namespace perfcheck::peers
