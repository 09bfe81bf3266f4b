// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How much the runs of a series scatter around its levels, and how much neighbours agree.
#pragma once

#include "perfcheck/stats/segmentation.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// Noise of a series, modelled as autoregressive of first order around its levels.
struct SeriesNoise {
  double sd = 0;           // of one run
  double correlation = 0;  // of neighbouring runs, in [0, kMaxCorrelation]
  double df = 0;           // degrees of freedom of long_run_sd squared

  /// sd * sqrt((1 + correlation) / (1 - correlation)): over sqrt(n), the standard error of the mean of n runs, as n
  /// grows (Box, Jenkins and Reinsel 2008, section 2.1.5).
  double long_run_sd() const;
};

/// Beyond this, noise cannot be told from level changes.
inline constexpr double kMaxCorrelation = 0.9;

/// Standard deviation of one value from absolute differences of pairs: from their median, or from their mean where more
/// than half are 0 (a coarse clock). 0 for none.
double sd_from_differences(std::vector<double> differences);

/// Values without spikes. A value farther than 6 sd from the median of the 2 * min_segment - 1 values around it (at the
/// ends: of the outermost ones) becomes that median, and one farther than 3 sd is cut to 3; sd comes from the
/// differences of neighbours. A level that lasts min_segment runs is the majority of its own neighbourhoods and stays
/// untouched; anything shorter is a spike, wherever it is. (Hampel's identifier on a moving window: Davies and Gather
/// 1993, J. Am. Stat. Assoc. 88:782.)
/// `effects`: how many parameters were fitted to the values before (fitted_effects).
/// Needs finite values, at least 2 * min_segment - 1 of them, and min_segment >= 1.
std::vector<double> without_spikes(std::span<double const> values, double min_sd, std::size_t min_segment,
                                   std::size_t effects = 0);

/// First estimate, before any segmentation: from differences of neighbours and of next neighbours, whose variances are
/// 2 * sd^2 * (1 - rho) and 2 * sd^2 * (1 - rho^2). A level change affects one of the former and two of the latter; the
/// larger 30 % of the differences are left out, which costs degrees of freedom. Needs three finite values.
/// `correlation`: as in noise_of; `effects`: as in without_spikes.
SeriesNoise noise_from_differences(std::span<double const> values, double min_sd, std::optional<double> correlation,
                                   std::size_t effects = 0);

/// Noise from residuals around the means of the segments.
///
/// A mean absorbs some of the scatter of its segment, the more so the more neighbours agree. So both the sum of squares
/// and the sum of products of neighbours come out too small in short segments (Kendall 1954, Biometrika 41:403;
/// Marriott and Pope 1954, Biometrika 41:390). Their expected values follow from the covariances sd^2 * rho^|i - j|;
/// rho is the value at which the ratio of the expected sums is the measured ratio, after (1 + 2 / n) for the bias of a
/// ratio (White 1961, Biometrika 48:85), and the variance is the sum of squares over its expected value.
///
/// Degrees of freedom are 2 over the squared relative error of the long-run variance (Satterthwaite 1946). That is the
/// variance of the innovations over (1 - rho)^2, and its two estimates are independent with errors 2 / n and (1 -
/// rho^2) / n (Box, Jenkins and Reinsel 2008, section 7.2.6): df = n (1 - rho) / (3 + rho), a third of the runs even
/// when rho is 0. With a given correlation only the variance has an error (Bartlett 1946): df = n (1 - rho^2) / (1 +
/// rho^2). n is the number of runs less that of the means and `effects`: how many more parameters were fitted to the
/// values before (group_effects: one less than there are groups).
SeriesNoise noise_around(std::span<double const> values, Changes const& changes, double min_sd,
                         std::optional<double> correlation, std::size_t effects = 0);

/// Noise around candidate changes: the segmentation with the penalty 2 log n (Yao 1988, Stat. Probab. Lett. 6:181; at
/// least 2.5^2) in units of the first estimate's variance. There are more candidates than significant changes, so that
/// no change that matters ends up in the noise. `values`: after without_spikes. `correlation`: that of neighbours where
/// it is known, as from the pool of many series of one machine; nullopt estimates it, which costs a short series most
/// of its degrees of freedom. `effects`: as in without_spikes. nullopt: fewer than three values or than two segments,
/// or a value that is not finite.
std::optional<SeriesNoise> noise_of(std::span<double const> values, std::size_t min_segment, double min_sd,
                                    std::optional<double> correlation, std::size_t effects = 0);

}  // namespace perfcheck::stats
