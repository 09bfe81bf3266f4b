// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the tables "Creep" of docs/change-points.md: how soon steps of +0.2 % are found, with which commits, and how
// often creep is reported in a history without it. Each history is analysed after every one of its 200 runs, and each
// case counts as one of a device's 300. Seeds are fixed. Hours on one core at scale 1.
//
//   usage: perfcheck_creep_rates [scale]     scale 0.1: what is in the page; 0.01: a quick look
#include "made_histories.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace perfcheck::creep;

constexpr std::size_t kRuns = 200;

CaseCreep judged(MadeHistory const& made, std::size_t count) {
  Options options = among_many();
  // A release counts only from the run at which it was made.
  if (made.release && *made.release < static_cast<int>(count)) options.release = made.release;
  return find_creep({made.upto(count)}, options).cases.front();
}

/// Results for histories with creep.
struct Detection {
  int histories = 0;
  std::array<int, 64> found{};   ///< by number of steps until then
  int steps = 0, named = 0;      ///< steps up to the alarm, and those whose commit is among the contributions
  int likeliest = 0, right = 0;  ///< commits called the likeliest place of a step, and those that are one

  void add(MadeHistory const& made, CaseCreep const& told, std::size_t count) {
    std::size_t in = 0;
    for (int const step : made.steps) {
      if (step >= static_cast<int>(count)) break;
      ++in;
      named +=
          std::ranges::any_of(told.contributions, [&](Contribution const& one) { return one.run == step; }) ? 1 : 0;
    }
    steps += static_cast<int>(in);
    ++found[std::min(in, found.size() - 1)];
    for (Contribution const& one : told.contributions) {
      if (!one.likeliest) continue;
      ++likeliest;
      right += std::ranges::find(made.steps, one.run) != made.steps.end() ? 1 : 0;
    }
  }
  double share_by(std::size_t steps_in) const {
    int sum = 0;
    for (std::size_t i = 0; i <= steps_in; ++i) sum += found[i];
    return static_cast<double>(sum) / histories;
  }
  /// In multiples of the margin; 0 where the histories end before.
  double multiple_at(double share) const {
    for (std::size_t steps_in = 0; steps_in < found.size() - 1; ++steps_in) {
      if (share_by(steps_in) >= share) return static_cast<double>(steps_in) * kStep / kMargin;
    }
    return 0;
  }
};

struct Way {
  int every;
  int latest_onset;  ///< so that the history holds seven steps at least
};
constexpr std::array<Way, 3> kWays{{{1, 150}, {5, 150}, {20, 60}}};

Detection detection(Scatter const& scatter, Way const& way, bool released, int histories) {
  Random random(static_cast<unsigned>(1000 * way.every) + (released ? 1 : 0));
  Detection detection{.histories = histories};
  for (int i = 0; i < histories; ++i) {
    MadeHistory const made =
        history_with_creep(kRuns, scatter, drawn(random, 31, way.latest_onset), way.every, released, random);
    for (auto count = static_cast<std::size_t>(made.steps.front()) + 1; count <= kRuns; ++count) {
      CaseCreep const told = judged(made, count);
      if (told.status != Status::drifted) continue;
      detection.add(made, told, count);
      break;
    }
  }
  return detection;
}

std::string multiple(double value) {
  if (value == 0) return "-";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

void print_detection(double scale) {
  auto const histories = static_cast<int>(scale * 500);
  std::printf(
      "found by +1.0 %%, %% (at which multiple of the margin half are found, and 95 in 100); a step at every\n");
  for (bool const released : {true, false}) {
    for (double const sd : {0.0005, 0.001, 0.002, 0.003, 0.005}) {
      for (double const correlation : {0.0, 0.15, 0.3}) {
        std::printf("| %s | %.2f %% | %.2f |", released ? "release" : "first runs", 100 * sd, correlation);
        for (Way const& way : kWays) {
          Detection const found = detection({.sd = sd, .correlation = correlation}, way, released, histories);
          std::printf(" %.1f (%s, %s) |", 100 * found.share_by(5), multiple(found.multiple_at(0.5)).c_str(),
                      multiple(found.multiple_at(0.95)).c_str());
          std::fflush(stdout);
        }
        std::printf("\n");
      }
    }
  }
  std::printf("\nsteps among the commits named, %% / of those called likeliest one is a step, %%; a step at every\n");
  for (double const sd : {0.0005, 0.001, 0.002}) {
    std::printf("| %.2f %% |", 100 * sd);
    for (Way const& way : kWays) {
      Detection const found = detection({.sd = sd}, way, true, histories);
      std::printf(" %.0f / %.0f |", 100.0 * found.named / std::max(found.steps, 1),
                  100.0 * found.right / std::max(found.likeliest, 1));
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

struct FalseAlarms {
  int drifted = 0, creeping = 0;
};

FalseAlarms false_alarms(MadeHistory const& made, double sd) {
  FalseAlarms alarms;
  for (std::size_t count = 8; count <= kRuns && alarms.drifted == 0; ++count) {
    if (!may_alarm(made, count, sd)) continue;
    Status const status = judged(made, count).status;
    if (status == Status::drifted) alarms.drifted = 1;
    if (status == Status::creeping) alarms.creeping = 1;
  }
  return alarms;
}

void print_false_alarms(double scale) {
  std::printf("\nhistories of one case without creep, 300 of which are a device's: drifted / creeping, of histories\n");
  auto const histories = static_cast<int>(scale * 10000);
  for (double const sd : {0.0005, 0.001, 0.002, 0.003, 0.005}) {
    std::printf("| %.2f %% |", 100 * sd);
    for (double const correlation : {0.0, 0.15, 0.3}) {
      Random random(31);
      FalseAlarms sum;
      for (int i = 0; i < histories; ++i) {
        FalseAlarms const found =
            false_alarms(history_without_creep(kRuns, {.sd = sd, .correlation = correlation}, random), sd);
        sum.drifted += found.drifted;
        sum.creeping += found.creeping;
      }
      std::printf(" %d / %d of %d |", sum.drifted, sum.creeping, histories);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

/// A device's cases are of all kinds: nine in ten scatter by 0.03 to 0.2 %, the others by up to 0.5 %.
void print_devices(double scale) {
  auto const devices = static_cast<int>(scale * 500);
  Random random(37);
  int drifted = 0, creeping = 0;
  for (int device = 0; device < devices; ++device) {
    FalseAlarms any;
    for (int i = 0; i < kCases; ++i) {
      bool const quiet = drawn(random, 0, 9) > 0;
      double const sd =
          quiet ? 0.0003 * std::exp(uniform(random, 0, std::log(0.002 / 0.0003))) : uniform(random, 0.002, 0.005);
      Scatter const scatter{.sd = sd, .correlation = 0.15 * drawn(random, 0, 2)};
      FalseAlarms const found = false_alarms(history_without_creep(kRuns, scatter, random), sd);
      any.drifted |= found.drifted;
      any.creeping |= found.creeping;
    }
    drifted += any.drifted;
    creeping += any.creeping;
  }
  std::printf("\n%d devices with %d cases of all kinds: %d with any case called drifted, %d with any called creeping\n",
              devices, kCases, drifted, creeping);
}

/// Levels that rose once and stay there: below, at and above the margin.
void print_single_steps(double scale) {
  std::printf("\none step that stays for 100 runs, sd 0.1 %%: drifted / creeping at any time, %%\n");
  auto const histories = static_cast<int>(scale * 1000);
  for (double const size : {0.001, 0.0025, 0.004, 0.005, 0.006, 0.0075}) {
    Random random(41);
    int drifted = 0, creeping = 0;
    for (int i = 0; i < histories; ++i) {
      MadeHistory made = made_history(kRuns, {}, random);
      add_level(made, 100, std::log1p(size));
      made.release = 90;
      bool was_drifted = false, was_creeping = false;
      for (std::size_t count = 101; count <= kRuns; ++count) {
        Status const status = judged(made, count).status;
        was_drifted |= status == Status::drifted;
        was_creeping |= status == Status::creeping;
      }
      drifted += was_drifted ? 1 : 0;
      creeping += was_creeping ? 1 : 0;
    }
    std::printf("| +%.2f %% | %.1f | %.1f |\n", 100 * size, 100.0 * drifted / histories, 100.0 * creeping / histories);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  double const scale = argc > 1 ? std::atof(argv[1]) : 1;
  print_detection(scale);
  print_single_steps(scale);
  print_false_alarms(scale);
  print_devices(scale);
}
