// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics used by the gate and the sampler: pure functions over numbers.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// Middle value, mean of the two middle values for even n. Empty input or a NaN gives nullopt.
std::optional<double> median(std::span<double const> values);
/// Mean of the values, each cut at `reach` from their median: one that is far off moves it by reach / n at most (Huber
/// 1964, Ann. Math. Stat. 35:73). Empty input or a NaN gives nullopt.
std::optional<double> cut_mean(std::span<double const> values, double reach);
/// Value below which the share `p` of the values lies, interpolated linearly between neighbours in order (type 7 of
/// Hyndman & Fan 1996, Am. Stat. 50:361). Empty input, a NaN or a share outside of 0 ... 1 gives nullopt.
std::optional<double> quantile(std::span<double const> values, double p);
/// 1.4826 * median absolute deviation: estimates the standard deviation of a normal distribution (Hampel 1974).
std::optional<double> robust_sd(std::span<double const> values);
std::optional<double> mean(std::span<double const> values);
/// Two-pass sample standard deviation (n - 1); needs two values.
std::optional<double> sample_sd(std::span<double const> values);
/// Standard error of the median by batch means: consecutive batches, standard deviation of their medians over
/// sqrt(batches). Correlation between neighbours stays inside the batches. Needs at least 2 values per batch.
std::optional<double> standard_error_of_median(std::span<double const> values, int batches = 8);

/// P(T <= t) and quantile of Student's t with `df` degrees of freedom (Boost.Math).
double student_t_cdf(double t, double df);
double student_t_quantile(double p, double df);

/// Empirical-Bayes moderation of variances over cases (Smyth 2004, Stat. Appl. Genet. Mol. Biol. 3(1):3): prior
/// degrees of freedom and prior variance fitted by moments of log variances.
struct VariancePrior {
  double df = 0;
  double variance = 0;
};
/// Each entry: sample variance and its degrees of freedom (> 0). Needs three entries.
std::optional<VariancePrior> fit_variance_prior(std::span<double const> variances, std::span<double const> dfs);
/// (df0 * s0^2 + df * s^2) / (df0 + df)
double moderated_variance(VariancePrior const& prior, double variance, double df);

/// Holm's step-down procedure: for each p-value whether it is rejected at family-wise level alpha (Holm 1979).
std::vector<bool> holm(std::span<double const> p_values, double alpha);
/// The same with a weight (> 0) for each hypothesis: one of weight 1/4 needs evidence four times as strong, and leaves
/// the others more of alpha (Holm 1979, section 4). As many weights as p-values.
std::vector<bool> holm(std::span<double const> p_values, std::span<double const> weights, double alpha);
/// P(X >= events) for the number X of events in `trials`, each of probability `rate`; 1 for invalid arguments.
double binomial_upper_tail(int events, int trials, double rate);

}  // namespace perfcheck::stats
