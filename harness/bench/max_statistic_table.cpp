// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the table of harness/src/stats/max_statistic.cpp: for flat series of independent normal runs, how much
// likelier a tail of Student's t becomes because the best number and the best positions of changes are picked. The seed
// is fixed, so the same table comes out again. Minutes on one core.
//
//   usage: perfcheck_max_statistic_table [scale]     scale 1: what is in the source; 0.01: a quick look
#include "perfcheck/stats/segmentation.h"
#include "perfcheck/stats/series_noise.h"
#include "perfcheck/stats/stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

namespace {

using namespace perfcheck::stats;

constexpr std::size_t kMinSegment = 3;

double gain_of(PrefixSums const& sums, std::size_t n, Changes const& changes) {
  double const all = sums.mean(0, n);
  double gain = 0;
  std::size_t begin = 0;
  for (std::size_t segment = 0; segment <= changes.size(); ++segment) {
    std::size_t const end = segment < changes.size() ? changes[segment] : n;
    double const step = sums.mean(begin, end) - all;
    gain += static_cast<double>(end - begin) * step * step;
    begin = end;
  }
  return gain;
}

/// The smallest penalty at which the best segmentation has no change: the largest gain per change over all
/// segmentations (Dinkelbach 1967, Manag. Sci. 13:492).
double largest_gain(std::span<double const> values) {
  PrefixSums const sums(values);
  std::size_t const n = values.size();
  double best = split_gain(sums, 0, *best_split(sums, 0, n, kMinSegment), n);
  for (;;) {
    Changes const changes = *segment(values, best * (1 + 1e-9), kMinSegment);
    if (changes.empty()) return best;
    double const gain = gain_of(sums, n, changes) / static_cast<double>(changes.size());
    if (!(gain > best)) return best;
    best = gain;
  }
}

/// Tails of Student's t, ascending, of the largest statistic of `count` flat series.
std::vector<double> simulate(std::size_t n, std::size_t count) {
  std::mt19937_64 random(n);
  std::normal_distribution<double> normal;
  std::vector<double> values(n), tails;
  for (std::size_t series = 0; series < count; ++series) {
    for (double& value : values) value = normal(random);
    std::vector<double> const smooth = without_spikes(values, 0, kMinSegment);
    SeriesNoise const noise = *noise_of(smooth, kMinSegment, 0, 0.0);
    tails.push_back(2 * student_t_cdf(-std::sqrt(largest_gain(smooth)) / noise.long_run_sd(), noise.df));
  }
  std::sort(tails.begin(), tails.end());
  return tails;
}

}  // namespace

int main(int argc, char** argv) {
  double const scale = argc > 1 ? std::atof(argv[1]) : 1;
  for (std::size_t const n : {6, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 4000}) {
    auto const count = static_cast<std::size_t>(scale * std::clamp(5e7 / static_cast<double>(n), 4e4, 5e5));
    std::vector<double> const tails = simulate(n, count);
    std::printf("    Row{%zu, {", n);
    for (double const tail : {1e-2, std::pow(10, -2.5), 1e-3, 1e-4, 1e-5}) {
      auto const below = std::upper_bound(tails.begin(), tails.end(), tail) - tails.begin();
      std::printf("%s%.3g", tail < 1e-2 ? ", " : "", static_cast<double>(below) / static_cast<double>(count) / tail);
    }
    std::printf("}},\n");
    std::fflush(stdout);
  }
}
