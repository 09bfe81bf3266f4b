// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A case as stored and as measured now; tests change one thing on either side.
#pragma once

#include "perfcheck/gate/differences.h"
#include "world.h"

#include <string>
#include <vector>

namespace perfcheck::gate::testing {

inline model::LaunchAttributes launch(std::string const& function = "f") {
  return {.function = function,
          .grid = {16, 64, 1},
          .block = {128, 1, 1},
          .registers = 128,
          .shared_bytes = 16384,
          .local_bytes = 0,
          .blocks_per_sm = 4,
          .occupancy = 0.25,
          .machine_code = "aaaa"};
}

/// A case with three stored sessions and three fresh ones of the same card, alike in everything.
struct Sides {
  model::BaselineCase stored;
  std::vector<model::BaselineSession> sessions;
  std::vector<model::CaseResult> fresh;
  model::BaselineSession now;

  Sides() {
    now.device_uuid = "GPU-a";
    now.driver = "580.1";
    now.cuda_runtime = "13.0";
    now.libraries = {{"cuBLAS", "13.1"}, {"cuDNN", "9.1"}};
    now.power_limit_w = 700;
    stored.reference = "r@p";
    stored.launched = {launch()};
    stored.machine_code = model::machine_code_of(stored.launched);
    stored.input_policy = model::InputPolicy{.arithmetic = "f32", .work = {2e9, 3e6}, .replay_launches = 100};
    for (char const* id : {"s01", "s02", "s03"}) {
      sessions.push_back(now);
      sessions.back().id = id;
      stored.session.emplace_back(id);
      stored.time_ns.push_back(1e4);
      stored.ratio.push_back(2);
      stored.cycles.push_back(1.8e4);
      fresh.push_back(fresh_result());
    }
    stored.clock_mhz = {1795, 1800, 1805};
    stored.power_w = {390, 400, 410};
  }

  static model::CaseResult fresh_result() {
    model::CaseResult result;
    result.id = "k@p";
    result.reference = "r@p";
    result.status = model::CaseStatus::measured;
    result.launches = {launch()};
    result.arithmetic = "f32";
    result.work = {2e9, 3e6};
    result.rounds = model::Rounds{.launches = 100,
                                  .reference_launches = 100,
                                  .time_ns = {1e4, 1e4},
                                  .reference_time_ns = {5e3, 5e3},
                                  .clock_mhz = {1800, 1800},
                                  .reference_clock_mhz = {1800, 1800}};
    result.state.emplace().power_w = 400;
    return result;
  }

  std::vector<Difference> found() const {
    std::vector<model::CaseResult const*> results;
    for (model::CaseResult const& result : fresh) {
      results.push_back(&result);
    }
    return differences_of(stored, sessions, results, now);
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (Difference const& difference : found()) {
      texts.push_back(difference.text);
    }
    return texts;
  }

  void set_clocks(std::vector<double> const& mhz) {
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      fresh[i].rounds->clock_mhz = {mhz[i], mhz[i]};
    }
  }
  void set_powers(std::vector<double> const& watts) {
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      fresh[i].state->power_w = watts[i];
    }
  }
};

}  // namespace perfcheck::gate::testing
