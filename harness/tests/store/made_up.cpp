// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "made_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace perfcheck::store::testing {
namespace {

class World {
 public:
  explicit World(MadeUpBaseline const& what) : what_(what), random_(what.seed) {}

  model::Baseline make() {
    model::Baseline baseline{.operation = "gemm", .device_slug = "gpu", .device_name = "GPU"};
    for (int i = 0; i < what_.cases; ++i) {
      add_case(baseline, kernel_case(i), library_case(i / 5));
      if (i % 5 == 0) {
        add_case(baseline, library_case(i / 5), library_case(i / 5));
      }
    }
    for (int card = 0; card < what_.cards; ++card) {
      add_card(baseline, card);
    }
    return baseline;
  }

 private:
  double draw(double sd) { return sd * normal_(random_); }

  static void add_case(model::Baseline& baseline, std::string const& id, std::string const& reference) {
    model::BaselineCase& entry = baseline.cases[id];
    entry.reference = reference;
    entry.machine_code = reference == id ? "" : "code of " + id;
    entry.launches = "launches of " + id;
  }

  void add_card(model::Baseline& baseline, int card) {
    model::Acceptance acceptance{.who = "Ada", .when = "2026-11-21T09:00:00Z", .commit = "c0ffee", .why = "test"};
    std::string const run = fmt::format("run{}", card + 1);
    for (int i = 0; i < what_.sessions; ++i) {
      std::string const id = fmt::format("s{:02}", baseline.sessions.size() + 1);
      baseline.sessions.push_back({.id = id,
                                   .started = "2026-11-21T09:00:00Z",
                                   .device_uuid = fmt::format("GPU-{}", card),
                                   .driver = "580",
                                   .cuda_runtime = "13.0",
                                   .libraries = {{"cuBLAS", "13.1"}},
                                   .power_limit_w = 700,
                                   .commit = "c0ffee",
                                   .run_session = fmt::format("{}/s{}", run, i + 1)});
      acceptance.sessions.push_back(id);
    }
    acceptance.cases = static_cast<int>(baseline.cases.size());
    std::vector<double> clocks;
    for (int i = 0; i < what_.sessions; ++i) {
      clocks.push_back(draw(what_.clock_sd));
    }
    double level = 0;
    for (auto& [id, entry] : baseline.cases) {
      level += 0.1;
      double const of_card = draw(what_.card_sd), ratio_of_card = draw(2 * what_.card_sd);
      for (std::size_t i = 0; i < acceptance.sessions.size(); ++i) {
        double const cycles = 10 + level + of_card + draw(what_.noise);
        entry.session.push_back(acceptance.sessions[i]);
        entry.cycles.push_back(std::exp(cycles));
        entry.time_ns.push_back(std::exp(cycles + clocks[i]) / 1.8);
        entry.ratio.push_back(entry.reference == id ? 1 : std::exp(0.3 + ratio_of_card + draw(what_.ratio_noise)));
      }
    }
    baseline.accepted.push_back(std::move(acceptance));
  }

  MadeUpBaseline what_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace

model::Baseline made_up_baseline(MadeUpBaseline const& what) { return World(what).make(); }

void slow(model::Baseline& baseline, std::string const& case_id, std::string const& session, double factor) {
  model::BaselineCase& entry = baseline.cases.at(case_id);
  auto const found = std::find(entry.session.begin(), entry.session.end(), session);
  auto const i = static_cast<std::size_t>(found - entry.session.begin());
  entry.time_ns.at(i) *= factor;
  if (!entry.cycles.empty()) {
    entry.cycles.at(i) *= factor;
  }
  if (entry.reference != case_id) {
    entry.ratio.at(i) *= factor;
  }
}

void slow_all(model::Baseline& baseline, std::string const& session, double factor, std::size_t count) {
  for (auto const& [id, entry] : baseline.cases) {
    if (count-- == 0) {
      return;
    }
    slow(baseline, id, session, factor);
  }
}

std::string kernel_case(int number) { return fmt::format("gemm/own/kernel{:03}@f32,nn,m512n512k512", number); }
std::string library_case(int number) { return fmt::format("gemm/library/lib{:03}@f32,nn,m512n512k512", number); }

}  // namespace perfcheck::store::testing
