// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "runs_of.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace perfcheck::store::testing {
namespace {

constexpr double kBetweenSessions = 0.0002;

/// Three rounds around the session's numbers; the middle round has exactly these.
model::Rounds rounds_of(double time_ns, double ratio, double cycles) {
  model::Rounds rounds{.launches = 1,
                       .reference_launches = 1,
                       .time_ns = {},
                       .reference_time_ns = {},
                       .clock_mhz = {},
                       .reference_clock_mhz = {}};
  for (double const share : {0.999, 1.0, 1.002}) {
    rounds.time_ns.push_back(time_ns * share);
    rounds.reference_time_ns.push_back(time_ns / ratio);
    if (cycles > 0) {
      rounds.clock_mhz.push_back(cycles / time_ns * 1e3);
      rounds.reference_clock_mhz.push_back(cycles / time_ns * 1e3);
    }
  }
  return rounds;
}

model::Session session_of(model::Baseline const& baseline, model::BaselineSession const& stored, std::string id,
                          std::uint64_t seed) {
  std::mt19937_64 random(seed + std::hash<std::string>()(stored.id));
  std::normal_distribution<double> normal(0, seed == 0 ? 0 : kBetweenSessions);
  model::Session session{.id = std::move(id), .started = stored.started, .purpose = model::SessionPurpose::baseline};
  session.device.name = baseline.device_name;
  session.device.slug = baseline.device_slug;
  session.device.uuid = stored.device_uuid;
  session.environment.driver = stored.driver;
  session.environment.cuda_runtime = stored.cuda_runtime;
  session.environment.libraries = stored.libraries;
  session.environment.power_limit_w = stored.power_limit_w;
  session.environment.timing = stored.timing;
  for (auto const& [case_id, entry] : baseline.cases) {
    auto const found = std::find(entry.session.begin(), entry.session.end(), stored.id);
    if (found == entry.session.end()) {
      continue;
    }
    auto const i = static_cast<std::size_t>(found - entry.session.begin());
    double const own = std::exp(seed == 0 ? 0 : normal(random)), others = std::exp(seed == 0 ? 0 : normal(random));
    model::CaseResult result;
    result.id = case_id;
    result.reference = entry.reference;
    result.status = model::CaseStatus::measured;
    result.launches = entry.launched;
    result.rounds = rounds_of(entry.time_ns[i] * own, entry.ratio[i] * own * others,
                              entry.cycles.empty() ? 0 : entry.cycles[i] * own);
    session.cases.push_back(std::move(result));
  }
  return session;
}

}  // namespace

std::vector<model::Run> runs_of(model::Baseline const& baseline, std::uint64_t seed, std::string const& name) {
  std::vector<model::Run> runs;
  for (model::BaselineSession const& stored : baseline.sessions) {
    std::size_t const slash = stored.run_session.rfind('/');
    std::string const id = name + stored.run_session.substr(0, slash);
    if (runs.empty() || runs.back().id != id) {
      runs.emplace_back();
      runs.back().id = id;
      runs.back().source.commit = stored.commit;
      runs.back().worker.operation = baseline.operation;
    }
    runs.back().sessions.push_back(session_of(baseline, stored, stored.run_session.substr(slash + 1), seed));
  }
  return runs;
}

}  // namespace perfcheck::store::testing
