// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A series as levels: the exact least-squares segmentation, and the statistic of one split.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perfcheck::stats {

/// Indices at which a new level begins, ascending, each in [1, n). Empty: one level.
using Changes = std::vector<std::size_t>;

/// The changes that minimise
///
///     sum over segments of sum of (y - mean of its segment)^2  +  penalty * (number of changes)
///
/// over all segmentations whose segments have at least `min_segment` values. The minimum is exact: optimal partitioning
/// (Jackson et al. 2005, IEEE Signal Proc. Lett. 12:105) with functional pruning (Maidstone, Hocking, Rigaill and
/// Fearnhead 2017, Stat. Comput. 27:519), which drops a candidate only when it is worse for every level the series may
/// have next. Flat series prune as well as others, where PELT (Killick et al. 2012) needs quadratic time.
/// The penalty in terms of a test: no change of the result has a statistic below sqrt(penalty), see split_gain.
/// nullopt: a value or the penalty is not finite, the penalty is not positive, `min_segment` is 0 or longer than the
/// series.
std::optional<Changes> segment(std::span<double const> values, double penalty, std::size_t min_segment);

/// Prefix sums of the values, which are shifted by the first one so that large levels keep their digits.
class PrefixSums {
 public:
  explicit PrefixSums(std::span<double const> values);
  /// Mean of values [begin, end), begin < end <= n.
  double mean(std::size_t begin, std::size_t end) const;

 private:
  double shift_ = 0;
  std::vector<double> sums_;
};

/// By how much the sum of squares of values [begin, end) falls when they are split before `split`:
/// (difference of means)^2 / (1/left + 1/right). Divided by the variance it is the square of the two-sample statistic.
double split_gain(PrefixSums const& sums, std::size_t begin, std::size_t split, std::size_t end);

/// The split of [begin, end) with the largest gain, both sides at least `min_segment` long; nullopt if there is none.
std::optional<std::size_t> best_split(PrefixSums const& sums, std::size_t begin, std::size_t end,
                                      std::size_t min_segment);

}  // namespace perfcheck::stats
