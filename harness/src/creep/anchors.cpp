// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "anchors.h"

#include "perfcheck/stats/change_points.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace perfcheck::creep {
namespace {

using stats::Anchor;

// Limits for the runs of an anchor. More runs make it more precise, but at most a third of the runs since its beginning
// are taken, so that drift which begins soon after does not become part of it.
constexpr std::size_t kMostRuns = 30;
constexpr std::size_t kShareOfRuns = 3;
constexpr double kSure = 2.5;              // standard errors; strict, because the test is repeated after every run
constexpr std::size_t kRunsOfALevel = 10;  // of an accepted level: later runs may have crept away from it
constexpr std::size_t kSharedRuns = 3;
constexpr std::size_t kShortestLevel = 3;  // in runs; what is shorter is a spike
constexpr std::size_t kRunsOfAStep = 5;    // on either side

class Choice {
 public:
  Choice(CaseHistory const& one, Columns const& columns, Options const& options, double correlation)
      : one_(one), options_(options), correlation_(correlation), values_(columns.values), groups_(columns.groups) {
    stats::ChangePointOptions const noise_options{
        .min_sd = options.min_sd, .correlation = correlation, .groups = columns.groups};
    if (auto const noise = stats::noise_of_series(columns.values, noise_options)) {
      run_sd_ = noise->long_run_sd();
    }
    alike_ = stats::without_group_effects(values_, groups_, stats::kCardSd, options.min_sd);
    clean_ = clean();
    changes_ = stats::find_change_points(columns.values, {.min_magnitude = one.margin,
                                                          .min_sd = options.min_sd,
                                                          .correlation = correlation,
                                                          .groups = columns.groups})
                   .changes;
  }

  ChosenAnchor choose() const {
    ChosenAnchor chosen = base();
    for (auto const& [start, kind] : moves()) {
      if (start <= chosen.runs.begin) continue;
      if (start == values_.size()) {
        chosen.runs.from = start;  // accepted, and not measured since
        continue;
      }
      // Runs of the anchor after the move are not of its level.
      Anchor const before{.begin = chosen.runs.begin, .end = std::min(chosen.runs.end, start)};
      Anchor const after = from(start);
      if (moved(before, after, kind)) {
        chosen = {.kind = kind, .runs = after};
      } else if (kind == AnchorKind::accepted) {
        // The level is that of the anchor again, whatever it was in between.
        chosen.runs.from = start;
      }
    }
    return chosen;
  }

 private:
  ChosenAnchor base() const {
    std::size_t const upto = options_.release ? first_after(*options_.release) : 0;
    if (upto == 0) return {.kind = AnchorKind::first_runs, .runs = from(first_level())};
    std::size_t const start = level_start(upto);
    if (upto - start < stats::kFewestAnchorRuns) {
      return {.kind = AnchorKind::release, .runs = {.begin = start, .end = std::max(from(start).end, upto)}};
    }
    return {.kind = AnchorKind::release,
            .runs = {.begin = std::max(start, upto - std::min(upto, kMostRuns)), .end = upto}};
  }

  /// Number of points up to and including a run.
  std::size_t first_after(int run) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(one_.points, run, {}, &Point::run) - one_.points.begin());
  }

  /// Where the level of the last of the first `count` runs begins.
  std::size_t level_start(std::size_t count) const {
    auto const found = stats::find_change_points(
        values_.first(count),
        {.min_magnitude = 0, .min_sd = options_.min_sd, .correlation = correlation_, .groups = groups_.first(count)});
    return found.changes.empty() ? 0 : found.changes.back().index;
  }

  /// Where the first level begins that is long enough for an anchor.
  std::size_t first_level() const {
    std::size_t start = 0;
    for (stats::ChangePoint const& change : changes_) {
      if (change.index - start >= stats::kFewestAnchorRuns) break;
      start = change.index;
    }
    return start;
  }

  Anchor from(std::size_t start) const {
    std::size_t since = values_.size() - start;
    std::size_t const most = std::clamp(since / kShareOfRuns, stats::kFewestAnchorRuns, kMostRuns);
    for (stats::ChangePoint const& change : changes_) {
      if (change.index >= start + stats::kFewestAnchorRuns) since = std::min(since, change.index - start);
    }
    return {.begin = start, .end = start + std::min(most, since)};
  }

  /// Where the anchor may have moved to, in order.
  std::set<std::pair<std::size_t, AnchorKind>> moves() const {
    std::set<std::pair<std::size_t, AnchorKind>> moves;
    if (one_.accepted) {
      moves.emplace(first_after(*one_.accepted - 1), AnchorKind::accepted);
    }
    for (stats::ChangePoint const& change : changes_) {
      if (change.size < 0 && !change.went_away && confirmed(change)) {
        moves.emplace(change.index, AnchorKind::improved);
      }
    }
    return moves;
  }

  /// Whether the level changes by more than the margin at the run `start`. Only the runs right around it are compared:
  /// a change point that stands for several small changes may lie anywhere among them.
  bool changes_at(std::size_t start) const {
    std::size_t const before = std::min(start, kRunsOfAStep);
    std::size_t const after = std::min(alike_.size() - start, kRunsOfAStep);
    if (std::min(before, after) < kShortestLevel) return false;
    auto const runs = std::span(alike_).subspan(start - before, before + after);
    double const step = *stats::median(runs.last(after)) - *stats::median(runs.first(before));
    return std::abs(step) > std::log1p(one_.margin);
  }

  /// Whether the gate called a run improved where the level may have fallen.
  bool confirmed(stats::ChangePoint const& change) const {
    return std::ranges::any_of(change.positions, [&](std::size_t position) { return one_.points[position].improved; });
  }

  std::vector<double> clean() const {
    std::vector<double> clean(values_.begin(), values_.end());
    if (values_.size() < 2 * kShortestLevel - 1) return clean;
    std::vector<double> const smooth = stats::without_spikes(alike_, options_.min_sd, kShortestLevel);
    for (std::size_t i = 0; i < clean.size(); ++i) clean[i] += smooth[i] - alike_[i];
    return clean;
  }

  /// Whether the anchor moves. An accepted level counts if it came with a change, or if it is not clearly within the
  /// margin of the anchor's: baselines are also recorded anew for other reasons. An improvement counts if it is one
  /// compared with the anchor, not only with a level that had crept above the anchor.
  bool moved(Anchor const& before, Anchor const& after, AnchorKind kind) const {
    if (before.end == before.begin || (kind == AnchorKind::accepted && changes_at(after.begin))) return true;
    double const margin = std::log1p(one_.margin);
    if (kind == AnchorKind::improved) return difference(before, after).size < -margin;
    Anchor const first{.begin = after.begin, .end = std::min(after.end, after.begin + kRunsOfALevel)};
    stats::LevelDifference const step = difference(before, first);
    return !(std::abs(step.size) + kSure * step.se <= margin);
  }

  stats::LevelDifference difference(Anchor const& before, Anchor const& after) const {
    std::vector<double> values;
    std::vector<int> groups;
    for (Anchor const& anchor : {before, after}) {
      for (std::size_t i = anchor.begin; i < anchor.end; ++i) {
        values.push_back(clean_[i]);
        groups.push_back(groups_[i]);
      }
    }
    return stats::level_difference(values, groups, before.end - before.begin, run_sd_, stats::kCardSd, kSharedRuns);
  }

  CaseHistory const& one_;
  Options const& options_;
  double correlation_;
  std::span<double const> values_;
  std::span<int const> groups_;
  std::vector<stats::ChangePoint> changes_;                  ///< larger than the margin
  std::vector<double> alike_;                                ///< without the differences between cards
  std::vector<double> clean_;                                ///< without spikes, with the differences between cards
  double run_sd_ = std::numeric_limits<double>::infinity();  ///< stays infinite with too few runs
};

}  // namespace

ChosenAnchor choose_anchor(CaseHistory const& one, Columns const& columns, Options const& options, double correlation) {
  return Choice(one, columns, options, correlation).choose();
}

}  // namespace perfcheck::creep
