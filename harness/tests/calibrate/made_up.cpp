// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "made_up.h"

#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace perfcheck::calibrate::testing {
namespace {

constexpr int kRounds = 9;
constexpr double kClockMhz = 1980;

}  // namespace

std::string case_id_of(int index) { return fmt::format("kernel{}@p{}", index % 3, index); }

model::Run made_up_run(MadeUp const& made_up, std::string const& card, int sessions, std::uint64_t seed,
                       std::map<std::string, double> const& slowdowns) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  model::Run run;
  run.id = fmt::format("run{}-{}", card, seed);
  run.started = "2026-01-01T00:00:00Z";
  run.tool_version = "0";
  run.worker = {.name = "worker", .backend = "cuda", .operation = "gemm", .build = {}};
  run.suite = "default";
  for (int s = 1; s <= sessions; ++s) {
    model::Session session;
    session.id = fmt::format("s{}", s);
    session.started = run.started;
    session.device.backend = "cuda";
    session.device.name = session.device.slug = "gpu";
    session.device.uuid = card;
    for (int i = 0; i < made_up.cases; ++i) {
      model::CaseResult result;
      result.id = case_id_of(i);
      result.reference = fmt::format("library@p{}", i);
      result.status = model::CaseStatus::measured;
      result.seconds = 0.25;
      if (s % 2 == 0) {
        result.device_seconds = 0.05 * s;  // only some sessions of a recording have it
      }
      auto const slowdown = slowdowns.find(result.id);
      result.injected_percent = slowdown == slowdowns.end() ? 0 : slowdown->second;
      double const factor = (1 + result.injected_percent / 100) * made_up.card_factor;
      // Cases of even number take 10 us a launch, the others 100.
      double const time = (i % 2 == 0 ? 1e4 : 1e5) * factor * std::exp(made_up.session_sd * normal(random));
      double const reference = 5e4 * made_up.card_factor * std::exp(made_up.session_sd * normal(random));
      double const clock = kClockMhz * std::exp(made_up.session_sd * normal(random));
      model::Rounds& rounds = result.rounds.emplace();
      rounds.launches = rounds.reference_launches = 10;
      for (int r = 0; r < kRounds; ++r) {
        rounds.time_ns.push_back(time * std::exp(made_up.round_sd * normal(random)));
        rounds.reference_time_ns.push_back(reference);
        rounds.clock_mhz.push_back(clock);
        rounds.reference_clock_mhz.push_back(clock);
      }
      session.cases.push_back(std::move(result));
    }
    run.sessions.push_back(std::move(session));
  }
  return run;
}

Card made_up_card(MadeUp const& made_up, std::string const& name, std::uint64_t seed,
                  std::vector<std::map<std::string, double>> const& blocks) {
  store::AcceptOptions const accept{.who = "test",
                                    .when = "2026-01-01T00:00:00Z",
                                    .why = "test",
                                    .replace = false,
                                    .allow_dirty = true,
                                    .audit = std::nullopt};
  Card card{.name = name,
            .baselines = {store::accept(std::nullopt, {made_up_run(made_up, name, 8, seed)}, accept)},
            .blocks = {}};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    card.blocks.push_back(
        {.name = fmt::format("block-{:02}", i + 1), .run = made_up_run(made_up, name, 5, seed + 1 + i, blocks[i])});
  }
  return card;
}

}  // namespace perfcheck::calibrate::testing
