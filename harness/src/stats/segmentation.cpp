// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Optimal partitioning with functional pruning and a minimum segment length.
#include "perfcheck/stats/segmentation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace perfcheck::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Cost of a candidate as a function of the level mu of the last segment: count * mu^2 - 2 * sum * mu + offset, without
/// the sum of squares of all values so far, which every candidate shares. The candidate is the best of all for mu in
/// (previous piece's right, right].
struct Piece {
  double right = 0;
  double count = 0;
  double sum = 0;
  double offset = 0;
  std::size_t start = 0;  // where the last segment begins
};

double at(Piece const& piece, double mu) { return (piece.count * mu - 2 * piece.sum) * mu + piece.offset; }

/// The smallest value of `piece` with `count` more values of sum `sum` on [left, piece.right].
double smallest(Piece const& piece, double left, double count, double sum) {
  double const a = piece.count + count;
  double const b = piece.sum + sum;
  double const mu = std::clamp(b / a, left, piece.right);
  return (a * mu - 2 * b) * mu + piece.offset;
}

/// Appends pieces from left to right; neighbours from the same candidate become one.
void append(std::vector<Piece>& pieces, Piece const& piece, double right) {
  if (!pieces.empty() && pieces.back().start == piece.start) {
    pieces.back().right = right;
  } else {
    pieces.push_back(piece);
    pieces.back().right = right;
  }
}

/// Pointwise minimum of `pieces` on [lowest, ...] and a constant: the cost if a segment begins at `start`.
void take_minimum_with(std::vector<Piece>& pieces, std::vector<Piece>& scratch, double lowest, double constant,
                       std::size_t start) {
  scratch.clear();
  Piece const fresh{.offset = constant, .start = start};
  double left = lowest;
  for (Piece const& piece : pieces) {
    double const discriminant = piece.sum * piece.sum - piece.count * (piece.offset - constant);
    if (at(piece, left) <= constant && at(piece, piece.right) <= constant) {
      append(scratch, piece, piece.right);  // convex, so it is below in between; saves most of the square roots
    } else if (discriminant > 0) {
      double const half_width = std::sqrt(discriminant);
      double const from = std::clamp((piece.sum - half_width) / piece.count, left, piece.right);
      double const to = std::clamp((piece.sum + half_width) / piece.count, left, piece.right);
      if (from > left) append(scratch, fresh, from);
      if (to > from) append(scratch, piece, to);
      if (piece.right > to) append(scratch, fresh, piece.right);
    } else {
      append(scratch, fresh, piece.right);
    }
    left = piece.right;
  }
  std::swap(pieces, scratch);
}

/// For each prefix length, the start of the last segment of its best segmentation.
///
/// With a minimum length m, the last segment of the first t values holds the last m of them for certain. So the pieces
/// describe the first t - m values, where functional pruning need not consider m, and the m values are added when the
/// minimum is taken.
std::vector<std::size_t> last_starts(std::span<double const> values, double penalty, std::size_t m) {
  auto const [lowest, highest] = std::minmax_element(values.begin(), values.end());
  auto const shortest = static_cast<double>(m);
  std::vector<double> cost(values.size() + 1, kInfinity);  // less the sum of squares, as in Piece
  std::vector<std::size_t> starts(values.size() + 1, 0);
  std::vector<Piece> pieces{Piece{.right = *highest}}, scratch;
  double recent = std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(m), 0.0);
  for (std::size_t t = m; t <= values.size(); ++t) {
    std::size_t const known = t - m;
    if (known > 0) {
      recent += values[t - 1] - values[known - 1];
      for (Piece& piece : pieces) {
        piece.count += 1;
        piece.sum += values[known - 1];
      }
      if (known >= m) take_minimum_with(pieces, scratch, *lowest, cost[known] + penalty, known);
    }
    double left = *lowest;
    for (Piece const& piece : pieces) {
      double const value = smallest(piece, left, shortest, recent);
      if (value < cost[t]) {
        cost[t] = value;
        starts[t] = piece.start;
      }
      left = piece.right;
    }
  }
  return starts;
}

}  // namespace

std::optional<Changes> segment(std::span<double const> values, double penalty, std::size_t min_segment) {
  bool const finite = std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (!finite || !(std::isfinite(penalty) && penalty > 0) || min_segment == 0 || values.size() < min_segment)
    return std::nullopt;
  // Differences of large numbers lose digits; the costs do not depend on where zero is.
  double const centre = PrefixSums(values).mean(0, values.size());
  std::vector<double> centred;
  centred.reserve(values.size());
  for (double const value : values) centred.push_back(value - centre);

  std::vector<std::size_t> const starts = last_starts(centred, penalty, min_segment);
  Changes changes;
  for (std::size_t end = starts[values.size()]; end > 0; end = starts[end]) changes.push_back(end);
  std::reverse(changes.begin(), changes.end());
  return changes;
}

PrefixSums::PrefixSums(std::span<double const> values) : shift_(values.empty() ? 0 : values.front()) {
  sums_.reserve(values.size() + 1);
  sums_.push_back(0);
  for (double const value : values) sums_.push_back(sums_.back() + (value - shift_));
}

double PrefixSums::mean(std::size_t begin, std::size_t end) const {
  return shift_ + (sums_[end] - sums_[begin]) / static_cast<double>(end - begin);
}

double split_gain(PrefixSums const& sums, std::size_t begin, std::size_t split, std::size_t end) {
  auto const left = static_cast<double>(split - begin);
  auto const right = static_cast<double>(end - split);
  double const step = sums.mean(split, end) - sums.mean(begin, split);
  return step * step * left * right / (left + right);
}

std::optional<std::size_t> best_split(PrefixSums const& sums, std::size_t begin, std::size_t end,
                                      std::size_t min_segment) {
  if (end - begin < 2 * min_segment) return std::nullopt;
  std::size_t best = begin + min_segment;
  double best_gain = -1;
  for (std::size_t split = best; split + min_segment <= end; ++split) {
    double const gain = split_gain(sums, begin, split, end);
    if (gain > best_gain) {
      best_gain = gain;
      best = split;
    }
  }
  return best;
}

}  // namespace perfcheck::stats
