// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Times the analysis of a large history: 10,000 series of 1,000 runs, on one core.
//
//   usage: perfcheck_change_points_bench [series] [runs]
#include "perfcheck/stats/change_points.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace perfcheck::stats;

struct Kind {
  char const* name;
  std::size_t runs_per_level;
  int cards = 1;  // that take turns at random, 2 % apart
};

/// Runs scatter by 0.2 %; levels differ by about 3 %.
std::vector<double> make(std::size_t runs, std::size_t runs_per_level, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values;
  double level = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    if (run > 0 && run % runs_per_level == 0) level += 0.03 * normal(random);
    values.push_back(level + 0.002 * normal(random));
  }
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  auto const series = static_cast<std::size_t>(argc > 1 ? std::atoll(argv[1]) : 10000);
  auto const runs = static_cast<std::size_t>(argc > 2 ? std::atoll(argv[2]) : 1000);
  constexpr std::size_t kFlat = std::numeric_limits<std::size_t>::max();
  for (Kind const kind : {Kind{"flat", kFlat}, Kind{"few changes", 200}, Kind{"many changes", 10},
                          Kind{"flat, 8 cards", kFlat, 8}, Kind{"few changes, 8 cards", 200, 8},
                          Kind{"many changes, 8 cards", 10, 8}, Kind{"flat, 64 cards", kFlat, 64}}) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::chrono::duration<double> spent{0};
    std::size_t changes = 0;
    for (std::size_t i = 0; i < series; ++i) {
      std::vector<double> values = make(runs, kind.runs_per_level, random);
      std::vector<double> levels;
      for (int card = 0; card < kind.cards; ++card) levels.push_back(kind.cards > 1 ? 0.02 * normal(random) : 0);
      std::vector<int> cards;
      for (double& value : values) {
        cards.push_back(static_cast<int>(random() % levels.size()));
        value += levels[static_cast<std::size_t>(cards.back())];
      }
      auto const begin = std::chrono::steady_clock::now();
      changes += find_change_points(values, {.groups = cards}).changes.size();
      spent += std::chrono::steady_clock::now() - begin;
    }
    std::printf("%-22s  %zu series of %zu runs  %.2f s  %.3f ms a series  %.2f changes a series\n", kind.name, series,
                runs, spent.count(), 1e3 * spent.count() / static_cast<double>(series),
                static_cast<double>(changes) / static_cast<double>(series));
  }
}
