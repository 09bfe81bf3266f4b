// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the tables of docs/change-points.md about changes: false ones of flat series, and what is found, how soon and
// how precisely. Seeds are fixed. Minutes on one core.
//
//   usage: perfcheck_change_points_rates [scale]     scale 1: what is in the page; 0.05: a quick look
#include "made_series.h"

#include "perfcheck/stats/change_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

namespace {

using namespace perfcheck::stats;

/// Two of a hundred runs are 10 sd slower.
std::vector<double> spiky(std::size_t n, Random& random) {
  std::vector<double> values = noise(n, random, 0);
  for (double& value : values) value += random() % 50 == 0 ? 10 : 0;
  return values;
}

std::vector<double> heavy_tailed(std::size_t n, Random& random) {
  std::student_t_distribution<double> t(3);
  std::vector<double> values(n);
  for (double& value : values) value = t(random);
  return values;
}

struct Flat {
  char const* name;
  std::optional<double> correlation;
  std::function<std::vector<double>(std::size_t, Random&)> make;
};

void print_false_changes(double scale) {
  std::vector<Flat> const kinds = {
      {"independent, known to be", 0.0, [](std::size_t n, Random& random) { return noise(n, random, 0); }},
      {"independent", {}, [](std::size_t n, Random& random) { return noise(n, random, 0); }},
      {"rho 0.3", {}, [](std::size_t n, Random& random) { return noise(n, random, 0.3); }},
      {"rho 0.5", {}, [](std::size_t n, Random& random) { return noise(n, random, 0.5); }},
      {"rho 0.7", {}, [](std::size_t n, Random& random) { return noise(n, random, 0.7); }},
      {"rho 0.5, taken for 0", 0.0, [](std::size_t n, Random& random) { return noise(n, random, 0.5); }},
      {"rho 0.5, known", 0.5, [](std::size_t n, Random& random) { return noise(n, random, 0.5); }},
      {"2 % spikes of 10 sd", {}, spiky},
      {"Student's t, 3 df", {}, heavy_tailed},
  };
  std::printf("false changes, %% of flat series, at level 5 / 1 / 0.1 %%\n");
  for (Flat const& kind : kinds) {
    std::printf("| %-24s |", kind.name);
    for (std::size_t const n : {15, 30, 100, 300, 1000}) {
      auto const count = static_cast<int>(scale * std::clamp(1.5e6 / static_cast<double>(n), 3000.0, 3e4));
      Random random(n);
      std::array<int, 3> found{};
      for (int series = 0; series < count; ++series) {
        std::vector<double> const values = kind.make(n, random);
        for (std::size_t i = 0; i < found.size(); ++i) {
          ChangePointOptions const options{.level = std::array{0.05, 0.01, 0.001}[i],
                                           .min_magnitude = 0,
                                           .min_sd = 0,
                                           .correlation = kind.correlation};
          found[i] += find_change_points(values, options).changes.empty() ? 0 : 1;
        }
      }
      std::printf(" %.1f / %.1f / %.2f |", 100.0 * found[0] / count, 100.0 * found[1] / count,
                  100.0 * found[2] / count);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

/// A step after 50 runs, seen with 3, 5, 10, 25 and 50 runs after it, at the default level.
void print_detection(double scale) {
  std::printf(
      "\nstep found, %% (level 0.1 %%, 50 runs before), by runs after it; with 50: right place %%, set covers %%, "
      "positions\n");
  for (double const rho : {0.0, 0.5}) {
    for (double const size : {1.0, 1.5, 2.0, 3.0, 5.0, 8.0}) {
      auto const count = static_cast<int>(scale * 4000);
      std::printf("| rho %.1f | %.1f sd |", rho, size);
      int right = 0, covered = 0, seen = 0;
      std::size_t positions = 0;
      for (std::size_t const after : {3, 5, 10, 25, 50}) {
        Random random(after);
        int found = 0;
        for (int series = 0; series < count; ++series) {
          std::vector<double> values = noise(50 + after, random, rho);
          for (std::size_t i = 50; i < values.size(); ++i) values[i] += size;
          auto const changes = find_change_points(values, {.min_magnitude = 0, .min_sd = 0}).changes;
          found += changes.empty() ? 0 : 1;
          if (after != 50 || changes.size() != 1) continue;
          auto const& set = changes[0].positions;
          seen += 1;
          right += changes[0].index == 50 ? 1 : 0;
          covered += std::binary_search(set.begin(), set.end(), std::size_t{50}) ? 1 : 0;
          positions += set.size();
        }
        std::printf(" %.0f |", 100.0 * found / count);
      }
      std::printf(" %.0f | %.0f | %.1f |\n", 100.0 * right / std::max(seen, 1), 100.0 * covered / std::max(seen, 1),
                  static_cast<double>(positions) / std::max(seen, 1));
      std::fflush(stdout);
    }
  }
}

/// The card of run i, which says how cards take turns.
struct Turns {
  char const* name;
  std::function<int(std::size_t, Random&)> card;
};

/// Cards of one model that differ by 10 sd of a run (2 % where a run has 0.2 %): histories without a change, and with
/// one of 5 sd in the middle.
void print_fleets(double scale) {
  constexpr double kRunSd = 0.002, kCardSd = 0.02;
  std::vector<Turns> const kinds = {
      {"4 cards at random", [](std::size_t, Random& random) { return static_cast<int>(random() % 4); }},
      {"16 cards at random", [](std::size_t, Random& random) { return static_cast<int>(random() % 16); }},
      {"4 cards, 10 runs each time", [](std::size_t i, Random&) { return static_cast<int>(i / 10 % 4); }},
      {"another card every 10 runs", [](std::size_t i, Random&) { return static_cast<int>(i / 10); }},
      {"another card every 2 runs", [](std::size_t i, Random&) { return static_cast<int>(i / 2); }},
      {"one replaced in the middle", [](std::size_t i, Random&) { return i < 20 ? 0 : 1; }},
  };
  std::printf("\nfleets, at level 0.1 %%: false changes %% (not knowing the cards) / step of 5 sd found %%, by runs\n");
  for (Turns const& turns : kinds) {
    std::printf("| %-26s |", turns.name);
    for (std::size_t const n : {30, 100, 300}) {
      auto const count = static_cast<int>(scale * 3000);
      Random random(n);
      int without = 0, with = 0, found = 0;
      for (int series = 0; series < count; ++series) {
        std::vector<double> const levels = noise(n, random);
        std::vector<double> values = noise(n, random);
        std::vector<int> cards;
        for (std::size_t i = 0; i < n; ++i) {
          cards.push_back(turns.card(i, random));
          values[i] = kRunSd * values[i] + kCardSd * levels[static_cast<std::size_t>(cards[i])];
        }
        ChangePointOptions options{.min_magnitude = 0, .correlation = 0};
        without += find_change_points(values, options).changes.empty() ? 0 : 1;
        options.groups = cards;
        with += find_change_points(values, options).changes.empty() ? 0 : 1;
        for (std::size_t i = n / 2; i < n; ++i) values[i] += 5 * kRunSd;
        found += find_change_points(values, options).changes.empty() ? 0 : 1;
      }
      std::printf(" %.2f (%.0f) / %.0f |", 100.0 * with / count, 100.0 * without / count, 100.0 * found / count);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  double const scale = argc > 1 ? std::atof(argv[1]) : 1;
  print_false_changes(scale);
  print_detection(scale);
  print_fleets(scale);
}
